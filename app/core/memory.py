"""Memory goes back to the system when it is freed, so that a window that is open for days is not larger than what it shows."""

from __future__ import annotations

import ctypes
import sys

LARGE_BYTES = 256 << 10
"""From this size on a block of memory is one of its own."""
_M_MMAP_THRESHOLD = -3


def give_back_large_blocks() -> None:
    """Have the C library return each large block at once when it is freed; does nothing where that is not glibc.

    By default glibc takes the first large block that is freed as a sign that there will be more like it, and keeps such blocks in its
    heaps, where smaller ones come to lie between them. Traces come and go by the megabyte, mostly in threads with a heap each: after
    3,000 changes it held 160 MiB that nobody used.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
