"""Pairs of accesses to the same memory by two threads: that of a step with another thread's, and those of the first data race."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.print_rows import thread_number
from kernels.analysis.clusters import with_homes
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.order_paths import Link, OrderPaths
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Finding, Site, Trace

MOST_ROWS = 4096
"""Access rows beside a step that are searched for the other access."""
Access = tuple[int, int]
"""An access row, and a lane of its block."""


@dataclass(frozen=True, slots=True)
class AccessPair:
    """Pair of accesses, the earlier first: what orders them (None: nothing does), and the data race that they are."""

    first: Access
    second: Access
    way: tuple[Link, ...] | None
    finding: Finding | None


def touching(index: LaunchIndex, access: Access) -> list[Access]:
    """The accesses to the same bytes of memory, by whatever thread, among the rows near to it; in the order executed."""
    trace, (row, lane) = index.once(_joined_blocks), access
    rows, site = trace.rows, trace.sites[trace.rows.site[row]]
    begin = int(trace.bases[rows.base[row], lane]) + int(rows.offset[row])
    near = np.arange(max(row - MOST_ROWS // 2, 0), min(row + MOST_ROWS // 2, len(rows.site)))
    same = np.array([each.space is site.space for each in trace.sites], np.bool_)[rows.site[near]]
    if site.space is Space.SHARED and trace is index.trace:
        same &= rows.block[near] == rows.block[row]
    least, most = index.once(_reaches)
    bytes_ = np.array([each.bytes for each in trace.sites], np.int64)
    offset, base = rows.offset[near], rows.base[near]
    near = near[same & (least[base] + offset < begin + site.bytes) & (most[base] + offset + bytes_.max() > begin)]
    size = bytes_[rows.site[near]][:, None]
    address = trace.bases[rows.base[near]] + rows.offset[near][:, None]
    hit: Bools = trace.masks[rows.mask[near]] & (address < begin + site.bytes) & (address + size > begin)
    found, lanes = np.nonzero(hit)
    return list(zip(near[found].tolist(), lanes.tolist(), strict=True))


def _joined_blocks(index: LaunchIndex) -> Trace:
    """The trace; where blocks of a cluster reach each other's shared memory, with addresses that say whose it is."""
    return with_homes(index.trace)


def _reaches(index: LaunchIndex) -> tuple[Ints, Ints]:
    """The least and the greatest address of each base."""
    bases = index.once(_joined_blocks).bases
    return bases.min(axis=1), bases.max(axis=1)


def pair_of(index: LaunchIndex, paths: OrderPaths, here: Access, other: Access | None) -> AccessPair | None:
    """The pair of an access with `other`, if that touches the same, else with one that it races with, else with the last before it, or the
    next; None where no other thread's access is in conflict with it."""
    site, thread = site_of(index, here), paths.thread(*here)
    others = [each for each in touching(index, here) if paths.thread(*each) != thread and _conflict(site, site_of(index, each))]
    if not others:
        return None
    if other is not None and other in others:
        return _joined(index, paths, here, other)
    before = [each for each in others if each[0] < here[0]]
    return _joined(index, paths, here, _raced_by(index, paths, here, others) or (before[-1] if before else others[0]))


def _joined(index: LaunchIndex, paths: OrderPaths, one: Access, other: Access) -> AccessPair:
    first, second = sorted((one, other))
    shown = next((each for each in index.record.findings if each.kind is FindingKind.DATA_RACE and each.row in (first[0], second[0])), None)
    race = _race(index, first, second)
    way = None if race is not None and race is shown else paths.path(first, second)
    return AccessPair(first, second, way, race if way is None else None)


def _race(index: LaunchIndex, first: Access, second: Access) -> Finding | None:
    """The data race between the lines of two accesses."""
    lines = {site_of(index, each).location.line for each in (first, second)}
    races = (each for each in index.record.findings if each.kind is FindingKind.DATA_RACE and each.other is not None)
    return next((each for each in races if each.other and {each.location.line, each.other.line} == lines), None)


def _conflict(site: Site, other: Site) -> bool:
    return "store" in (site.operation, other.operation) or {site.operation, other.operation} == {"load", "atomic"}


def _raced_by(index: LaunchIndex, paths: OrderPaths, here: Access, others: Sequence[Access]) -> Access | None:
    """The nearest access that races with one."""
    for each in sorted(others, key=lambda access: abs(access[0] - here[0])):
        first, second = sorted((here, each))
        if _race(index, first, second) is not None and paths.path(first, second) is None:
            return each
    return None


def raced_pair(index: LaunchIndex, paths: OrderPaths) -> AccessPair | None:
    """The two accesses of the launch's first data race."""
    for finding in index.record.findings:
        if finding.kind is FindingKind.DATA_RACE and finding.other is not None and finding.row >= 0:
            here = finding.row, thread_number(index.trace.block, finding.threads[0])
            theirs = [each for each in touching(index, here) if paths.thread(*each) != paths.thread(*here)]
            theirs = [each for each in theirs if site_of(index, each).location.line == finding.other.line]
            if theirs:
                first, second = sorted((here, min(theirs, key=lambda each: abs(each[0] - here[0]))))
                return AccessPair(first, second, None, finding)
    return None


def site_of(index: LaunchIndex, access: Access) -> Site:
    """Where in the text an access is."""
    return index.trace.sites[int(index.trace.rows.site[access[0]])]
