"""Shared memory: how many wavefronts a warp instruction takes, and why.

Shared memory has 32 banks of 4 bytes. A warp is served in phases of 32 lanes (up to 4 bytes a lane), 16 lanes (8 bytes) or 8 lanes
(16 bytes): never more than 32 words. A phase takes as many wavefronts as its busiest bank takes turns. For loads and stores those are
distinct words: lanes that touch the same word share it. For atomics they are lanes: each has to see what the one before it left; a
compare-and-swap, which brings two operands, takes two turns a lane. Loads of 8 or 16 bytes in which neighbours two by two have the same
address are served with two phases merged into one.

Atomics count as written, which is what the hardware does where the compiler keeps them. Its choice cannot be seen in the text:
- Adding a constant 1 without using what was there becomes an instruction that counts a word's lanes together (ATOMS.POPC.INC, seen for
  compute capability 9.0 and 12.0): its turns are distinct words.
- Adding to one address that the compiler sees to be every lane's becomes a sum within the warp and an atomic of one lane.
- What shared memory has no instruction for, such as adding floats or 8 bytes, becomes a load and a compare-and-swap, repeated until all
  lanes have had their turn.

Operations on barriers (mbarrier) are none of these: the profiler gives the lines of the rungs with wgmma the wavefronts of wgmma and no
more, however often they wait, and counts no loads or stores there (`ncu_engines_h200.json`, `resources/recorded/counters/h200.json`).
Nor are copies and updates in bulk, `st.async` and `red.async`: of what they read and write in shared memory it counts no load, no store,
no atomic and no wavefront (`ncu_bulk_h200.json`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.analysis.distinct_instructions import Instructions, distinct_instructions
from kernels.analysis.reuse import Mode, executed
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Site, Trace

BANKS = 32
WORD_BYTES = 4
INACTIVE = -1
NOWHERE = np.iinfo(np.int64).min
"""A word that no lane touches."""
LANES = np.arange(WARP)

COMPARE_AND_SWAP = "compare-and-swap"
OPERATIONS = ("load", "store", "atomic", COMPARE_AND_SWAP)


@dataclass(frozen=True, slots=True, eq=False)
class BankCost:
    """Costs of n warp instructions on shared memory, as columns of length n; 0 where no lane is active."""

    hardware: Ints
    """Wavefronts as the hardware counts them."""
    source: Ints
    """Wavefronts as the profiler attributes them to a source line: there, phases merge only where that leaves no conflict."""
    ideal: Ints
    """Wavefronts that the bytes would take without a bank conflict."""
    degree: Ints
    """The most turns that one bank takes in one phase: 1 is free of conflicts, n an n-way conflict."""


@dataclass(frozen=True, slots=True)
class SharedAccess:
    """Costs of all executions of one site, an index into `Trace.sites`, that accesses shared memory."""

    site: int
    requests: int
    """Warp instructions with an active lane."""
    hardware: int
    source: int
    ideal: int
    """Wavefronts in all, as in `BankCost`."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Lanes of a warp that are served together. `lanes_of_bank` and `words_of_bank` have an entry a bank."""

    lanes: tuple[int, ...]
    lanes_of_bank: tuple[int, ...]
    """How many of the lanes touch the bank."""
    words_of_bank: tuple[int, ...]
    """How many distinct words of the bank they touch."""
    wavefronts: int
    """Turns of the busiest bank."""


def phases(word_index: Sequence[int], bytes_per_lane: int, operation: str) -> tuple[Phase, ...]:
    """The phases in which the hardware serves one warp instruction, where a lane is active.

    `word_index` is the first 4-byte word of each of the 32 lanes, -1 for an inactive one; `bytes_per_lane` 1, 2, 4, 8 or 16; `operation`
    is "load", "store", "atomic" or "compare-and-swap". Anything else raises ValueError.
    """
    words, active = _one(word_index, bytes_per_lane, operation)
    width = words_per_lane(bytes_per_lane)
    if operation == "load" and width > 1 and neighbours_agree(words, active)[0]:
        width //= 2
    groups = (group[active[0, group]] for group in LANES.reshape(width, -1))
    return tuple(_phase(words[0], group, bytes_per_lane, operation) for group in groups if len(group))


def cost(words: Ints, active: Bools, bytes_per_lane: int, operation: str) -> BankCost:
    """The cost of n warp instructions: `words` and `active` are n x 32, the first word of each lane and whether it takes part."""
    width = words_per_lane(bytes_per_lane)
    separate = _in_phases(words, active, width, width, operation)
    hardware, degree = separate.sum(axis=1), separate.max(axis=1)
    source = hardware.copy()
    merged = neighbours_agree(words, active) if operation == "load" and width > 1 else np.zeros(len(words), np.bool_)
    if merged.any():
        joined = _in_phases(words[merged], active[merged], width, width // 2, operation)
        hardware[merged], degree[merged] = joined.sum(axis=1), joined.max(axis=1)
        source[merged] = np.where(degree[merged] <= 1, hardware[merged], source[merged])
    least = -(-active.sum(axis=1) * bytes_per_lane // (BANKS * WORD_BYTES)) * _operands(operation)
    return BankCost(hardware, source, np.minimum(least, source), degree)


def shared_accesses(trace: Trace, mode: Mode = Mode.AS_WRITTEN) -> tuple[SharedAccess, ...]:
    """The sites that access shared memory, in order of their index, with what they took.

    Tile operations are left out, since their addresses are not specified, and what takes no wavefronts: operations on barriers, and what
    moves by itself.
    """
    wanted = np.array([site.space is Space.SHARED and takes_wavefronts(site) for site in trace.sites], np.bool_)
    parts = distinct_instructions(trace, wanted[trace.rows.site] & executed(trace, mode), WORD_BYTES)
    return tuple(_shared_access(trace, site, list(group)) for site, group in groupby(parts, key=lambda part: part.site))


def takes_wavefronts(site: Site) -> bool:
    """Whether a warp's access of shared memory at a site takes wavefronts, and how many can be said."""
    return not (site.tile or site.barrier or site.copied)


def words_per_lane(bytes_per_lane: int) -> int:
    """How many words, and so banks, a lane touches: also in how many phases a warp is served unless they merge."""
    return max(1, bytes_per_lane // WORD_BYTES)


def neighbours_agree(words: Ints, active: Bools) -> Bools:
    """For each instruction whether every active lane n has the address of lane n^1, or every one that of lane n^2, where that is active."""
    pairs, next_pairs = (((words == words[:, other]) | ~active | ~active[:, other]).all(axis=1) for other in (LANES ^ 1, LANES ^ 2))
    return np.asarray(pairs | next_pairs)


def _in_phases(words: Ints, active: Bools, width: int, count: int, operation: str) -> Ints:
    """Wavefronts of n instructions (n x 32 lanes of `width` words) in each of `count` equal phases: n x count."""
    touched = (words[:, :, None] + np.arange(width)).reshape(len(words) * count, -1)
    present = np.repeat(active, width, axis=1).reshape(touched.shape)
    ordered = np.sort(np.where(present, touched, NOWHERE), axis=1)
    takes_a_turn = ordered != NOWHERE
    if not _is_atomic(operation):
        takes_a_turn[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    bank = (ordered % BANKS + BANKS * np.arange(len(ordered))[:, None])[takes_a_turn]
    turns_of_bank = np.bincount(bank, minlength=BANKS * len(ordered)).reshape(-1, BANKS) * _operands(operation)
    return np.asarray(turns_of_bank.max(axis=1)).reshape(-1, count)


def _is_atomic(operation: str) -> bool:
    return operation in ("atomic", COMPARE_AND_SWAP)


def _operands(operation: str) -> int:
    """How often a lane that comes to its turn takes one."""
    return 2 if operation == COMPARE_AND_SWAP else 1


def operation_of(site: Site) -> str:
    """The operation of a site as `cost` takes it."""
    return COMPARE_AND_SWAP if site.operation == "atomic" and site.function.startswith("atomicCAS") else site.operation


def _shared_access(trace: Trace, number: int, parts: list[Instructions]) -> SharedAccess:
    site = trace.sites[number]
    costs = [cost(part.address // WORD_BYTES, part.active, site.bytes, operation_of(site)) for part in parts]
    count = np.concatenate([part.count for part in parts])
    columns = (np.concatenate([getattr(each, name) for each in costs]) for name in ("hardware", "source", "ideal"))
    return SharedAccess(number, int(count.sum()), *(int((column * count).sum()) for column in columns))


def _phase(words: Ints, lanes: Ints, bytes_per_lane: int, operation: str) -> Phase:
    touched = words[lanes, None] + np.arange(words_per_lane(bytes_per_lane))
    lanes_of_bank = np.bincount(touched.ravel() % BANKS, minlength=BANKS)
    words_of_bank = np.bincount(np.unique(touched) % BANKS, minlength=BANKS)
    turns = (lanes_of_bank if _is_atomic(operation) else words_of_bank).max() * _operands(operation)
    return Phase(tuple(lanes.tolist()), tuple(lanes_of_bank.tolist()), tuple(words_of_bank.tolist()), int(turns))


def _one(word_index: Sequence[int], bytes_per_lane: int, operation: str) -> tuple[Ints, Bools]:
    """One instruction as `cost` takes it; ValueError where there is no such instruction."""
    if len(word_index) != WARP:
        raise ValueError(f"{len(word_index)} word indices; a warp has {WARP} lanes")
    if bytes_per_lane not in (1, 2, 4, 8, 16):
        raise ValueError(f"a lane moves 1, 2, 4, 8 or 16 bytes, not {bytes_per_lane}")
    if operation not in OPERATIONS:
        raise ValueError(f"unknown operation {operation!r}")
    words = np.asarray(word_index, np.int64)[None, :]
    if (words < INACTIVE).any():
        raise ValueError("a word index is negative")
    return words, words != INACTIVE
