"""Damaged histories, and databases of other programs: the program opens, loses nothing that was there, and keeps what it measures next.

TILESCOPE_FUZZ_READERS says how many of each are tried (before a release: 3000).
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.core.base.i18n import LANGUAGES, Translator
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.estimate import Estimator
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.results import Result, Status
from kernels.measure.rows import row_of
from kernels.measure.store import ResultStore
from kernels.measure.store_file import SCHEMA_VERSION

EXAMPLES = int(os.environ.get("TILESCOPE_FUZZ_READERS", "40"))
ROWS = 60
NEXT = Result(
    Case("cpu.naive", Problem.square(Operation.MATMUL, 4096), {}), Status.SINGLE, "2026-02", (1.0,), 0.0, 1e-5, None, {"processor": "P"}
)
COLUMNS = (
    "created",
    "variant",
    "operation",
    "m",
    "n",
    "k",
    "parameters",
    "status",
    "times_ms",
    "relative_error",
    "allowed_error",
    "reason",
    "conditions",
)
TRANSLATORS = tuple(Translator(language) for language in LANGUAGES)


def row(number: int) -> Result:
    """A result as it is stored: some were measured, some have a reason instead."""
    reason = message("Wrong result: {what}", what=message("分块 {n}", n=number)) if number % 3 == 0 else None
    status = Status.WRONG if reason is not None else Status.MEASURED
    variant = ("cpu.naive", "cpu.blocked", "gpu.tiled")[number % 3]
    return Result(
        Case(variant, Problem.square(Operation.MATMUL, number + 1), {"tile": 8} if variant != "cpu.naive" else {}), status, "2026-01",
        () if reason is not None else (1.0, 1.5, 2.0 + number), 1e-7, 1e-5, reason, {"processor": "P", "threads": 2},
    )  # fmt: skip


def use(number: int) -> UseTimes:
    return UseTimes(row(2).point, bool(number % 2), "2026-01", {UsePart.KERNEL: (1.0, 2.0), UsePart.TO_HOST: (0.5,)}, {"gpu": "G"})


@cache
def good() -> bytes:
    """A history of many pages."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        with closing(ResultStore.open(path)) as store:
            for number in range(ROWS):
                store.append(row(number))
            for number in range(10):
                store.append_use(use(number))
        return path.read_bytes()


def everything(store: ResultStore) -> list[Result]:
    """All that the program makes of its results and uses when it starts and measures. Raises for a mistake of ours."""
    found = store.results()
    known = Results()
    for rows in store.rows("P"):
        known.add(Provenance.MEASURED, rows)
    assert known.since(0) is not None
    assert [row.whole for row in known.rows(Provenance.MEASURED)] == [row_of(row.whole).whole for row in known.rows(Provenance.MEASURED)]
    for result in found:
        assert isinstance(result.rate, float | None)
        for translator in TRANSLATORS:
            assert result.reason is None or translator.text(result.reason)
    Estimator(store.results(Operation.MATMUL))
    for each in store.uses():
        assert each.first_use_ms >= 0
    return found


def held(content: bytes, *, beside: bytes | None = None) -> str:
    """Start with this content where the history is. Returns what is said of it, where there is anything to be said."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "results.sqlite"
        path.write_bytes(content)
        if beside is not None:
            path.with_name("results.sqlite-wal").write_bytes(beside)
        with closing(ResultStore.open(path)) as store:
            before = everything(store)
            store.append(NEXT)
            assert everything(store) == [*before, NEXT]
        said = "" if store.notice is None else str(store.notice)
        aside = [each.read_bytes() for each in folder.glob("*unreadable*.sqlite")]
        if aside:
            assert aside == [content], "what was set aside is what was there, to the byte"
            assert "a new one has been started" in said
        elif path.read_bytes() == content:
            assert said, "nothing was kept, and nobody was told"
            return said
        with closing(ResultStore.open(path)) as again:
            assert NEXT in again.results(), "what was measured is kept"
        return said


def flipped(content: bytes, seed: int, flips: int) -> bytes:
    chance, broken = random.Random(seed), bytearray(content)
    for _ in range(flips):
        broken[chance.randrange(len(broken)) if chance.random() < 0.7 else chance.randrange(120)] ^= 1 << chance.randrange(8)
    return bytes(broken)


def test_what_is_good_is_kept() -> None:
    assert held(good()) == ""
    assert held(b"") == ""


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, 5, 50, 1000]))
def test_flipped_bits(seed: int, flips: int) -> None:
    held(flipped(good(), seed, flips))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 1 << 20))
@example(1)
@example(19)
@example(99)
@example(100)
@example(4096)
@example(4097)
def test_a_file_that_ends_too_soon(length: int) -> None:
    held(good()[: length % len(good())])


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda rest: good()[:100] + rest))
def test_any_bytes(content: bytes) -> None:
    held(content)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 1 << 20), st.integers(1, 3), st.booleans())
def test_pages_that_are_lost_or_of_elsewhere(seed: int, pages: int, zeros: bool) -> None:
    chance, broken = random.Random(seed), bytearray(good())
    for _ in range(pages):
        at = chance.randrange(len(broken) // 4096) * 4096
        broken[at : at + 4096] = bytes(4096) if zeros else chance.randbytes(4096)
    held(bytes(broken))


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.integers(0, 2**32), st.binary(max_size=200))
def test_a_journal_of_something_else(seed: int, journal: bytes) -> None:
    held(good(), beside=journal)
    held(flipped(good(), seed, 50), beside=journal)


def changed(statement: str, *values: object) -> bytes:
    """The good history after one statement, its triggers taken away."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        path.write_bytes(good())
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            for (trigger,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                file.execute(f"DROP TRIGGER {trigger}")
            file.execute(statement, values)
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path.read_bytes()


DEEP = "[" * 100_000
USE = (
    '{"id": "gpu.tiled", "operation": "matmul", "m": SIZE, "n": 1, "k": 1, "parameters": {}, "pinned": 1, "created": "", '
    '"times_ms": TIMES, "conditions": {}}'
)
VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=20), st.binary(max_size=20),
    st.sampled_from([
        DEEP, '{"a": ' * 5000, "9" * 5000, "[1e999]", "[-1]", "[null]", "[true]", '["1"]', "[]", "null", "{}", '{"a": []}',
        '{"tile": 0}', '{"tile": -1}', '{"tile": 99999999999999999999}', '{"tile": true}',
        '{"": 1}',
        '{"\\ud800": "\\ud800"}', "\ud7ff", "matmul", "hello", "measured", "9e999", 9e999, -1, 0, 2**62, "x" * 1_000_000,
        '{"template": "{x}", "arguments": {}}', '{"template": "{x.y[0]}", "arguments": {"x": 1}}', '{"template": "{", "arguments": {}}',
        '{"template": 1, "arguments": {}}', '{"template": "{x}", "arguments": {"x": [1]}}',
        '{"template": "{x:9}", "arguments": {"x": "é"}}',
        '{"processor": null}', '{"processor": ["P"]}', b"\xff\xfe", b"{}", "\x00", "{\"processor\": \"P\"}\x00", "NaN", "[NaN]",
    ]),
)  # fmt: skip


@settings(max_examples=3 * EXAMPLES, deadline=None)
@given(st.sampled_from(COLUMNS), VALUES, st.integers(1, ROWS))
def test_values_that_nobody_wrote(column: str, value: object, id_: int) -> None:
    try:
        content = changed(f"UPDATE results SET {column} = ? WHERE id <= {id_}", value)
    except sqlite3.IntegrityError:  # NULL where none may be
        return
    said = held(content)
    assert said == "" or "cannot be understood" in said, "one row sets no file aside"


@settings(max_examples=EXAMPLES, deadline=None)
@given(VALUES)
@example(
    '{"id": "gpu.tiled", "operation": "matmul", "m": "x", "n": 1, "k": 1, "parameters": {}, "pinned": 1, "created": "", "times_ms": {}}'
)
@example('{"id": "gpu.tiled", "operation": "matmul", "m": 1, "n": 1, "k": 1, "parameters": {}, "pinned": 1, "created": "", "times_ms": []}')
def test_uses_of_a_gpu_that_nobody_wrote(value: object) -> None:
    try:
        content = changed("UPDATE phases SET record = ? WHERE id < 5", value)
    except sqlite3.IntegrityError:
        return
    held(content)


@pytest.mark.parametrize("statement", [
    "DROP TABLE results", "DROP TABLE phases", "DROP INDEX results_by_operation", "ALTER TABLE results DROP COLUMN reason",
    "ALTER TABLE results RENAME COLUMN m TO rows", "ALTER TABLE results RENAME TO others", "ALTER TABLE phases RENAME COLUMN record TO r",
    "ALTER TABLE results ADD COLUMN more TEXT NOT NULL DEFAULT ''", "CREATE TABLE another (a, b)", "DELETE FROM results",
    "CREATE TRIGGER no BEFORE INSERT ON results BEGIN SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER gone AFTER INSERT ON results BEGIN DELETE FROM results; END",
    "PRAGMA user_version = 0", "PRAGMA user_version = 7", "PRAGMA user_version = -1", "PRAGMA application_id = 9",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA encoding = 'UTF-16'",
])  # fmt: skip
def test_tables_that_are_missing_or_others(statement: str) -> None:
    held(changed(statement))


def of_another_program(folder: Path, *statements: str) -> bytes:
    path = folder / "other.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)
    return path.read_bytes()


@pytest.mark.parametrize("statements", [
    ("CREATE TABLE bookmarks (url TEXT)", "INSERT INTO bookmarks VALUES ('x')"),
    ("CREATE TABLE bookmarks (url TEXT)", f"PRAGMA user_version = {SCHEMA_VERSION}"),
    ("CREATE TABLE results (id INTEGER PRIMARY KEY, score REAL)", f"PRAGMA user_version = {SCHEMA_VERSION}"),
    ("CREATE TABLE results (id INTEGER PRIMARY KEY, score REAL)", "PRAGMA journal_mode = WAL"),
    ("CREATE VIEW results AS SELECT 1 AS id", f"PRAGMA user_version = {SCHEMA_VERSION}"),
    ("PRAGMA user_version = 3",), ("PRAGMA application_id = 3",), ("PRAGMA page_size = 512", "CREATE TABLE t (x)"),
    ("PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (x)"), ("PRAGMA auto_vacuum = FULL", "CREATE TABLE t (x)"),
])  # fmt: skip
def test_a_database_of_another_program_is_set_aside(tmp_path: Path, statements: tuple[str, ...]) -> None:
    assert "a new one has been started" in held(of_another_program(tmp_path, *statements))


@pytest.mark.parametrize("harm", [
    lambda content: b"X" + content[1:], lambda _: b"\0" * 8192,
    lambda content: content[:18] + b"\x07\x07" + content[20:],
    lambda content: content[:44] + b"\0\0\0\x09" + content[48:], lambda content: content[:4096] * 3,
])  # fmt: skip
def test_certain_harm_is_seen_at_once(harm: Callable[[bytes], bytes]) -> None:
    assert "a new one has been started" in held(harm(good()))
