"""The catalogue: every variant in teaching order. To add a kernel, write its source file and add an entry: its number is its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kernels.base.spec import Operation, Variant
from kernels.catalogue.cpu_multiplications import CPU_MULTIPLICATIONS, NUMPY_MULTIPLICATION, RECURSIVE_MULTIPLICATIONS
from kernels.catalogue.cpu_packed import PACKED_MULTIPLICATIONS
from kernels.catalogue.cpu_transpositions import CPU_TRANSPOSITIONS
from kernels.catalogue.gpu_fastest import FAST_MULTIPLICATIONS
from kernels.catalogue.gpu_register_tiles import REGISTER_MULTIPLICATIONS
from kernels.catalogue.gpu_simple import GREETINGS, SIMPLE_MULTIPLICATIONS
from kernels.catalogue.gpu_tensor_cores import TENSOR_MULTIPLICATIONS
from kernels.catalogue.gpu_transpositions import GPU_TRANSPOSITIONS
from kernels.catalogue.mpi_multiplications import MPI_RUNGS


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
_BY_OPERATION = {operation: tuple(variant for variant in VARIANTS if variant.operation is operation) for operation in Operation}


def find(variant_id: str) -> Variant | None:
    """The variant with this id, or None."""
    return _BY_ID.get(variant_id)


def by_id(variant_id: str) -> Variant:
    """The variant with this id, which is known to be there."""
    variant = find(variant_id)
    assert variant is not None, variant_id
    return variant


def of(operation: Operation) -> tuple[Variant, ...]:
    """The variants of one operation in teaching order."""
    return _BY_OPERATION[operation]
