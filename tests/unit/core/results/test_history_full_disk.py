"""The window, while the history's file cannot be written: it says so once, tries again beside the interface, and says when it went well."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.core.base.files.locations import Locations
from app.core.session.session import Session
from app.core.workbench.assembly import Assembly, assemble
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.results import Result, Status
from kernels.measure.store import RETRY_S, ResultStore

PATIENCE_S = 30.0


@pytest.fixture
def assembly(tmp_path: Path) -> Iterator[Assembly]:
    """On a disk that has no room for the history's next results."""
    made = assemble(Session(), Locations(tmp_path / "data", tmp_path / "settings", tmp_path / "cache"))
    made.store._connection.execute("PRAGMA max_page_count = 1")
    yield made
    made.workbench.shutdown(2.0)


def numbered(number: int) -> Result:
    return Result(Case("cpu.naive", Problem.square(Operation.MATMUL, number), {}), Status.SINGLE, "2026", (1.0,), 0.0, 1e-5)


def test_what_was_measured_on_a_full_disk_is_kept_once_there_is_room(
    assembly: Assembly, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, store = assembly.workbench, assembly.store
    told: list[str] = []
    bench.activity.subscribe(lambda said: told.append(str(said)))
    rows = [numbered(number) for number in range(1, 100)]
    for row in rows:
        store.append(row)
        bench.tick()
    assert len(told) == 1
    assert "can no longer be written (database or disk is full)" in told[0]

    asking = threading.get_ident()
    tried: list[int] = []
    write = store.write_waiting

    def write_waiting() -> None:
        tried.append(threading.get_ident())
        write()

    monkeypatch.setattr(store, "write_waiting", write_waiting)
    monkeypatch.setattr(store, "_clock", lambda: time.monotonic() + RETRY_S)
    end = time.monotonic() + PATIENCE_S
    while len(told) < 2 and time.monotonic() < end:
        bench.tick()
    assert len(told) == 2
    assert "can be written again" in told[1]
    assert len(tried) == 1
    assert tried != [asking]
    with closing(ResultStore.open(tmp_path / "data" / "results.sqlite")) as other:
        assert other.results() == rows
