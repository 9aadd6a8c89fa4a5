"""The user's history of measurements, opened for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.cli.console import Console
from kernels.measure.store import ResultStore


@contextmanager
def history(console: Console) -> Iterator[ResultStore]:
    """The store. What became of its file is told at the end."""
    store = ResultStore.open(console.places.store)
    try:
        yield store
    finally:
        store.close()
        if store.notice is not None:
            console.tell(console.text(store.notice))
