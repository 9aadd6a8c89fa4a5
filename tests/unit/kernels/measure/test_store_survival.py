"""The history survives two writers at once and the end of the program at any moment."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure import store_file
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore

MOMENT_S = 0.5
"""In which a history is made where nothing is in the way."""
ROOT = Path(__file__).parents[4]
WRITER = """
import sys
from pathlib import Path
from kernels.catalogue.case import Case
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore
from kernels.base.spec import Operation, Problem
store = ResultStore.open(Path(sys.argv[1]))
assert store.notice is None, store.notice
for number in range(1, 100_000):
    store.append(Result(Case(sys.argv[2], Problem.square(Operation.MATMUL, number), {}), Status.SINGLE, "2026", (1.0,)))
    print(number, flush=True)
"""


def writer(path: Path, variant: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), variant], stdout=subprocess.PIPE, text=True, cwd=ROOT)


def sizes(store: ResultStore, variant: str) -> list[int]:
    return [result.point.problem.n for result in store.results() if result.point.variant_id == variant]


def announced(process: subprocess.Popen[str]) -> int:
    """The last number that a killed writer managed to report."""
    assert process.stdout is not None
    lines = process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()
    return max((int(line) for line in lines if line.endswith("\n")), default=0)


@pytest.mark.parametrize("milliseconds", [3, 11, 29, 71])
def test_killed_at_any_moment_every_reported_row_is_there(tmp_path: Path, milliseconds: int) -> None:
    path = tmp_path / "history.sqlite"
    process = writer(path, "cpu.naive")
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    time.sleep(milliseconds / 1000)
    process.kill()
    last = announced(process)
    store = ResultStore.open(path)
    assert store.notice is None
    kept = sizes(store, "cpu.naive")
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= max(last, 1)
    store.append(Result(Case("cpu.naive", Problem.square(Operation.MATMUL, 7), {}), Status.SINGLE, "2026", (1.0,)))
    store.close()


def test_another_program_and_two_threads_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    process = writer(path, "cpu.numpy")
    assert process.stdout is not None
    store = ResultStore.open(path)

    def append(variant: str) -> None:
        for number in range(1, 41):
            store.append(Result(Case(variant, Problem.square(Operation.MATMUL, number), {}), Status.SINGLE, "2026", (1.0,)))

    threads = [threading.Thread(target=append, args=(variant,)) for variant in ("cpu.naive", "cpu.blocked")]
    for thread in threads:
        thread.start()
    for _ in range(40):
        assert process.stdout.readline()
    for thread in threads:
        thread.join()
    process.kill()
    last = max(40, announced(process))
    assert store.notice is None
    assert sizes(store, "cpu.naive") == sizes(store, "cpu.blocked") == list(range(1, 41))
    assert sizes(store, "cpu.numpy")[:last] == list(range(1, last + 1))
    store.close()


def test_a_writer_waits_while_another_program_is_writing(tmp_path: Path) -> None:
    store = ResultStore.open(tmp_path / "history.sqlite")
    other = sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    row = Result(Case("cpu.naive", Problem.square(Operation.MATMUL, 7), {}), Status.SINGLE, "2026", (1.0,))
    thread = threading.Thread(target=store.append, args=(row,))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    other.execute("COMMIT")
    thread.join()
    other.close()
    assert store.notice is None
    assert store.results() == [row]
    store.close()


def test_a_history_that_several_open_at_once_is_created_once(tmp_path: Path) -> None:
    together = threading.Barrier(6)
    stores: list[ResultStore] = []

    def open_it(path: Path) -> None:
        together.wait()
        stores.append(ResultStore.open(path))

    for trial in range(10):
        threads = [threading.Thread(target=open_it, args=(tmp_path / f"{trial}.sqlite",)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    notices = [store.notice for store in stores]
    for store in stores:
        store.close()
    assert notices == [None] * 60


def test_tables_that_are_made_while_they_are_looked_at_are_not_taken_for_anothers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.sqlite"
    path.touch()
    maker = threading.Thread(target=lambda: ResultStore.open(path).close())
    opened = store_file._opened

    def watched(name: str, patience_s: float = store_file.BUSY_SECONDS, *, uri: bool = False) -> sqlite3.Connection:
        connection = opened(name, patience_s, uri=uri)
        if uri:
            monkeypatch.setattr(store_file, "_opened", opened)
            connection.set_trace_callback(between)
        return connection

    def between(statement: str) -> None:
        if "application_id" in statement:
            maker.start()
            maker.join(MOMENT_S)

    monkeypatch.setattr(store_file, "_opened", watched)
    store = ResultStore.open(path)
    maker.join()
    assert store.notice is None
    store.close()
