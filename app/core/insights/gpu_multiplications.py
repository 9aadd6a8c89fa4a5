"""Expectations of the GPU's multiplications: each rung and the one it improves on, what its technique promises, what counters say."""

from __future__ import annotations

from app.core.insights.counter_reasons import (
    ALL_LOADS,
    EXECUTED,
    GLOBAL_LOADS,
    L2_WRITES,
    LOAD_WAVEFRONTS,
    LOADED,
    REGISTERS,
    SHARED_LOADS,
    SHARED_STORES,
    STORE_WAVEFRONTS,
    WAVEFRONTS,
    because,
    counted_of,
    less,
    more,
    same,
    shown,
)
from app.core.insights.gpu_steps import step
from app.core.insights.pairs import Expectation, Pair, Relation, figure
from app.core.predictions.counters import INSTRUCTIONS
from kernels.base.messages import Message, message

FASTER, SLOWER, LEVEL = Relation.FASTER, Relation.SLOWER, Relation.LEVEL
_LANES, _FLOPS = 32, 2
"""Of a warp's multiply-add: lanes, and operations of each."""


def _mostly_arithmetic(pair: Pair) -> Message | None:
    """What part of all instructions multiplies and adds."""
    counted = counted_of(pair, with_base=False)
    if counted is None or not counted.rung.get(INSTRUCTIONS) or "flops" not in counted.rung:
        return None
    return message(
        "Of 100 instructions {percent} multiply and add (Nsight Compute on {gpu}, n = {n}): what is left to gain is little, for both.",
        percent=figure(100 * counted.rung["flops"] / (_LANES * _FLOPS) / counted.rung[INSTRUCTIONS]), gpu=counted.gpu, n=counted.n,
    )  # fmt: skip


_STORES_OF_C = because(
    message("An element of C in memory takes every product, where a register did: one more store for each multiply-add."),
    *more(L2_WRITES), *same(GLOBAL_LOADS),
)  # fmt: skip
_ROWS_APART = because(
    message("The lanes of a warp read a row apart: as many requests, but each needs sectors of its own for its lanes."),
    *same(GLOBAL_LOADS), *more(LOADED),
)  # fmt: skip
_SHARED_READS = because(
    message("What a block loads once serves all its threads. It gains no more because the reads are not gone: they go to shared memory."),
    *less(GLOBAL_LOADS, ALL_LOADS),
)  # fmt: skip
_NEW_CONFLICTS = because(
    message("There was no sector to save: warps have read along the rows of B before. But the lanes of a warp now meet in the banks."),
    *same(LOADED), *more(WAVEFRONTS),
)  # fmt: skip
_NO_CONFLICT_LEFT = because(
    message("No lanes meet in a bank any more, so that each request takes fewer wavefronts."), *same(LOADED), *less(WAVEFRONTS)
)
_NO_CONFLICT_BEFORE = because(
    message("This layout gains nothing here: the tiled kernel reads along rows of its tiles, and has no conflict to remove."),
    *same(LOADED, WAVEFRONTS),
)  # fmt: skip
_VALUE_REUSED = because(
    message("A value of B that was read once serves several results of a thread, and the loop's own instructions are shared out."),
    *less(SHARED_LOADS, EXECUTED),
)  # fmt: skip
_B_IN_REGISTERS = because(
    message("B goes straight into registers, and A comes four values to a read: shared memory is asked less often."),
    *less(SHARED_LOADS, EXECUTED),
)  # fmt: skip
_HIDDEN_ALREADY = because(
    message(
        "Prefetching gains nothing here: all loads are the same, and while one block waits for them, others multiply anyway. "
        "What remains is the instructions that it adds."
    ),
    *same(GLOBAL_LOADS, SHARED_LOADS), *more(EXECUTED),
)  # fmt: skip
_WAITING_HIDDEN = because(
    message("All loads are the same; but the next ones are on their way while this step is multiplied."), *same(GLOBAL_LOADS, SHARED_LOADS)
)
_BOTH_REUSED = because(
    message("Each value of A and of B serves eight results: fewer reads of shared memory for each multiply-add."),
    *less(SHARED_LOADS, WAVEFRONTS, EXECUTED),
)  # fmt: skip
_FEWER_BARRIERS = because(
    message("Twice the depth of a step moves nothing less; it halves the barriers, and the times that all threads wait together."),
    *same(LOADED, SHARED_LOADS, WAVEFRONTS),
)  # fmt: skip
_FOUR_TO_A_LOAD = because(
    message("Four values to a load: as many bytes and wavefronts, but a fraction of the instructions that ask for them."),
    *same(LOADED, WAVEFRONTS), *less(GLOBAL_LOADS, SHARED_LOADS, EXECUTED),
)  # fmt: skip
_FOUR_BUT_CONFLICTS = because(
    message("Four values to a load: as many bytes, a fraction of the instructions; stores of A, now turned, meet in the banks."),
    *same(LOADED), *less(GLOBAL_LOADS, SHARED_LOADS, EXECUTED), *more(STORE_WAVEFRONTS),
)  # fmt: skip
_STORES_ARE_FEW = because(
    message("The conflicts that it removes were in stores, and stores are few: they hardly count among all wavefronts."),
    *less(STORE_WAVEFRONTS), *same(WAVEFRONTS),
)  # fmt: skip
_STORES_WITHOUT_CONFLICT = because(message("The stores of A's turned tile no longer meet in a bank."), *less(STORE_WAVEFRONTS, WAVEFRONTS))
_TWO_STAGES = because(
    message("It moves no less: it gains time, because tiles are loaded during the multiply-adds, and a step has one barrier, not two."),
    *same(LOADED, WAVEFRONTS),
)  # fmt: skip
_ROOM_FOR_FLIGHT = because(
    message("Tiles are loaded during the multiply-adds. What is in flight takes registers, so that the block is smaller and loads more."),
    *more(REGISTERS, LOADED),
)  # fmt: skip
_SMALL_COPIES = because(
    message(
        "A must be turned, so its floats are copied one by one, 4 bytes each: the same sectors take more requests, and more "
        "instructions than the stores that the copies save."
    ),
    *same(LOADED), *more(GLOBAL_LOADS, EXECUTED), *less(SHARED_STORES),
)  # fmt: skip
_SHARED_BY_LANES = because(
    message("Each value serves more results of a thread, and lanes that read the same are served together: half of the wavefronts."),
    *less(SHARED_LOADS, WAVEFRONTS, LOADED),
)  # fmt: skip
_COPIES_OF_16_BYTES = because(
    message("A is turned beforehand, so that all comes by copies of 16 bytes: no store to shared memory is left, nor the wait for one."),
    *less(SHARED_STORES),
)  # fmt: skip
_SMALLER_TILES = because(
    message("Smaller tiles give a small matrix a block for every SM. A large one has enough of them, and loads more by smaller tiles."),
    *more(LOADED, EXECUTED, WAVEFRONTS),
)  # fmt: skip
_TILE_FOR_THE_SIZE = because(
    message("The tile and the split of k that it picks for the size load less than those which one setting has for all sizes."),
    *less(LOADED, WAVEFRONTS),
)  # fmt: skip
_PART_OF_HOPPER = shown(
    message(
        "wmma is the way of earlier GPUs: all that enters a product passes through the registers of a warp, which fill up, and few "
        "warps fit. On Hopper only wgmma, which reads shared memory itself, reaches the whole speed."
    ),
    REGISTERS, EXECUTED, WAVEFRONTS,
)  # fmt: skip
_TILES_IN_ONE = because(
    message("One instruction of a warp multiplies whole tiles, so that far fewer are executed; but operands still pass through registers."),
    *less(EXECUTED),
)  # fmt: skip
_HALF_THE_BYTES = because(
    message("Half the bytes in shared memory, and an instruction that multiplies tiles twice as deep."), *less(EXECUTED, WAVEFRONTS)
)
_BESIDE_REGISTERS = because(
    message(
        "Copies go to shared memory past the registers, so that no thread stores there, and values are rounded once: fewer instructions "
        "are left. But ldmatrix reads rows that meet in the same banks."
    ),
    *less(SHARED_STORES, EXECUTED), *more(LOAD_WAVEFRONTS),
)  # fmt: skip
_ROWS_MOVED_APART = because(
    message("Eight rows that ldmatrix reads at once no longer meet in the same banks. Copies into the longer rows cost more instead."),
    *less(LOAD_WAVEFRONTS), *more(LOADED),
)  # fmt: skip
_PIECES_EXCHANGED = because(
    message("Reads meet no conflict, as with padding, and the copies into rows of whole lines cost less."),
    *same(LOAD_WAVEFRONTS), *less(WAVEFRONTS, LOADED),
)  # fmt: skip
_READ_BY_TENSOR_CORES = because(
    message("Tensor cores read the operands from shared memory themselves: no thread loads them, and few instructions are left."),
    *less(EXECUTED, SHARED_LOADS, WAVEFRONTS),
)  # fmt: skip
_ALL_OF_HOPPER = shown(
    message("Both feed the tensor cores from shared memory by copies that no thread waits for: no thread loads an operand."),
    SHARED_LOADS, EXECUTED,
)  # fmt: skip
_ROUNDED_MEANWHILE = because(
    message("Most of A and B is rounded beside the products, in blocks that stay, four values a load; tensor cores wait for the rest."),
    *less(GLOBAL_LOADS, LOADED),
)  # fmt: skip

EXPECTATIONS: tuple[Expectation, ...] = (
    step("gpu.naive-global", "gpu.naive", SLOWER, {SLOWER: _STORES_OF_C}),
    step("gpu.uncoalesced", "gpu.naive", SLOWER, {SLOWER: _ROWS_APART}),
    step("gpu.tiled", "gpu.naive", FASTER, {FASTER: _SHARED_READS}),
    step("gpu.coalesced-bt", "gpu.tiled", FASTER, {SLOWER: _NEW_CONFLICTS}),
    step("gpu.conflict-free", "gpu.coalesced-bt", FASTER, {FASTER: _NO_CONFLICT_LEFT}),
    step("gpu.conflict-free", "gpu.tiled", FASTER, {LEVEL: _NO_CONFLICT_BEFORE}),
    step("gpu.work-per-thread", "gpu.tiled", FASTER, {FASTER: _VALUE_REUSED}),
    step("gpu.outer-product", "gpu.work-per-thread", FASTER, {FASTER: _B_IN_REGISTERS}),
    step("gpu.prefetch", "gpu.outer-product", FASTER, {FASTER: _WAITING_HIDDEN, LEVEL: _HIDDEN_ALREADY, SLOWER: _HIDDEN_ALREADY}),
    step("gpu.register-tiled-k8", "gpu.prefetch", FASTER, {FASTER: _BOTH_REUSED}),
    step("gpu.register-tiled-k16", "gpu.register-tiled-k8", FASTER, {FASTER: _FEWER_BARRIERS}),
    step("gpu.vectorized-k8", "gpu.register-tiled-k8", FASTER, {FASTER: _FOUR_TO_A_LOAD}),
    step("gpu.vectorized-k16", "gpu.register-tiled-k16", FASTER, {FASTER: _FOUR_BUT_CONFLICTS}),
    step("gpu.conflict-free-k8", "gpu.vectorized-k8", FASTER, {LEVEL: _STORES_ARE_FEW}),
    step("gpu.conflict-free-k16", "gpu.vectorized-k16", FASTER, {FASTER: _STORES_WITHOUT_CONFLICT}),
    step("gpu.double-buffered-k8", "gpu.conflict-free-k8", FASTER, {FASTER: _TWO_STAGES}),
    step("gpu.double-buffered-k16", "gpu.conflict-free-k16", FASTER, {FASTER: _ROOM_FOR_FLIGHT}),
    step("gpu.async", "gpu.double-buffered-k16", FASTER, {SLOWER: _SMALL_COPIES}),
    step("gpu.warp-tiled", "gpu.double-buffered-k8", FASTER, {FASTER: _SHARED_BY_LANES}),
    step("gpu.fastest", "gpu.warp-tiled", FASTER, {FASTER: _COPIES_OF_16_BYTES}),
    step("gpu.fastest", "gpu.cublas", LEVEL, {FASTER: _mostly_arithmetic, LEVEL: _mostly_arithmetic}),
    step("gpu.split-k", "gpu.fastest", SLOWER, {SLOWER: _SMALLER_TILES}),
    step("gpu.fitted", "gpu.split-k", FASTER, {FASTER: _TILE_FOR_THE_SIZE, LEVEL: _TILE_FOR_THE_SIZE}),
    step("gpu.wmma-tf32", "gpu.fastest", FASTER, {FASTER: _TILES_IN_ONE, LEVEL: _TILES_IN_ONE, SLOWER: _TILES_IN_ONE}),
    step("gpu.wmma-tf32", "gpu.cublas-tf32", LEVEL, {SLOWER: _PART_OF_HOPPER}),
    step("gpu.mma-tf32", "gpu.wmma-tf32", LEVEL, dict.fromkeys((FASTER, LEVEL, SLOWER), _BESIDE_REGISTERS)),
    step("gpu.mma-padded-tf32", "gpu.mma-tf32", FASTER, dict.fromkeys((FASTER, LEVEL, SLOWER), _ROWS_MOVED_APART)),
    step("gpu.mma-swizzled-tf32", "gpu.mma-padded-tf32", FASTER, {FASTER: _PIECES_EXCHANGED, LEVEL: _PIECES_EXCHANGED}),
    step("gpu.wmma-bf16", "gpu.wmma-tf32", FASTER, {FASTER: _HALF_THE_BYTES}),
    step("gpu.wmma-bf16", "gpu.cublas-bf16", LEVEL, {SLOWER: _PART_OF_HOPPER}),
    step("gpu.mma-bf16", "gpu.wmma-bf16", LEVEL, dict.fromkeys((FASTER, LEVEL, SLOWER), _BESIDE_REGISTERS)),
    step("gpu.mma-padded-bf16", "gpu.mma-bf16", FASTER, dict.fromkeys((FASTER, LEVEL, SLOWER), _ROWS_MOVED_APART)),
    step("gpu.mma-swizzled-bf16", "gpu.mma-padded-bf16", FASTER, {FASTER: _PIECES_EXCHANGED, LEVEL: _PIECES_EXCHANGED}),
    step("gpu.wgmma-bf16", "gpu.wmma-bf16", FASTER, {FASTER: _READ_BY_TENSOR_CORES}),
    step("gpu.wgmma-bf16", "gpu.cublas-bf16", LEVEL, {LEVEL: _ALL_OF_HOPPER, FASTER: _ALL_OF_HOPPER}),
    step("gpu.wgmma-clusters-bf16", "gpu.wgmma-bf16", FASTER, {FASTER: _ROUNDED_MEANWHILE, LEVEL: _ROUNDED_MEANWHILE}),
    step("gpu.three-parts", "gpu.fastest", FASTER, {FASTER: _READ_BY_TENSOR_CORES}),
)  # fmt: skip
