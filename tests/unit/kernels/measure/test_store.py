"""The history keeps every field, never changes a row, and never overwrites a file that it cannot read."""

from __future__ import annotations

import math
import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.result_json import from_record, to_record
from kernels.measure.results import Result, Status
from kernels.measure.store import RETRY_S, ResultStore

REASON = message("Wrong result: {what}, {n} of {part}", what=message("分块 {name}", name="“A”"), n=3, part=1.0)
POINT = Case("cpu.blocked", Problem(Operation.MATMUL, 3, 4, 5), {"tile": 32})
RESULT = Result(
    POINT, Status.WRONG, "2026-01-02T03:04:05+00:00", (0.1, 2e-300, 3.0), 0.1 + 0.2, 5e-324, REASON,
    {"processor": "处理器 X", "threads": 2, "share": 0.5, "whole": 2.0},
)  # fmt: skip

texts = st.text()
templates = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]))
numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
messages = st.recursive(
    st.builds(Message, templates, st.just(())),
    lambda inner: st.builds(
        lambda t, a: Message(t, tuple(a.items())), templates, st.dictionaries(texts, texts | numbers | inner, max_size=3)
    ),
    max_leaves=4,
)
results = st.builds(
    Result,
    st.builds(
        Case,
        texts.filter(lambda name: catalogue.find(name) is None),  # of a known variant only its own points come back
        st.builds(
            Problem,
            st.sampled_from([Operation.MATMUL, Operation.TRANSPOSE]),
            st.integers(1, 2**40),
            st.integers(1, 2**40),
            st.integers(0, 2**40),
        ),
        st.dictionaries(texts, st.integers(), max_size=3),
    ),
    st.sampled_from(Status),
    texts,
    st.lists(st.floats(0, allow_infinity=False), min_size=1, max_size=5).map(tuple),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | messages,
    st.dictionaries(texts, texts | numbers, max_size=3),
)


def numbered(number: int, variant: str = "cpu.naive", processor: str = "P") -> Result:
    return Result(
        Case(variant, Problem.square(Operation.MATMUL, number), {}),
        Status.SINGLE,
        "2026",
        (1.0,),
        0.0,
        1e-5,
        None,
        {"processor": processor},
    )


def test_every_field_comes_back_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "目录" / "deeper" / "history.sqlite"
    store = ResultStore.open(path)
    assert store.notice is None
    store.append(RESULT)
    store.close()
    store = ResultStore.open(path)
    (back,) = store.results()
    assert back == RESULT
    assert [type(value) for value in back.conditions.values()] == [str, int, float, float]
    store.close()


@settings(deadline=None)
@given(results)
def test_every_result_comes_back(result: Result) -> None:
    assert from_record(to_record(result)) == result


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_a_number_is_not_written(bad: float) -> None:
    store = ResultStore.in_memory()
    with pytest.raises(ValueError, match="JSON"):
        store.append(Result(POINT, Status.MEASURED, "2026", (bad,)))
    assert store.results() == []
    store.close()


def test_results_are_chosen_by_operation_and_processor_and_the_latest_of_each_point() -> None:
    store = ResultStore.in_memory()
    turned = Result(Case("cpu.transpose-naive", Problem.square(Operation.TRANSPOSE, 8), {}), Status.SINGLE, "2026", (1.0,))
    rows = [numbered(8), numbered(16), numbered(16, processor="Q"), turned, numbered(8)]
    for row in rows:
        store.append(row)
    assert store.results() == rows
    assert store.results(operation=Operation.TRANSPOSE) == [turned]
    assert store.results(processor="Q") == [rows[2]]
    assert store.latest() == [rows[2], turned, rows[4]]
    assert store.latest("Q") == [rows[2]]
    store.append(replace(numbered(8), status=Status.SKIPPED, times_ms=()))
    assert store.latest() == [rows[2], turned, rows[4]]
    store.append(replace(numbered(8), status=Status.WRONG, times_ms=()))
    assert [result.status for result in store.latest()] == [Status.SINGLE, Status.SINGLE, Status.WRONG]
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE results SET status = 'measured'",
        "DELETE FROM results",
        "INSERT OR REPLACE INTO results SELECT * FROM results",
        "REPLACE INTO results SELECT * FROM results",
    ],
)
def test_rows_are_never_changed_deleted_or_replaced(tmp_path: Path, statement: str) -> None:
    store = ResultStore.open(tmp_path / "history.sqlite")
    store.append(RESULT)
    other = sqlite3.connect(tmp_path / "history.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        other.execute(statement)
    other.close()
    assert store.results() == [RESULT]
    store.close()


@pytest.mark.parametrize("content", [b"not a database, but long enough to look like one" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_cannot_be_read_is_set_aside_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "history.sqlite"
    for copies in (1, 2):
        path.write_bytes(content)
        store = ResultStore.open(path)
        assert "could not be read" in str(store.notice)
        store.append(RESULT)
        assert store.results() == [RESULT]
        store.close()
        aside = [file for file in tmp_path.iterdir() if "unreadable" in file.name and file.suffix == ".sqlite"]
        assert [file.read_bytes() for file in aside] == [content] * copies
    again = ResultStore.open(path)
    assert again.notice is None
    assert again.results() == [RESULT]
    again.close()


def test_the_journal_of_an_unreadable_file_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_bytes(b"not a database" * 100)
    journal = path.with_name("history.sqlite-wal")
    journal.write_bytes(b"the last rows")
    store = ResultStore.open(path)
    store.append(RESULT)
    (aside,) = tmp_path.glob("*unreadable*-wal")
    assert aside.read_bytes() == b"the last rows"
    assert aside.with_name(aside.name.removesuffix("-wal")).read_bytes() == b"not a database" * 100
    store.close()


def test_a_damaged_page_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    for number in range(1, 200):
        store.append(numbered(number))
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:12288] = b"\xaa" * 8192
    path.write_bytes(content)
    store = ResultStore.open(path)
    assert "could not be read" in str(store.notice)
    assert store.results() == []
    store.close()


def test_a_history_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE results (x); PRAGMA user_version = 7;")
    connection.close()
    before = path.read_bytes()
    store = ResultStore.open(path)
    assert "another version" in str(store.notice)
    store.append(RESULT)
    assert store.results() == [RESULT]
    store.close()
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_used_gives_a_history_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    for path in (file / "history.sqlite", tmp_path):
        store = ResultStore.open(path)
        assert "cannot be written" in str(store.notice)
        store.append(RESULT)
        assert store.results() == [RESULT]
        store.close()
    assert file.read_text() == "in the way"


def test_a_history_that_may_only_be_read_is_shown_and_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path, _patience_s: float = 0.0) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    store.append(numbered(1))
    store.close()
    before = path.read_bytes()
    monkeypatch.setattr("kernels.measure.store.connect", refuse)
    store = ResultStore.open(path)
    assert "cannot be written" in str(store.notice)
    store.append(numbered(2))
    assert store.results() == [numbered(1), numbered(2)]
    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change", ["operation = 'later'", "status = 'later'", "times_ms = '['", "conditions = '{'", "parameters = 'null'", "reason = '7'"]
)
def test_a_row_that_cannot_be_understood_hides_no_other(tmp_path: Path, change: str) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    store.append(numbered(1))
    store.append(numbered(2))
    store.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER results_keep_values")
        file.execute(f"UPDATE results SET {change} WHERE id = 1")
        file.commit()
    store = ResultStore.open(path)
    processor = str(numbered(2).conditions["processor"])
    assert store.results() == store.results(processor=processor) == [numbered(2)]
    assert str(store.notice) == "Results in the history that cannot be understood: 1. They are left as they are."
    store.append(numbered(3))
    assert store.results() == [numbered(2), numbered(3)]
    store.close()


def full(store: ResultStore) -> None:
    """Let the store's file have no room for more."""
    store._connection.execute("PRAGMA max_page_count = 1")


def later(monkeypatch: pytest.MonkeyPatch, store: ResultStore) -> None:
    """Let the time pass after which the file is tried again."""
    monkeypatch.setattr(store, "_clock", lambda: time.monotonic() + RETRY_S)


def due(store: ResultStore) -> bool:
    return store.retry_due


def test_when_the_disk_is_full_results_go_on_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    store.append(numbered(1))
    full(store)
    rows = [numbered(number) for number in range(1, 100)]
    for row in rows[1:]:
        store.append(row)
    assert "can no longer be written" in str(store.notice)
    assert store.results() == rows
    monkeypatch.setattr("kernels.measure.store.connect", no_room)
    store.close()
    told = re.fullmatch(rf"The history {re.escape(str(path))} could not be written. Results that are lost: (\d+).", str(store.notice))
    assert told is not None
    monkeypatch.undo()
    reopened = ResultStore.open(path)
    kept = reopened.results()
    assert kept == rows[: len(kept)]
    assert len(kept) == len(rows) - int(told[1]) > 0
    reopened.close()


def no_room(_path: Path, _patience_s: float = 0.0) -> sqlite3.Connection:
    raise sqlite3.OperationalError("database or disk is full")


def test_once_there_is_room_again_what_was_in_memory_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    full(store)
    rows = [numbered(number) for number in range(1, 100)]
    for row in rows:
        store.append(row)
    assert not due(store)
    later(monkeypatch, store)
    assert due(store)
    with closing(ResultStore.open(path)) as other:
        other.append(numbered(1000))
    store.write_waiting()
    assert not due(store)
    assert re.search(r"can be written again. Results that were in memory are now in it: \d+\.", str(store.notice))
    store.append(numbered(100))
    expected = [*rows, numbered(1000), numbered(100)]
    assert sorted(store.results(), key=size) == sorted(expected, key=size)
    with closing(ResultStore.open(path)) as other:
        assert sorted(other.results(), key=size) == sorted(expected, key=size), "none is lost and none is there twice"
    store.close()


def size(result: Result) -> int:
    return result.point.problem.n


def test_a_place_that_can_be_written_later_gets_what_was_measured_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file" / "history.sqlite"
    path.parent.write_text("in the way")
    store = ResultStore.open(path)
    assert "cannot be written" in str(store.notice)
    store.append(numbered(1))
    later(monkeypatch, store)
    store.append(numbered(2))
    assert "cannot be written" in str(store.notice)
    path.parent.unlink()
    store._tried = 0.0
    store.append(numbered(3))
    assert "Results that were in memory are now in it: 2." in str(store.notice)
    with closing(ResultStore.open(path)) as other:
        assert other.results() == store.results() == [numbered(1), numbered(2), numbered(3)]
    store.close()


def test_at_the_end_it_is_tried_once_more(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    full(store)
    rows = [numbered(number) for number in range(1, 100)]
    for row in rows:
        store.append(row)
    store.close()
    with closing(ResultStore.open(path)) as again:
        assert again.results() == rows


def test_a_history_that_was_damaged_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    store = ResultStore.open(path)
    full(store)
    for number in range(1, 100):
        store.append(numbered(number))
    path.write_bytes(b"something else" * 100)
    store.close()
    assert path.read_bytes() == b"something else" * 100
    assert "could not be written" in str(store.notice)


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    given = [
        replace(RESULT, point=Case(variant, problem, {}), status=Status.MEASURED, reason=None)
        for variant in ("cpu.blocked", "cpu.naive", "cpu.simd")
        for problem in (Problem(Operation.MATMUL, 3, 4, 5), Problem(Operation.MATMUL, 6, 7, 8))
    ]
    with closing(ResultStore.open(tmp_path / "history.sqlite3")) as store:
        for result in given:
            store.append(result)
        chosen = [(row.variant_id, row.problem) for rows in store.rows("处理器 X", {"cpu.naive", "cpu.simd"}) for row in rows]
        assert chosen == [(each.point.variant_id, each.point.problem) for each in given[2:]]
        assert [each.point.variant_id for each in store.results(Operation.MATMUL, "处理器 X", "cpu.simd")] == 2 * ["cpu.simd"]
        assert sum(len(rows) for rows in store.rows("处理器 X")) == len(given)
