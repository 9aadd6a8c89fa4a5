"""Blocks of a cluster: whose shared memory an address means, and what the cluster's barrier orders."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from kernels.analysis.accesses import Accesses
from kernels.analysis.clocks import NEVER
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import LANES_AT_ONCE
from kernels.analysis.race_pairs import Ordered
from kernels.base.values import dataclass
from kernels.simt.base.instructions import BARRIER_INIT
from kernels.simt.base.types import MemoryOrder, Scope, Space, ThreadScope
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT
from kernels.simt.trace.events import Happening
from kernels.simt.trace.trace import Trace

_NOWHERE = -2


class Homes:
    """Whose shared memory the blocks of a launch reach: by the rank above an address, counted from 1; without, their own."""

    def __init__(self, trace: Trace) -> None:
        x, y, _ = trace.cluster
        keys = [tuple(each // size for each, size in zip(place, trace.cluster, strict=True)) for place in trace.blocks]
        parts = [[each % size for each, size in zip(place, trace.cluster, strict=True)] for place in trace.blocks]
        ranks = [part[0] + x * (part[1] + y * part[2]) for part in parts]
        members = {(key, rank): number for number, (key, rank) in enumerate(zip(keys, ranks, strict=True))}
        self._table = np.array(
            [
                [number, *(members.get((key, rank), _NOWHERE) for rank in range(prod(trace.cluster))), _NOWHERE]
                for number, key in enumerate(keys)
            ],
            np.int64,
        ).reshape(-1, prod(trace.cluster) + 2)

    def of(self, block: Ints, address: Ints) -> tuple[Ints, Ints]:
        """The block in whose shared memory each address of a block is (its index; below 0: there is none), and the address there."""
        above = np.clip(address >> RANK_SHIFT, 0, self._table.shape[1] - 1)
        return self._table[block, above], np.where(address < 0, address, address & OWN_ADDRESS)

    def reached(self, block: int) -> list[tuple[int, int]]:
        """The blocks that a block reaches, itself first, each with what stands above its addresses."""
        return [(home, above << RANK_SHIFT) for above, home in enumerate(self._table[block].tolist()) if home >= 0]


def with_homes(trace: Trace) -> Trace:
    """The trace with addresses of shared memory that say whose it is: above the address there stands the block's index and 1. The trace
    itself where no thread reaches another block's.
    """
    rows = trace.rows
    shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
    chosen = np.flatnonzero(shared[rows.site]) if prod(trace.cluster) > 1 and shared.any() else np.zeros(0, np.int64)
    far = trace.bases.max(axis=1)[rows.base[chosen]] + rows.offset[chosen] > OWN_ADDRESS
    if not far.any():
        return trace
    homes, offset, base = Homes(trace), rows.offset.copy(), rows.base.copy()
    near = chosen[~far]
    offset[near] += (rows.block[near].astype(np.int64) + 1) << RANK_SHIFT
    made: dict[bytes, int] = {}
    some = False
    far_rows, step = chosen[far], max(1, LANES_AT_ONCE // trace.masks.shape[1])
    for begin in range(0, len(far_rows), step):
        row = far_rows[begin : begin + step]
        active, before = trace.masks[rows.mask[row]], trace.bases[rows.base[row]]
        address = before + rows.offset[row][:, None]
        home, own = homes.of(np.broadcast_to(rows.block[row][:, None], address.shape), address)
        flat = np.where(home < 0, -1, (home + 1 << RANK_SHIFT) + own)
        some = some or bool((active & (address > OWN_ADDRESS)).any())
        shift = np.where(active, flat - before, 0)
        first = np.take_along_axis(shift, active.argmax(axis=1)[:, None], axis=1)
        alike = (~active | (shift == first)).all(axis=1)
        offset[row[alike]] = first[alike, 0]
        for each in np.flatnonzero(~alike).tolist():
            vector = np.where(active[each], flat[each], 0)
            base[row[each]], offset[row[each]] = made.setdefault(vector.tobytes(), len(trace.bases) + len(made)), 0
    if not some:
        return trace
    more = np.array([np.frombuffer(each, np.int64) for each in made], np.int64).reshape(-1, trace.masks.shape[1])
    return replace(trace, rows=replace(rows, offset=offset, base=base), bases=np.concatenate([trace.bases, more]))


def in_one_cluster(trace: Trace, row: int, other: int) -> bool:
    """Whether two access rows are of blocks of one cluster."""
    blocks = [trace.blocks[trace.rows.block[each]] for each in (row, other)]
    one, two = (tuple(place // size for place, size in zip(block, trace.cluster, strict=True)) for block in blocks)
    return prod(trace.cluster) > 1 and one == two


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """What threads do one after the other, ordered by thread, then by row: `row` access rows come before it, `number` of it before that."""

    key: Ints
    number: Ints
    epoch: Ints

    def next(self, thread_row: Ints) -> Ints:
        """The index of each thread's first that comes behind a row; that behind the last where there is none."""
        return np.searchsorted(self.key, thread_row, side="right")


class ClusterOrder:
    """Order by barriers of clusters: what a thread did before a fence behind which it arrived comes before what another did that has waited
    since. An arrival that releases has a fence of its own; so have those that follow a fence of another thread of the block and a barrier.
    What made a word a barrier comes before, too, behind a fence for that alone.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._span = len(trace.rows.site) + 2
        self._lanes = trace.masks.shape[1]
        arrived, waited = (
            [each for each in trace.events if each.kind is kind] for kind in (Happening.CLUSTER_ARRIVED, Happening.CLUSTER_WAITED)
        )
        wide = [each for each in trace.barriers if each.scope is Scope.FENCE and each.reach is not ThreadScope.BLOCK]
        fences, inits = ([each for each in wide if each.order is order] for order in (MemoryOrder.ACQ_REL, MemoryOrder.BARRIER_INIT))
        self.exists = bool(arrived)
        """Whether any thread arrived at such a barrier."""
        self._cluster = np.full(len(trace.blocks), -1)
        for each in arrived:
            self._cluster[each.block] = each.other
        self._arrivals, self._waits = (self._steps([(each.block, each.row, each.mask, 0) for each in some]) for some in (arrived, waited))
        self._fences, self._inits = (
            self._steps([(each.block, each.row, each.mask, each.epoch) for each in some] if arrived else []) for some in (fences, inits)
        )
        self._makes_barrier = np.array([site.function == BARRIER_INIT for site in trace.sites], np.bool_)

    def intervals(self) -> set[tuple[int, int]]:
        """The blocks whose threads arrived at such a barrier, with all their epochs."""
        rows = self._trace.rows
        there = self._cluster[rows.block] >= 0 if self.exists else np.zeros(0, np.bool_)
        return set(zip(rows.block[there].tolist(), rows.epoch[there].tolist(), strict=True)) if there.any() else set()

    def _steps(self, events: list[tuple[int, int, int, int]]) -> _Steps:
        """Those of each thread, of block, row, mask and epoch of each event."""
        lanes = [np.flatnonzero(self._trace.masks[mask]) for _, _, mask, _ in events]
        key = np.concatenate(
            [
                np.zeros(0, np.int64),
                *((block * self._lanes + each) * self._span + row for each, (block, row, _, _) in zip(lanes, events, strict=True)),
            ]
        )
        epoch = np.repeat(np.array([event[3] for event in events], np.int64), [len(each) for each in lanes])
        order = np.argsort(key, kind="stable")
        key, thread = key[order], key[order] // self._span
        return _Steps(key, np.arange(len(key)) - np.searchsorted(thread, thread), epoch[order])

    def begun(self, accesses: Accesses) -> Bools:
        """Whether all blocks of the cluster have begun before each access, as its thread has waited for them."""
        return np.asarray(self._waited(self._at(accesses)) > 0)

    def outlived(self, accesses: Accesses, home: Ints) -> Bools:
        """Whether a block, one for each access, waits for the accesses' threads behind them."""
        most = np.zeros(len(self._trace.blocks), np.int64)
        np.maximum.at(most, self._waits.key // self._span // self._lanes, self._waits.number + 1)
        return np.asarray(most[home] > self._phase(self._at(accesses)))

    def of(self, accesses: Accesses) -> Ordered:
        """Tell of pairs of accesses whether the earlier comes first."""
        block, at = self._trace.rows.block[accesses.row].astype(np.int64), self._at(accesses)
        cluster, waited = self._cluster[block], self._waited(at)
        released = self._released(at, block, self._trace.rows.epoch[accesses.row].astype(np.int64))
        made = np.flatnonzero(self._makes_barrier[self._trace.rows.site[accesses.row]])
        released[made] = np.minimum(released[made], self._behind_own(self._inits, at[made]))

        def ordered(some: Ints, others: Ints) -> Bools:
            first, second = np.minimum(some, others), np.maximum(some, others)
            same = (cluster[first] >= 0) & (cluster[first] == cluster[second])
            return np.asarray((others >= 0) & same & (waited[second] > released[first]))

        return ordered

    def _at(self, accesses: Accesses) -> Ints:
        """The key of each access among a thread's steps."""
        block = self._trace.rows.block[accesses.row].astype(np.int64)
        return np.asarray((block * self._lanes + accesses.lane) * self._span + accesses.row)

    def _waited(self, at: Ints) -> Ints:
        return np.asarray(self._waits.next(at) - np.searchsorted(self._waits.key, at // self._span * self._span))

    def _released(self, at: Ints, block: Ints, epoch: Ints) -> Ints:
        """The phase of the cluster's barrier behind which each access is known; NEVER if none is."""
        fence, own = self._fences, self._behind_own(self._fences, at)
        phases, of_block = self._phase(fence.key), fence.key // self._span // self._lanes
        most = int(max(fence.epoch.max(initial=0), epoch.max(initial=0))) + 2
        order = np.lexsort((fence.epoch, of_block))
        place = (of_block * most + fence.epoch)[order]
        least = phases[order].copy()
        for each in np.unique(of_block).tolist():
            part = slice(*np.searchsorted(of_block[order], (each, each + 1)))
            least[part] = np.minimum.accumulate(least[part][::-1])[::-1]
        behind = np.searchsorted(place, block * most + epoch, side="right")
        same = np.append(of_block[order], -1)[behind] == block
        return np.minimum(own, np.where(same, np.append(least, NEVER)[behind], NEVER))

    def _behind_own(self, fences: _Steps, at: Ints) -> Ints:
        """The phase at which each thread arrives behind its own next fence; NEVER if there is none."""
        key = np.append(fences.key, NEVER)[fences.next(at)]
        return np.where(key // self._span == at // self._span, self._phase(key), NEVER)

    def _phase(self, at: Ints) -> Ints:
        """The phase at which each thread arrives next, behind a row; NEVER if it does not."""
        arrivals = self._arrivals
        place = arrivals.next(at)
        same = np.append(arrivals.key, NEVER)[place] // self._span == at // self._span
        return np.where(same, np.append(arrivals.number, NEVER)[place], NEVER)
