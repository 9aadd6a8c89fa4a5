"""The transpositions of the CPU ladder, in teaching order."""

from __future__ import annotations

from kernels.cpu.parameters import TILE
from kernels.messages import message
from kernels.spec import Device, Operation, Variant

CPU_TRANSPOSITIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.transpose-naive", Operation.TRANSPOSE, Device.CPU, 1,
        message("Naive"),
        message("Reads along rows, writes down columns: each write touches another cache line."),
        source="cpu/transpose_naive.py", entry="transpose", features=frozenset({"loop nest"}),
    ),
    Variant(
        "cpu.transpose-blocked", Operation.TRANSPOSE, Device.CPU, 2,
        message("Blocked"),
        message("Tile by tile, so that the cache lines of a tile's rows and columns are all used before they leave the cache."),
        source="cpu/transpose_blocked.py", entry="transpose", parameters=(TILE,), features=frozenset({"tile"}),
    ),
)  # fmt: skip
