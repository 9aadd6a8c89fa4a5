"""Waiting in a test for what another thread or process must bring."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 120.0
"""On a machine however busy, only what never comes takes so long."""


def until(holds: Callable[[], object], meanwhile: Callable[[], object] = lambda: None) -> None:
    """Wait until something holds; `meanwhile` is called again and again."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "not in time"
        meanwhile()
        time.sleep(0.005)
