"""What a schedule lets threads see in another order than it is done, in a sentence and lane by lane: stores that come late, old values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kernels.analysis.clusters import with_homes
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Trace, Unordered


def seen_words(trace: Trace) -> Message | None:
    """Say of the first store that is seen late, else of the first old value, what happens; None where all is seen where it is done."""
    found = trace.unordered
    if found is None:
        return None
    return _late(trace, found) if len(found.row) else _old(trace, found)


def _late(trace: Trace, found: Unordered) -> Message:
    row, made = int(found.row[0]), int(found.made[0])
    said: dict[str, str | int] = {"line": _line(trace, row), "block": _block(trace, row)}
    between = np.arange(made, row)
    own = (trace.rows.block[between] == trace.rows.block[row]) & _share(trace, between, row)
    flags = [each for each in between[own].tolist() if _tells(trace, each)]
    if flags:
        return message(
            "What block {block} stores in line {line} is seen by others only after its line {flag}, which comes later.",
            flag=_line(trace, flags[0]), **said,
        )  # fmt: skip
    if len(between):
        return message(
            "What block {block} stores in line {line} is seen by others only {count} accesses later.", count=len(between), **said
        )
    return message("What block {block} stores in line {line} is seen by others late.", **said)


def _old(trace: Trace, found: Unordered) -> Message:
    row = int(found.read.row[0])
    lanes = np.flatnonzero(trace.masks[trace.rows.mask[row]])
    missed = int(found.missed[: len(lanes)].max())
    return message(
        "Line {line} reads an old value in block {block}: what was there before line {missed} of block {other} wrote.",
        line=_line(trace, row), block=_block(trace, row), missed=_line(trace, missed), other=_block(trace, missed),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unseen:
    """Lane of a row that reads what was there before the write in another row, which it does not see. `late`: that comes only later."""

    lane: int
    write: int
    late: bool


def unseen_writes(trace: Trace) -> Mapping[int, tuple[Unseen, ...]]:
    """For each row that reads an old value, or reads where another thread has stored what is seen only later: its lanes that do."""
    found: dict[int, list[Unseen]] = {}
    if trace.unordered is None:
        return {}
    joined, missed = with_homes(trace), iter(trace.unordered.missed.tolist())
    for row in trace.unordered.read.row.tolist():
        lanes = np.flatnonzero(trace.masks[trace.rows.mask[row]]).tolist()
        found[row] = [Unseen(lane, write, late=False) for lane, write in zip(lanes, missed, strict=False) if write >= 0]
    for store, made in zip(trace.unordered.row.tolist(), trace.unordered.made.tolist(), strict=True):
        for row in range(made, store):
            found.setdefault(row, []).extend(Unseen(lane, store, late=True) for lane in _meeting(joined, row, store, own=joined is trace))
    return {row: tuple(lanes) for row, lanes in found.items() if lanes}


def _meeting(trace: Trace, row: int, store: int, *, own: bool) -> list[int]:
    """The lanes of a row that read where other threads store in a later row. `own`: shared memory is reached by its own block alone."""
    rows, site, other = trace.rows, trace.sites[trace.rows.site[row]], trace.sites[trace.rows.site[store]]
    alike = rows.block[row] == rows.block[store]
    if site.operation == "store" or site.space is not other.space or (site.space is Space.SHARED and own and not alike):
        return []
    lanes, begin, end = np.flatnonzero(trace.masks[rows.mask[row]]), _places(trace, row), _places(trace, store)
    apart = ~alike | (lanes[:, None] != np.flatnonzero(trace.masks[rows.mask[store]]))
    meeting = (begin[:, None] < end + other.bytes) & (end < begin[:, None] + site.bytes) & apart
    found: list[int] = lanes[meeting.any(axis=1)].tolist()
    return found


def _places(trace: Trace, row: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    lanes = trace.masks[trace.rows.mask[row]]
    return np.asarray(trace.bases[trace.rows.base[row], lanes] + trace.rows.offset[row])


def _share(trace: Trace, rows: np.ndarray[tuple[int], np.dtype[np.int64]], row: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows have a thread in common with one."""
    return np.asarray(trace.masks[trace.rows.mask[rows]][:, trace.masks[trace.rows.mask[row]]].any(axis=1))


def _tells(trace: Trace, row: int) -> bool:
    """Whether others can learn by it that its thread has come so far."""
    site = trace.sites[trace.rows.site[row]]
    return bool(site.operation == "atomic" or (site.volatile and site.operation == "store"))


def _line(trace: Trace, row: int) -> int:
    return int(trace.sites[trace.rows.site[row]].location.line)


def _block(trace: Trace, row: int) -> str:
    return str(trace.blocks[trace.rows.block[row]])
