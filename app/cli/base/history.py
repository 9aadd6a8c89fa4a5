"""The user's history of measurements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.cli.base.console import Console
from kernels.base.machine_conditions import processor_name
from kernels.measure.results import Result
from kernels.measure.store import ResultStore


@contextmanager
def history(console: Console) -> Iterator[ResultStore]:
    """The store, opened for one command. What became of its file is told at the end."""
    store = ResultStore.open(console.places.store)
    try:
        yield store
    finally:
        store.close()
        if store.notice is not None:
            console.tell(console.text(store.notice))


def measured_here(console: Console) -> list[Result]:
    """The last result of each point that was measured on this machine."""
    with history(console) as store:
        return store.latest(processor=processor_name())
