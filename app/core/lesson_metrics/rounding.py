"""Lesson metrics of rounding: what it does to a product whose sums are formed in float32 one by one, and what would not be noticed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from app.core.lesson_metrics.metric import Metric, Value
from kernels.base.arrays import Matrix, never
from kernels.base.messages import Message, message
from kernels.base.reference import Reference, compute_reference, random_inputs
from kernels.base.spec import Operation, Problem
from kernels.base.values import dataclass

SEED = 0
LARGEST = 1 << 26
"""Products, up to which this takes a moment."""
KEPT = 4
INPUTS: Mapping[str, Callable[[Matrix], Matrix]] = {
    "uniform": lambda x: x,
    "hundreds": lambda x: (x + np.float32(1)) * np.float32(50),
    "ones": np.ones_like,
}
"""Made of matrices uniform in [-1, 1): those, positive ones up to 100, and nothing but ones."""


@dataclass(frozen=True, eq=False)
class Product:
    """A product in float32, and what it should be."""

    A: Matrix
    B: Matrix
    reference: Reference

    @cached_property
    def forwards(self) -> Matrix:
        """Summed from k = 0 on, as the naive kernels do."""
        return summed(self.A, self.B)

    @cached_property
    def backwards(self) -> Matrix:
        """Summed from the last k on."""
        return summed(self.A[:, ::-1], self.B[::-1])

    @cached_property
    def fused(self) -> Matrix:
        """Summed from k = 0 on by fused multiply-adds, as GPUs do."""
        return fused(self.A, self.B)

    @property
    def errors(self) -> npt.NDArray[np.float64]:
        return np.abs(self.forwards.astype(np.float64) - self.reference.expected)

    @property
    def mistaken(self) -> npt.NDArray[np.float64]:
        """Errors where B is read by columns for rows."""
        return np.abs(summed(self.A, np.ascontiguousarray(self.B.T)).astype(np.float64) - self.reference.expected)


Count = Callable[[Product, Metric], float]


def count_of_rounding(metric: Metric) -> Value | Message:
    """Return a lesson metric about a square product. `inputs` chooses the matrices, `tolerance` what is allowed."""
    problem, inputs = metric.of.problem, metric.text("inputs", "uniform")
    if problem.operation is not Operation.MATMUL or problem.m != problem.n or problem.n != problem.k or problem.flops // 2 > LARGEST:
        return message("Rounding is told of products of square matrices with at most {most} multiplications.", most=LARGEST)
    if inputs not in INPUTS:
        return message("{inputs} are no inputs: there are {known}.", inputs=inputs, known=", ".join(INPUTS))
    return COUNTS[metric.count](_product(problem, inputs), metric)


def summed(A: Matrix, B: Matrix) -> Matrix:
    """A B, each product and each sum rounded to float32, in the order of k."""
    C = np.zeros((A.shape[0], B.shape[1]), np.float32)
    for k in range(A.shape[1]):
        C += A[:, k : k + 1] * B[k]
    return C


def fused(A: Matrix, B: Matrix) -> Matrix:
    """A B in the order of k, each product exact, each sum rounded: to float64, which rarely shows, and then to float32."""
    C = np.zeros((A.shape[0], B.shape[1]), np.float32)
    wide_a, wide_b = A.astype(np.float64), B.astype(np.float64)
    for k in range(A.shape[1]):
        C = (C + wide_a[:, k : k + 1] * wide_b[k]).astype(np.float32)
    return C


@lru_cache(maxsize=KEPT)
def _product(problem: Problem, inputs: str) -> Product:
    made = {name: INPUTS[inputs](matrix) for name, matrix in random_inputs(problem, SEED).items()}
    return Product(made["A"], made["B"], compute_reference(problem, made, never))


def _of_result(product: Product, _fact: Metric) -> float:
    """The largest error relative to the element itself."""
    return float((product.errors / np.abs(product.reference.expected)).max())


def _noticed(product: Product, _fact: Metric) -> float:
    reference = product.reference
    return float((product.mistaken > reference.allowed_error * reference.scale).sum())


COUNTS: Mapping[str, Count] = {
    "absolute_error": lambda product, _fact: float(product.errors.max()),
    "error_of_scale": lambda product, _fact: float((product.errors / product.reference.scale).max()),
    "error_of_result": _of_result,
    "beyond": lambda product, metric: float((product.errors > metric.number("tolerance")).sum()),
    "order_changes": lambda product, _fact: float((product.forwards != product.backwards).mean()),
    "fusing_changes": lambda product, _fact: float((product.forwards != product.fused).mean()),
    "noticed": _noticed,
}
"""`error_of_scale` is relative to |A||B|, as verification has it; `noticed`: elements that fail where B is read transposed."""
