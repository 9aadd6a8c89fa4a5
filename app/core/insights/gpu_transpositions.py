"""Expectations about the GPU's transpositions: each rung and the one it improves on, what its technique promises, and what counters say."""

from __future__ import annotations

from app.core.insights.counter_reasons import (
    DRAM,
    EXECUTED,
    GLOBAL_LOADS,
    GLOBAL_SECTORS,
    GLOBAL_STORES,
    L2_WRITES,
    LOAD_WAVEFRONTS,
    OCCUPANCY,
    STORED,
    WAVEFRONTS,
    because,
    less,
    more,
    same,
)
from app.core.insights.gpu_steps import by_gain, step
from app.core.insights.pairs import Expectation, Relation
from kernels.base.messages import message

FASTER, SLOWER, LEVEL = Relation.FASTER, Relation.SLOWER, Relation.LEVEL

_WHOLE_SECTORS = because(
    message(
        "The sectors of both sides together are as many. But reads that are in pieces find the rest of a sector in the cache, while "
        "writes that are in pieces go on to the L2 cache one by one."
    ),
    *same(GLOBAL_SECTORS), *less(L2_WRITES),
)  # fmt: skip
_NOBODY_FILLS_SECTORS = because(
    message("A block is a strip of a row: no other warp of it fills the sectors that it writes 4 bytes of."), *more(STORED, L2_WRITES)
)
_TOGETHER_AFTER_THE_BARRIER = because(
    message(
        "Shared memory does not help the writes: they are in as many pieces. But after the barrier all warps of a block write at the "
        "same time, and more of the pieces meet before they reach the L2 cache."
    ),
    *same(STORED), *less(L2_WRITES),
)  # fmt: skip
_TURNED_IN_SHARED = because(
    message("Writes too run along rows now; the price is conflicts, because a column of the tile lies in few banks."),
    *less(STORED), *more(LOAD_WAVEFRONTS),
)  # fmt: skip
_CONFLICTS_WERE_HIDDEN = because(
    message(
        "The conflicts go, but they took little of the time: what is moved from and to DRAM is the same, and most warps wait for that, "
        "each with one read on its way."
    ),
    *less(WAVEFRONTS), *same(DRAM),
)  # fmt: skip
_CONFLICTS_GONE = because(
    message("It moves the same; but reading a column of the tile, fewer lanes wait for each other at a bank."),
    *less(WAVEFRONTS), *same(DRAM),
)  # fmt: skip
_NOTHING_WAITED_FOR_BANKS = because(
    message("The last conflicts go too, but nobody was waiting for the banks any more: what is moved from and to DRAM is the same."),
    *less(WAVEFRONTS), *same(DRAM),
)  # fmt: skip
_SWIZZLE_COSTS = because(
    message("The last conflicts go, but nobody was waiting for the banks; what is left is that x ^ y takes instructions."),
    *less(WAVEFRONTS), *more(EXECUTED),
)  # fmt: skip
_MORE_ON_THE_WAY = because(
    message("It moves the same; but each thread has four reads on their way before it waits, and fewer instructions do it."),
    *same(GLOBAL_SECTORS, DRAM), *less(EXECUTED),
)  # fmt: skip
_FOUR_TO_A_LOAD = because(
    message("One request moves four times the bytes: as many sectors, a fraction of the instructions."),
    *same(GLOBAL_SECTORS), *less(GLOBAL_LOADS, GLOBAL_STORES, EXECUTED),
)  # fmt: skip
_IN_PAIRS = because(
    message("In place moves as many sectors, but half of the blocks end at once, and the others hold two tiles: fewer warps are there."),
    *same(GLOBAL_SECTORS), *less(OCCUPANCY),
)  # fmt: skip
_NO_MORE_THAN_A_COPY = because(
    message("It moves what a copy moves, and no bank or sector twice: turning costs nothing any more."), *same(GLOBAL_SECTORS, DRAM)
)
_LITTLE_TO_MOVE = because(
    message("It moves what a copy moves; with as little as at this size, the barrier and the instructions beside it show."),
    *same(GLOBAL_SECTORS, DRAM), *more(EXECUTED),
)  # fmt: skip

EXPECTATIONS: tuple[Expectation, ...] = (
    step("gpu.transpose-global-writes", "gpu.transpose-global", LEVEL, {FASTER: _WHOLE_SECTORS}),
    step("gpu.transpose-direct-map", "gpu.transpose-global", SLOWER, {SLOWER: _NOBODY_FILLS_SECTORS}),
    step("gpu.transpose-row-first", "gpu.transpose-global", LEVEL, {FASTER: _TOGETHER_AFTER_THE_BARRIER}),
    step("gpu.transpose-shared", "gpu.transpose-row-first", FASTER, {FASTER: _TURNED_IN_SHARED}),
    step("gpu.transpose-padded", "gpu.transpose-shared", FASTER, {
        FASTER: by_gain(_CONFLICTS_WERE_HIDDEN, _CONFLICTS_GONE), LEVEL: _CONFLICTS_WERE_HIDDEN,
    }),
    step("gpu.transpose-swizzled", "gpu.transpose-padded", FASTER, {LEVEL: _NOTHING_WAITED_FOR_BANKS, SLOWER: _SWIZZLE_COSTS}),
    step("gpu.transpose-elements", "gpu.transpose-padded", FASTER, {FASTER: _MORE_ON_THE_WAY}),
    step("gpu.transpose-vectorized", "gpu.transpose-elements", FASTER, {FASTER: _FOUR_TO_A_LOAD}),
    step("gpu.transpose-in-place", "gpu.transpose-elements", LEVEL, {SLOWER: _IN_PAIRS}),
    step("gpu.transpose-vectorized", "gpu.transpose-copy", SLOWER, {
        FASTER: _NO_MORE_THAN_A_COPY, LEVEL: _NO_MORE_THAN_A_COPY, SLOWER: _LITTLE_TO_MOVE,
    }),
)  # fmt: skip
