"""Multiplications of the CPU ladder in teaching order, those that call themselves included."""

from __future__ import annotations

from dataclasses import replace

from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Parameter, Variant
from kernels.catalogue.cpu_packed import KC, MC, NC
from kernels.catalogue.cpu_parameters import BOUNDSCHECK, CACHE_TILE, CONTIGUOUS, FASTMATH, LANES, ORDER, THREADS, TILE, refuse_lanes
from kernels.catalogue.strassen_costs import costs, error_growth

CPU_MULTIPLICATIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.naive", Operation.MATMUL, Device.CPU,
        message("Naive, ijk"),
        message("Three loops straight from the definition: the inner loop walks down a column of B, one cache line for each element."),
        source="cpu/matmul_naive.py", entry="multiply", features=frozenset({"loop nest"}),
    ),
    Variant(
        "cpu.loop-order", Operation.MATMUL, Device.CPU,
        message("Loop order"),
        message(
            "The same products in another order. With j innermost, the loop runs along rows of B and C, "
            "so every cache line is used whole and the compiler makes vectors."
        ),
        source="cpu/matmul_loop_order.py", entry="multiply", parameters=(ORDER,), features=frozenset({"loop nest", "vectorised"}),
    ),
    Variant(
        "cpu.unrolled", Operation.MATMUL, Device.CPU,
        message("Unrolled by four"),
        message("Four rows of A meet four rows of B at once: B is read a quarter as often, and C once for four products."),
        source="cpu/matmul_unrolled.py", entry="multiply", features=frozenset({"loop nest", "unrolling", "vectorised"}),
    ),
    Variant(
        "cpu.hints", Operation.MATMUL, Device.CPU,
        message("Compiler hints"),
        message(
            "Dot products along rows: the compiler makes vectors of them only if it may add up in any order, "
            "and good ones only if it knows that rows are contiguous."
        ),
        source="cpu/matmul_hints.py", entry="multiply", parameters=(CONTIGUOUS, FASTMATH, BOUNDSCHECK),
        features=frozenset({"loop nest", "vectorised"}),
    ),
    Variant(
        "cpu.simd", Operation.MATMUL, Device.CPU,
        message("SIMD"),
        message("Vector instructions written out: eight rows of C, one vector wide, stay in registers for a whole column of k."),
        source="cpu/matmul_simd.py", entry="multiply", parameters=(LANES,), constraint=refuse_lanes,
        features=frozenset({"registers", "vectorised"}),
    ),
    Variant(
        "cpu.blocked", Operation.MATMUL, Device.CPU,
        message("Blocked"),
        message(
            "Tiles of A, B and C that stay in the cache are used again and again. "
            "Ahead of whole rows (ikj) only where B no longer stays in a near cache: its inner loops are short."
        ),
        source="cpu/matmul_blocked.py", entry="multiply", parameters=(TILE,), features=frozenset({"tile", "vectorised"}),
    ),
    Variant(
        "cpu.simd-blocked", Operation.MATMUL, Device.CPU,
        message("SIMD, blocked"),
        message(
            "Both at once: a tile of B stays in the cache, eight rows of C in registers. "
            "Small tiles are slower; large ones only where the caches cannot hold all of B."
        ),
        source="cpu/matmul_simd_blocked.py", entry="multiply", parameters=(CACHE_TILE, LANES), constraint=refuse_lanes,
        features=frozenset({"tile", "registers", "vectorised"}),
    ),
    Variant(
        "cpu.simd-blocked-bt", Operation.MATMUL, Device.CPU,
        message("SIMD, B transposed"),
        message("Rows meet rows, but the lanes of every sum must be added up at the end of each tile: slower than without transposing."),
        source="cpu/matmul_simd_blocked_bt.py", entry="multiply", parameters=(CACHE_TILE, LANES), constraint=refuse_lanes,
        features=frozenset({"tile", "registers", "vectorised"}),
    ),
)  # fmt: skip

NUMPY_MULTIPLICATION = Variant(
    "cpu.numpy", Operation.MATMUL, Device.CPU,
    message("NumPy"),
    message("The BLAS library behind NumPy: packed panels, a register-tiled inner kernel, all cores."),
    source="cpu/matmul_numpy.py", entry="multiply", parameters=(THREADS,), features=frozenset({"library"}), library=True,
)  # fmt: skip


SMALLEST_PRODUCT = replace(TILE, default=128)
CROSSOVER = Parameter(
    "crossover", message("Crossover size"), default=512, minimum=2, maximum=16384, stops=(4, 8, 16, 32, 64, 128, 256, 512, 1024), small=4
)

RECURSIVE_MULTIPLICATIONS: tuple[Variant, ...] = (
    Variant(
        "cpu.divide-and-conquer", Operation.MATMUL, Device.CPU,
        message("Divide and conquer"),
        message("The longest side is halved again and again: some of the products fit into every cache, whatever its size."),
        source="cpu/matmul_divide_and_conquer.py", entry="multiply", parameters=(SMALLEST_PRODUCT,),
        features=frozenset({"recursion", "registers", "packing", "vectorised"}),
    ),
    Variant(
        "cpu.strassen", Operation.MATMUL, Device.CPU,
        message("Strassen"),
        message(
            "Seven products of half the size in place of eight, for additions, memory and a larger error; "
            "below the crossover size the packed kernel multiplies."
        ),
        source="cpu/matmul_strassen.py", entry="multiply", parameters=(CROSSOVER, MC, KC, NC), costs=costs, error_growth=error_growth,
        features=frozenset({"recursion", "registers", "packing", "vectorised"}),
    ),
)  # fmt: skip
