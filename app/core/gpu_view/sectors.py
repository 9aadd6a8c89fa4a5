"""Global memory access of a step: its 128-byte lines, their 32-byte sectors, and which lanes want which of their bytes.

Lanes whose access a GPU would not serve, or would serve with what belongs to somebody else, are found as faulty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.core.base.picture_parts import STEPS, Table, Verdict
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import NOWHERE, Lanes, LaunchIndex, other_half
from kernels.analysis.coalescing import LINE_BYTES, SECTOR_BYTES
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Location, Space
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Site


class FaultyLanes(NamedTuple):
    """Lanes whose access goes wrong. `outside`: not all bytes lie in one array. `misaligned`: they begin where such a value cannot."""

    outside: Bools
    misaligned: Bools

    @property
    def any_of(self) -> Bools:
        both: Bools = self.outside | self.misaligned
        return both


def faulty_lanes(index: LaunchIndex, lanes: Lanes, site: Site) -> FaultyLanes:
    """Lanes are misaligned only at places of which the launch's findings say so."""
    ends = np.array([each.address + each.bytes for each in index.trace.allocations] + [0])  # the last is that of NOWHERE
    outside = lanes.active & ((lanes.allocation == NOWHERE) | (lanes.address + site.bytes > ends[lanes.allocation]))
    found = site.location in index.once(_misaligned_places)
    return FaultyLanes(outside, lanes.active & ~outside & (lanes.address % site.bytes != 0) & found)


def _misaligned_places(index: LaunchIndex) -> frozenset[Location]:
    return frozenset(each.location for each in index.record.findings if each.kind is FindingKind.MISALIGNED_ACCESS)


SECTORS_OF_LINE = LINE_BYTES // SECTOR_BYTES


@dataclass(frozen=True, slots=True)
class Sector:
    """Sector: 32 bytes that move together. `number` is the address divided by 32; `used` are ranges of its bytes that lanes ask for."""

    number: int
    lanes: tuple[int, ...]
    used: tuple[tuple[int, int], ...]
    faulty: tuple[tuple[int, int], ...]
    """Those of the ranges that are asked for by lanes that leave the array, or that are misaligned."""


@dataclass(frozen=True, slots=True)
class CacheLine:
    """Line of 128 bytes. `offset` is that of its first byte in its array, `row` the matrix row in which the lanes' elements lie (None:
    several, or no matrix). `sectors` has an entry for each of the four, None for one that does not move."""

    allocation: int
    offset: int
    row: int | None
    sectors: tuple[Sector | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AccessedSectors:
    """Global memory access of a step.

    `step` is the shown one, or where that does not access global memory the last one that did: then `past`.
    """

    step: int
    past: bool
    site: Site
    lanes: Lanes
    faults: FaultyLanes
    lines: tuple[CacheLine, ...]
    sectors: int
    ideal: int
    bytes_used: int

    @property
    def bytes_moved(self) -> int:
        return self.sectors * SECTOR_BYTES


def accessed_sectors(index: LaunchIndex, frame: Frame) -> AccessedSectors | None:
    """The access to global memory at a frame, or the last before it; None where there is none yet."""
    if frame.site.space is Space.GLOBAL:
        return _access(index, frame.step, past=False)
    steps = index.steps_in(Space.GLOBAL)
    place = int(np.searchsorted(steps, frame.step)) - 1
    return _access(index, int(steps[place]), past=True) if place >= 0 else None


def verdict(access: AccessedSectors | None) -> Verdict | None:
    """Whether the lanes' bytes lie side by side, or what is wrong with them."""
    if access is None or access.past or not access.sectors:
        return None
    outside, misaligned = (int(lanes.sum()) for lanes in access.faults)
    if outside:
        return Verdict(message("Lanes out of bounds: {count}", count=outside), STEPS[-1])
    if misaligned:
        return Verdict(message("Lanes misaligned: {count}", count=misaligned), STEPS[-1])
    if access.sectors <= access.ideal:
        return Verdict(message("sectors {sectors}/{ideal}", sectors=access.sectors, ideal=access.ideal), 1)
    return Verdict(
        message("{sectors} sectors, {ideal} would do", sectors=access.sectors, ideal=access.ideal), access.sectors / max(access.ideal, 1),
        message("sectors {sectors}/{ideal}", sectors=access.sectors, ideal=access.ideal),
    )  # fmt: skip


def past_sentence(index: LaunchIndex, frame: Frame, access: AccessedSectors) -> Message:
    """What a step has to do with the last access to global memory: it stores what that has read, or nothing."""
    letters, site = index.record.letters, frame.site
    read = {letters[line.allocation] for line in access.lines if line.allocation >= 0} - {""}
    mine = access.site.operation == "load" and int(index.record.order.warp[access.step]) == frame.warp
    stored = site.space is Space.SHARED and site.operation == "store" and site.allocation != NOWHERE and letters[site.allocation] in read
    if mine and stored:
        return message("This step puts what this access has read into shared memory.")
    if site.space is Space.SHARED and site.operation == "load" and other_half(index, site, Space.GLOBAL):
        return message("This step does not touch global memory: what it reads is written there in a step of its own.")
    return message("This step does not touch global memory.")


def sentence(access: AccessedSectors) -> Message:
    """What of the moved bytes is used; of lanes that are at fault, which they are."""
    outside, misaligned = (lane_ranges(tuple(np.flatnonzero(lanes).tolist())) for lanes in access.faults)
    if outside:
        return message("Lanes {lanes}: out of bounds of the array.", lanes=outside)
    if misaligned:
        return message("Lanes {lanes}: misaligned, at no multiple of {bytes} bytes.", lanes=misaligned, bytes=access.site.bytes)
    if access.bytes_used == access.bytes_moved:
        return message("{used} of {moved} bytes used. Nothing is wasted.", used=access.bytes_used, moved=access.bytes_moved)
    if access.sectors <= access.ideal:
        return message(
            "{used} of {moved} bytes used. Fewer cannot move: a sector has {sector} bytes.",
            used=access.bytes_used, moved=access.bytes_moved, sector=SECTOR_BYTES,
        )  # fmt: skip
    wasted = round(100 * (1 - access.bytes_used / max(access.bytes_moved, 1)))
    return message(
        "{used} of {moved} bytes used: {wasted} % of what moves is wasted.", used=access.bytes_used, moved=access.bytes_moved, wasted=wasted
    )


def lane_ranges(lanes: tuple[int, ...]) -> str:
    """Ascending lanes as ranges: 0–7, 16, 18."""
    runs: list[list[int]] = []
    for lane in lanes:
        if runs and runs[-1][-1] == lane - 1:
            runs[-1].append(lane)
        else:
            runs.append([lane])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def line_name(index: LaunchIndex, line: CacheLine) -> str:
    """Where a line begins: the array and the bytes from its start."""
    return line_names(index, line)[0]


def line_names(index: LaunchIndex, line: CacheLine) -> tuple[str, str]:
    """Return the name of a line, and a name of its last digits alone, by which lines near each other differ."""
    name = index.trace.allocations[line.allocation].name if line.allocation >= 0 else "?"
    return f"{name} + {line.offset}", f"{name} + …{line.offset % 10**5:05}"


def table(index: LaunchIndex, frame: Frame) -> Table:
    """Lane by lane: which element of which array, and where that lies: bytes, sectors and lines counted from the array's first."""
    titles = (
        message("Lane"), message("Thread"), message("Element"), message("Offset in bytes"), message("Sector"), message("128-byte line"),
    )  # fmt: skip
    access = accessed_sectors(index, frame)
    if access is None:
        return Table(titles, ())
    first = int(index.record.order.warp[access.step]) * len(access.lanes.active)
    lanes, active = access.lanes, np.flatnonzero(access.lanes.active).tolist()
    places = (_place(index, int(lanes.address[lane]), int(lanes.allocation[lane])) for lane in active)
    return Table(titles, tuple((str(lane), str(first + lane), *place) for lane, place in zip(active, places, strict=True)))


def _place(index: LaunchIndex, address: int, allocation: int) -> tuple[str, str, str, str]:
    """Element, bytes from the start of its array, sector and line; in no array the address alone is known."""
    if allocation < 0:
        return "?", str(address), "?", "?"
    array, role = index.trace.allocations[allocation], index.roles.get(allocation)
    offset = address - array.address
    element = offset // array.element_bytes
    name = f"[{element}]" if role is None or not role.columns else f"[{element // role.columns}][{element % role.columns}]"
    sector, line = (address // size - array.address // size for size in (SECTOR_BYTES, LINE_BYTES))
    return f"{array.name}{name}", f"{array.name} + {offset}", str(sector), str(line)


def _access(index: LaunchIndex, step: int, *, past: bool) -> AccessedSectors:
    row, warp = index.place(step)
    costs = index.record.costs
    case = costs.case[row]
    lanes, site = index.lanes(step), index.site(step)
    faults = faulty_lanes(index, lanes, site)
    return AccessedSectors(
        step, past, site, lanes, faults, _lines(index, lanes, faults.any_of, site.bytes),
        int(costs.sectors[case, warp]), int(costs.sectors_ideal[case, warp]), int(costs.bytes_used[case, warp]),
    )  # fmt: skip


def _lines(index: LaunchIndex, lanes: Lanes, faulty: Bools, size: int) -> tuple[CacheLine, ...]:
    """Find the lines of an access by one look at each lane: the sectors that its bytes lie in."""
    wanted: dict[int, tuple[list[int], set[tuple[int, int]], set[tuple[int, int]]]] = {}
    address = lanes.address.tolist()
    for lane in np.flatnonzero(lanes.active).tolist():
        first = address[lane]
        for number in range(first // SECTOR_BYTES, (first + size - 1) // SECTOR_BYTES + 1):
            who, used, wrong = wanted.setdefault(number, ([], set(), set()))
            who.append(lane)
            part = max(first - number * SECTOR_BYTES, 0), min(first + size - number * SECTOR_BYTES, SECTOR_BYTES)
            used.add(part)
            if faulty[lane]:
                wrong.add(part)
    found = {number: Sector(number, tuple(who), tuple(sorted(used)), tuple(sorted(wrong))) for number, (who, used, wrong) in wanted.items()}
    return tuple(_line(index, lanes, found, number) for number in sorted({sector // SECTORS_OF_LINE for sector in found}))


def _line(index: LaunchIndex, lanes: Lanes, found: dict[int, Sector], number: int) -> CacheLine:
    sectors = tuple(found.get(number * SECTORS_OF_LINE + place) for place in range(SECTORS_OF_LINE))
    own = np.array([lane for sector in sectors if sector is not None for lane in sector.lanes])
    allocation = int(lanes.allocation[own].max())
    begin = index.trace.allocations[allocation].address if allocation >= 0 else 0
    return CacheLine(allocation, number * LINE_BYTES - begin, _row(index, lanes, own, allocation), sectors)


def _row(index: LaunchIndex, lanes: Lanes, own: Ints, allocation: int) -> int | None:
    role = index.roles.get(allocation)
    if role is None or not role.columns:
        return None
    rows = np.unique(lanes.element[own] // role.columns)
    return int(rows[0]) if len(rows) == 1 else None
