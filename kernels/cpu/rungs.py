"""The multiplications of the CPU ladder, in teaching order."""

from __future__ import annotations

from kernels.cpu.parameters import THREADS, TILE
from kernels.messages import message
from kernels.spec import Device, Operation, Parameters, Variant


def _any_rows(_parameters: Parameters) -> int:
    """A part may have any number of rows."""
    return 1


def _whole_tiles(parameters: Parameters) -> int:
    """A part has whole tiles."""
    return parameters["tile"]


CPU_MULTIPLICATIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.naive", Operation.MATMUL, Device.CPU, 1,
        message("Naive, ijk"),
        message("Three loops straight from the definition: the inner loop walks down a column of B, one cache line for each element."),
        source="cpu/matmul_naive.py", entry="multiply", features=frozenset({"loop nest"}), panel_rows=_any_rows,
    ),
    Variant(
        "cpu.loop-order", Operation.MATMUL, Device.CPU, 2,
        message("Loop order, ikj"),
        message(
            "The same additions in another order: the inner loop runs along rows of B and C, "
            "so every cache line is used whole and the compiler can vectorise."
        ),
        source="cpu/matmul_loop_order.py", entry="multiply", features=frozenset({"loop nest", "vectorised"}), panel_rows=_any_rows,
    ),
    Variant(
        "cpu.blocked", Operation.MATMUL, Device.CPU, 3,
        message("Blocked"),
        message("Tiles of A, B and C small enough to stay in the cache are used again and again before the next ones come."),
        source="cpu/matmul_blocked.py", entry="multiply", parameters=(TILE,), features=frozenset({"tile", "vectorised"}),
        panel_rows=_whole_tiles,
    ),
    Variant(
        "cpu.numpy", Operation.MATMUL, Device.CPU, 4,
        message("NumPy"),
        message("The BLAS library behind NumPy: packed panels, a register-tiled inner kernel, all cores."),
        source="cpu/matmul_numpy.py", entry="multiply", parameters=(THREADS,), features=frozenset({"library"}), library=True,
    ),
)  # fmt: skip
