"""The counters of a launch: at a step, up to it, and in the whole launch."""

from __future__ import annotations

from app.core.counters import Counter
from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from kernels.messages import Message, message

ROWS: tuple[tuple[Message, tuple[str, ...]], ...] = (
    (message("Global requests"), ("global_load", "global_store", "global_atomic")),
    (message("Sectors, 32 B"), ("sectors",)),
    (message("Shared requests"), ("shared_load", "shared_store", "shared_atomic")),
    (message("Shared wavefronts"), ("wavefronts",)),
    (message("Without conflicts"), ("wavefronts_ideal",)),
)


def tally(index: LaunchIndex, frame: Frame) -> tuple[Counter, ...]:
    """The counters at a frame; those of what never happens in the launch are left out."""
    sums = index.record.sums
    rows = []
    for title, names in ROWS:
        columns = [sums[name] for name in names if name in sums]
        whole = sum(int(column[-1]) for column in columns)
        if whole:
            done = sum(int(column[frame.step + 1]) for column in columns)
            before = sum(int(column[frame.step]) for column in columns)
            rows.append(Counter(title, done - before, done, whole))
    return tuple(rows)
