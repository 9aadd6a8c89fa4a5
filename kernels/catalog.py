"""The catalogue: every variant in teaching order. To add a kernel, write its source file and add an entry: its number is its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kernels.cpu.packed_rungs import PACKED_MULTIPLICATIONS
from kernels.cpu.recursive_rungs import RECURSIVE_MULTIPLICATIONS
from kernels.cpu.rungs import CPU_MULTIPLICATIONS, NUMPY_MULTIPLICATION
from kernels.cpu.transpose_rungs import CPU_TRANSPOSITIONS
from kernels.gpu.fast_rungs import FAST_MULTIPLICATIONS
from kernels.gpu.hello_rungs import GREETINGS
from kernels.gpu.register_rungs import REGISTER_MULTIPLICATIONS
from kernels.gpu.simple_rungs import SIMPLE_MULTIPLICATIONS
from kernels.gpu.tensor_rungs import TENSOR_MULTIPLICATIONS
from kernels.gpu.transpose_rungs import GPU_TRANSPOSITIONS
from kernels.mpi.rungs import MPI_RUNGS
from kernels.spec import Operation, Variant


def _numbered(entries: Iterable[Variant]) -> tuple[Variant, ...]:
    """The entries with their places in the ladders of their operations."""
    seen = Counter[Operation]()
    numbered = []
    for entry in entries:
        seen[entry.operation] += 1
        numbered.append(replace(entry, rung=seen[entry.operation]))
    return tuple(numbered)


VARIANTS = _numbered((
    *CPU_MULTIPLICATIONS,
    *RECURSIVE_MULTIPLICATIONS,
    *PACKED_MULTIPLICATIONS,
    NUMPY_MULTIPLICATION,
    *MPI_RUNGS,
    *SIMPLE_MULTIPLICATIONS,
    *REGISTER_MULTIPLICATIONS,
    *FAST_MULTIPLICATIONS,
    *TENSOR_MULTIPLICATIONS,
    *CPU_TRANSPOSITIONS,
    *GPU_TRANSPOSITIONS,
    *GREETINGS,
))  # fmt: skip
_BY_ID = {variant.id: variant for variant in VARIANTS}


def find(variant_id: str) -> Variant | None:
    """The variant with this id, or None."""
    return _BY_ID.get(variant_id)


def of(operation: Operation) -> tuple[Variant, ...]:
    """The variants of one operation in teaching order."""
    return tuple(variant for variant in VARIANTS if variant.operation is operation)
