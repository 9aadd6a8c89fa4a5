"""What the kernels of tests/corpus/instructions compute, from what their instructions mean: whole numbers, so that every sum is exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.launch import LaunchRequest
from kernels.simt.base.layout import scalar_dtype
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.base.types import Pointer, Scalar
from kernels.simt.ir import Kernel
from tests.oracle.updates import UPDATES

Numbers = npt.NDArray[Any]
LEAST, LARGEST = -8, 8
"""Of the elements of A and B: bfloat16, half precision and bytes have them all, and no sum of products leaves float32."""


def small(count: int, seed: int) -> Numbers:
    """Whole numbers without a pattern, by a multiplicative hash."""
    x = (np.arange(count, dtype=np.uint64) + np.uint64(1009 * seed + 7)) * np.uint64(0x9E3779B97F4A7C15)
    return (x >> np.uint64(40)).astype(np.int64) % (LARGEST - LEAST + 1) + LEAST


def operands(request: LaunchRequest) -> dict[str, Numbers]:
    """A and B as whole numbers, where the kernel takes them."""
    counts = {name: getattr(request.arguments[name], "count", 0) for name in "AB" if name in request.arguments}
    return {name: small(count, seed) for seed, (name, count) in enumerate(counts.items(), 1)}


def filled(kernel: Kernel, request: LaunchRequest) -> LaunchRequest:
    """The launch with `operands` in the types of the kernel's parameters."""
    targets = {parameter.name: parameter.type for parameter in kernel.parameters}
    arrays = {}
    for name, numbers in operands(request).items():
        pointer = targets[name]
        assert isinstance(pointer, Pointer)
        assert isinstance(pointer.target, Scalar)
        brain = pointer.target.brain
        arrays[name] = bfloat16_bits(numbers.astype(np.float32)) if brain else numbers.astype(scalar_dtype(pointer.target))
    return replace(request, arguments={**request.arguments, **arrays})


def product(m: int, n: int, k: int, by_columns: bool = True) -> Callable[[dict[str, Numbers]], Numbers]:
    """C = A B; B is given column by column, or row by row."""

    def computed(given: dict[str, Numbers]) -> Numbers:
        b = given["B"].reshape(-1, k)[:n].T if by_columns else given["B"].reshape(k, -1)[:, :n]
        sums: Numbers = given["A"].reshape(m, k) @ b
        return sums.reshape(-1)

    return computed


def shared_tiles(given: dict[str, Numbers]) -> Numbers:
    """C = A B of 32 x 48 and 48 x 32: A lies in panels of 16 columns, B in panels of 16 rows, column by column."""
    a, b = (given[name].reshape(3, 32, 16).swapaxes(0, 1).reshape(32, 48) for name in "AB")
    return np.asarray(a @ b.T).reshape(-1)


def stepped(steps: int, width: int, first: int = 1) -> Numbers:
    """The sums of a pipeline: stage s, turned round, times s + `first`."""
    values = np.arange(steps * width, dtype=np.float64).reshape(steps, width)[:, ::-1]
    sums: Numbers = (values * np.arange(first, steps + first)[:, None]).sum(0)
    return sums


def _pairs(numbers: Numbers) -> Numbers:
    return np.ascontiguousarray(numbers.astype(np.uint16)).reshape(-1).view(np.uint32)


def _matrices(rows: Numbers) -> Numbers:
    """The 8 x 8 matrices of a tile of 16 x 16 in the order of a fragment of A."""
    return np.stack([rows[r : r + 8, c : c + 8] for c in (0, 8) for r in (0, 8)])


U16, U32, F32 = np.arange(512, dtype=np.uint16), np.arange(512, dtype=np.uint32), np.arange(512, dtype=np.float32)
TILES = U16[:256].reshape(4, 8, 8)
TURNED_TILES = TILES.transpose(0, 2, 1)
THREADS = np.arange(128, dtype=np.uint32)
WORDS = (np.arange(32, dtype=np.uint64) * 0x01020304 % (1 << 32)).astype(np.uint32)
OTHERS = np.arange(32, dtype=np.uint32) + np.uint32(0xA0B0C0D0)
BITS = [(np.arange(32, dtype=np.uint64) * factor % (1 << 32)).astype(np.uint32) for factor in (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)]
STORED = U32[:64].view(np.uint16).reshape(2, 8, 8).transpose(0, 2, 1)
RANKS = np.arange(4)[:, None]
ADDRESSES = np.hstack([  # of cluster-addresses, a row a block
    RANKS, RANKS * 0 + 4, RANKS * 0 + RANKS.T, RANKS * 0 + RANKS.T, RANKS * 0 + [1, 1, 1], RANKS, RANKS * 0 + 2,
    100 * RANKS + 1, RANKS * 0 + 1, 100 * RANKS + 1, RANKS * 0 + [0, 1],
]).astype(np.uint32)  # fmt: skip
TENSOR = np.arange(24 * 80, dtype=np.float32).reshape(24, 80)[8:16, 32:64].reshape(-1)

OUTPUTS: dict[str, Numbers | Callable[[dict[str, Numbers]], Numbers]] = {
    "ldmatrix-x1": _pairs(TILES[0]),
    "ldmatrix-x2": _pairs(TILES[:2]),
    "ldmatrix-x4": _pairs(TILES),
    "ldmatrix-x1-trans": _pairs(TURNED_TILES[0]),
    "ldmatrix-x4-trans": _pairs(TURNED_TILES),
    "ldmatrix-rows-anywhere": _pairs(TILES.reshape(32, 8)[::-1]),
    "ldmatrix-padded-rows": _pairs(_matrices(U16[:256].reshape(16, 16))),
    "ldmatrix-swizzled-rows": _pairs(_matrices(U16.reshape(16, 32)[:, 16:])),
    "stmatrix-x1": U32[:32],
    "stmatrix-x4": U32[:128],
    "stmatrix-x2-trans": _pairs(STORED),
    "stmatrix-swizzled": U32[:128].reshape(4, 8, 4).transpose(1, 0, 2).reshape(-1),
    "mma-m16n8k16-bf16": product(16, 8, 16),
    "mma-m16n8k16-f16": product(16, 8, 16),
    "mma-m16n8k8-bf16": product(16, 8, 8),
    "mma-m16n8k16-half-sums": product(16, 8, 16),
    "mma-m16n8k8-tf32": product(16, 8, 8),
    "mma-m16n8k4-tf32": product(16, 8, 4),
    "mma-m16n8k32-s8": product(16, 8, 32),
    "mma-m16n8k16-s8": product(16, 8, 16),
    "mma-m8n8k4-f64": product(8, 8, 4),
    "mma-from-ldmatrix": product(16, 16, 16),
    "mma-from-swizzled-rows": product(16, 16, 16),
    "mma-b-turned": product(16, 16, 16, by_columns=False),
    "mma-sums-become-operand": product(16, 8, 16),
    "mma-two-steps-swizzled": product(16, 8, 32),
    "cp-async-4-bytes": F32[63::-1],
    "cp-async-16-bytes": np.concatenate([F32[127:95:-1], F32[255:223:-1]]),
    "cp-async-zeros": np.where(F32[:64] < 50, F32[:64], 0)[::-1],
    "cp-async-three-stages": stepped(6, 64),
    "cp-async-groups-of-nothing": stepped(3, 32, 2),
    **UPDATES,
    "red-global-add": np.array([U32[i:128:4].sum() for i in range(4)], np.uint32),
    "cache-hints": U32[:64] * np.uint32(3),
    "special-registers": np.stack([THREADS % 32, (1 << THREADS % 32) - 1, THREADS // 64], 1).reshape(-1),
    "lop3-majority": np.concatenate([BITS[0] & BITS[1] | BITS[0] & BITS[2] | BITS[1] & BITS[2], BITS[0] ^ BITS[1] ^ BITS[2]]),
    "prmt-bytes": np.concatenate([WORDS.byteswap(), WORDS & 0xFFFF | OTHERS << 16]),
    "bar-sync-ids": F32[:128].reshape(2, 64)[:, ::-1].reshape(-1),
    "bar-arrive-sync": F32[31::-1],
    "elect-one-lane": np.array([96], np.uint32),
    "mbarrier-two-phases": 2 * F32[:64][(63 - np.arange(64)) ^ 1],
    "mbarrier-producer-consumer": stepped(6, 32),
    "mbarrier-of-cp-async": F32[63::-1],
    "bulk-load": F32[255::-1],
    "bulk-load-two-stages": stepped(5, 64),
    "bulk-store": 2 * F32[127::-1],
    "wgmma-plain": product(64, 8, 16),
    "wgmma-128-byte-swizzle": product(64, 8, 64),
    "wgmma-64-byte-swizzle": product(64, 8, 32),
    "wgmma-a-in-registers": product(64, 8, 16),
    "setmaxnreg": 2 * F32[127::-1],
    "cluster-multicast": shared_tiles,
    "cluster-neighbours-memory": F32[:128].reshape(2, 2, 32)[:, ::-1].reshape(-1),
    "cluster-addresses": ADDRESSES.reshape(-1),
    "tensor-load": TENSOR,
    "tensor-load-swizzled": TENSOR,
    "defect-swizzle-of-the-store": product(16, 16, 16),
    "defect-swizzle-of-the-load": product(16, 8, 32),
    "defect-swizzle-one-bit": product(16, 8, 32),
    "defect-swizzle-of-b": product(16, 8, 32),
    "defect-fragment-halves-of-b": product(16, 16, 16),
    "defect-fragment-columns-of-b": product(16, 16, 16),
    "defect-fragment-quarters-of-a": product(16, 16, 16),
    "defect-sums-of-other-rows": product(16, 16, 16),
    "defect-wgmma-swizzle-of-b": product(64, 8, 64),
}
"""What is in the only output behind a kernel, or how it follows from A and B; for a defect that no finding tells, what should be there."""


def computed(name: str, request: LaunchRequest) -> Numbers:
    """What a kernel of the corpus should leave in its only output, as float64."""
    expected = OUTPUTS[name]
    return np.asarray(expected(operands(request)) if callable(expected) else expected, np.float64)
