"""What a schedule lets threads see in another order than it is done, in a sentence: a store that comes late, or an old value."""

from __future__ import annotations

import numpy as np

from kernels.base.messages import Message, message
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
    said: dict[str, str | int] = {"line": _line(trace, row), "block": _block(trace, row)}
    missed = _missed(trace, row)
    if missed is None:
        return message("Line {line} reads an old value in block {block}.", **said)
    return message(
        "Line {line} reads an old value in block {block}: what was there before line {missed} of block {other} wrote.",
        missed=_line(trace, missed), other=_block(trace, missed), **said,
    )  # fmt: skip


def _missed(trace: Trace, row: int) -> int | None:
    """The last write before a row to a place that it reads."""
    rows, site = trace.rows, trace.sites[trace.rows.site[row]]
    first = _places(trace, row)
    for each in range(row - 1, -1, -1):
        other = trace.sites[rows.site[each]]
        here = other.space is site.space and (site.space is not Space.SHARED or rows.block[each] == rows.block[row])
        if other.operation != "load" and here:
            place = _places(trace, each)
            if ((place[:, None] < first + site.bytes) & (first < place[:, None] + other.bytes)).any():
                return each
    return None


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
