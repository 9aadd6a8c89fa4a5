"""Shared memory of all blocks of a launch as one, in which blocks of a cluster reach each other's: who races there, and who reaches a block
that need not have begun, or may have ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from kernels.analysis.accesses import Accesses, Region, Spread, contested
from kernels.analysis.clusters import ClusterOrder, with_homes
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.orders import Orders
from kernels.base.messages import Message, message
from kernels.simt.base.launch import index_in
from kernels.simt.base.types import Space
from kernels.simt.base.windows import RANK_SHIFT
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import Finding, Trace

_STOPPED = (FindingKind.BUDGET_EXCEEDED, FindingKind.DEADLOCK)
_LOOKED_AT = 64


class ClusterMemory:
    """The accesses to shared memory of a trace whose addresses say whose it is (`clusters.with_homes`)."""

    def __init__(self, trace: Trace) -> None:
        shared = [site.space is Space.SHARED and not site.operand for site in trace.sites]
        rows = np.flatnonzero(np.array(shared, np.bool_)[trace.rows.site])
        piece = min(trace.sites[site].bytes for site in np.unique(trace.rows.site[rows]).tolist())
        self._trace = trace
        self.region = Region(Space.SHARED, 0, (len(trace.blocks) + 1) << RANK_SHIFT, piece)
        self._parts = list(Spread(trace, self.region, rows))

    def contested(self) -> Accesses | None:
        """The accesses to pieces that are reached from elsewhere, too, among which races can be."""
        reached = np.unique(self._elsewhere.piece)
        return contested(self._trace, self.region, [each.only(np.isin(each.piece, reached)) for each in self._parts])

    def at_home(self, accesses: Accesses) -> Bools:
        """Which accesses are to the shared memory of their own block."""
        return np.asarray(self._home(accesses) == self._trace.rows.block[accesses.row])

    def not_there(self, orders: Orders) -> Iterator[Finding]:
        """The accesses to a block that need not have begun, and those to one that may have ended. Of each thread and block reached the
        first and the last are looked at."""
        if any(each.kind in _STOPPED for each in self._trace.findings):
            return
        far, trace, lanes = self._elsewhere, self._trace, self._trace.masks.shape[1]
        pair = (trace.rows.block[far.row].astype(np.int64) * lanes + far.lane) * len(trace.blocks) + self._home(far)
        for backwards in (False, True):
            order = np.lexsort((-far.row if backwards else far.row, pair))
            chosen = order[np.r_[True, pair[order][1:] != pair[order][:-1]]] if len(order) else order
            wrong = self._alone(orders, Accesses(far.piece[chosen], far.row[chosen], far.lane[chosen]), ended=backwards)
            for site in np.unique(trace.rows.site[wrong.row]).tolist():
                yield self._finding(wrong.only(trace.rows.site[wrong.row] == site), ended=backwards)

    def _alone(self, orders: Orders, far: Accesses, *, ended: bool) -> Accesses:
        """Those of some accesses that are ordered with nothing of the block reached: before its end, or behind its beginning. Very many
        that are ordered with nothing of its first thread are not looked at all."""
        cluster, home = ClusterOrder(self._trace), self._home(far)
        met = cluster.outlived(far, home) if ended else cluster.begun(far)
        far = far.only(~met & np.isin(home, self._trace.rows.block))
        far = far.only(~self._with(orders, far, np.zeros(1, np.int64), ended=ended))
        far = far.only(np.arange(len(far.row)) < _LOOKED_AT)
        return far.only(~self._with(orders, far, np.arange(self._trace.masks.shape[1]), ended=ended))

    def _with(self, orders: Orders, far: Accesses, lanes: Ints, *, ended: bool) -> Bools:
        """Whether each of some accesses is ordered with the last (or first) row of the block reached, as one of these lanes has it."""
        count, block = len(far.row), self._trace.rows.block
        order = np.argsort(block, kind="stable")
        at = np.searchsorted(block[order], self._home(far), side="right" if ended else "left") - ended
        row = np.concatenate([far.row, np.repeat(order[at], len(lanes))])
        piece = np.concatenate([far.piece, np.repeat(far.piece, len(lanes))])
        lane = np.concatenate([far.lane, np.tile(lanes, count)])
        order = np.argsort(row, kind="stable")
        both = Accesses(piece[order], row[order], lane[order])
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        mine, theirs = np.repeat(place[:count], len(lanes)), place[count:]
        known = orders.of(self.region, both)
        found = np.zeros(len(mine), np.bool_) if known is None else known(mine, theirs)
        return np.asarray((found & ((mine < theirs) == ended)).reshape(count, len(lanes)).any(axis=1))

    def _finding(self, accesses: Accesses, *, ended: bool) -> Finding:
        trace, first = self._trace, int(np.argmin(accesses.row))
        row, lane = int(accesses.row[first]), int(accesses.lane[first])
        site, block = trace.sites[trace.rows.site[row]], trace.blocks[trace.rows.block[row]]
        text = _ended(site.text) if ended else _not_begun(site.text)
        return Finding(
            FindingKind.OUT_OF_BOUNDS, site.location, block, (index_in(trace.block, lane),), text, row=row, count=len(accesses.row)
        )

    def _home(self, accesses: Accesses) -> Ints:
        return np.asarray((accesses.piece * self.region.piece >> RANK_SHIFT) - 1)

    @cached_property
    def _elsewhere(self) -> Accesses:
        parts = [each.only(~self.at_home(each)) for each in self._parts]
        return Accesses(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("piece", "row", "lane")))


def blocks_not_there(trace: Trace) -> tuple[Finding, ...]:
    """The accesses of a launch to blocks of a cluster that need not have begun, or may have ended."""
    joined = with_homes(trace)
    return tuple(ClusterMemory(joined).not_there(Orders(joined))) if joined is not trace else ()


def _not_begun(place: str) -> Message:
    return message(
        "{place} is in another block of the cluster, which need not have begun yet: nothing stands before that all blocks wait for, as"
        " cluster.sync() is.",
        place=place,
    )


def _ended(place: str) -> Message:
    return message(
        "{place} is in another block of the cluster, which may have ended by then: nothing stands behind that this block waits for, as"
        " cluster.sync() is.",
        place=place,
    )
