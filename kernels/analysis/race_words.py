"""Conflicts in words: what happened to which element, and why nothing orders it."""

from __future__ import annotations

from kernels.analysis.accesses import Region
from kernels.analysis.conflicts import Conflict
from kernels.messages import Message, message
from kernels.simt.trace import Finding, Trace

Index = tuple[int, int, int]


def as_finding(trace: Trace, region: Region, conflict: Conflict) -> Finding:
    """The conflict as a finding, at the later of its two accesses."""
    rows, sites = trace.rows, trace.sites
    site, other = sites[rows.site[conflict.row]], sites[rows.site[conflict.other_row]]
    block, other_block = trace.blocks[rows.block[conflict.row]], trace.blocks[rows.block[conflict.other_row]]
    text = message(
        "{what} {why}",
        what=_what(site.operation, other.operation, element(trace, region, conflict.piece), equal=conflict.equal), why=_why(conflict.scope),
    )  # fmt: skip
    return Finding(
        "equal-stores" if conflict.equal else "data-race",
        site.location,
        block,
        (thread_index(trace, conflict.lane), thread_index(trace, conflict.other_lane)),
        text,
        other.location,
        other_block if other_block != block else None,
        conflict.row,
        conflict.count,
    )


def element(trace: Trace, region: Region, piece: int) -> str:
    """The element that a piece of a region belongs to, as in "As[3][5]"."""
    address = region.address + piece * region.piece
    for array in trace.allocations:
        if array.space is region.space and array.address <= address < array.address + array.bytes:
            index = (address - array.address) // max(array.element_bytes, 1)
            places: list[str] = []
            for extent in reversed(array.shape):
                index, place = divmod(index, max(extent, 1))
                places.insert(0, f"[{place}]")
            return array.name + "".join(places)
    return hex(address)


def thread_index(trace: Trace, lane: int) -> Index:
    """threadIdx of a lane of a block."""
    x, y, _ = trace.block
    return lane % x, lane // x % y, lane // (x * y)


def _what(operation: str, other: str, place: str, *, equal: bool) -> Message:
    if equal:
        return message("Two threads store the same value to {place}.", place=place)
    if "atomic" in (operation, other):
        return message("One thread updates {place} with an atomic, another accesses it without.", place=place)
    if operation == other:
        return message("Two threads store different values to {place}.", place=place)
    return message("One thread writes {place}, another reads it.", place=place)


def _why(scope: str) -> Message:
    if scope == "grid":
        return message("They are in different blocks, and nothing orders blocks.")
    if scope == "warp":
        return message("Threads of one warp need not run in step: no __syncwarp() stands between.")
    return message("No __syncthreads() stands between.")
