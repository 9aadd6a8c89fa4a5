"""The multiplications that call themselves, in teaching order."""

from __future__ import annotations

from dataclasses import replace

from kernels.cpu.packed_rungs import KC, MC, NC
from kernels.cpu.parameters import TILE
from kernels.cpu.strassen_costs import costs, error_growth
from kernels.messages import message
from kernels.spec import Device, Operation, Parameter, Variant

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
