"""What Strassen's multiplication saves and what it costs: products, memory, and the error that must be allowed."""

from __future__ import annotations

import math
from collections.abc import Mapping

from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Parameters, Problem

MIB = 1 << 20
GROWTH = 1 + math.sqrt(0.5)
"""How much faster than ordinary summation's the error may grow for each level; see `error_growth`."""


def levels(problem: Problem, parameters: Parameters) -> int:
    """How often the sides are halved, as the kernel itself decides it."""
    from kernels.cpu.matmul_strassen import levels_of

    return levels_of(min(problem.m, problem.n, problem.k), parameters["crossover"])


def multiplications(problem: Problem, parameters: Parameters) -> int:
    """Products of two numbers: m n k without any level, an eighth less for each level of whole blocks."""
    depth = levels(problem, parameters)
    m, n, k = (side >> depth for side in (problem.m, problem.n, problem.k))
    saved: int = (8**depth - 7**depth) * m * n * k
    return problem.m * problem.n * problem.k - saved


def extra_memory_bytes(problem: Problem, parameters: Parameters) -> int:
    """Memory for S, T and P, of each level at once: a quarter of A, B and C, a quarter of that, and so on; nearly a third of all three."""
    depth = levels(problem, parameters)
    m, n, k = (side >> depth for side in (problem.m, problem.n, problem.k))
    blocks: int = sum(4**level for level in range(depth))
    return FLOAT32_BYTES * (m * k + k * n + m * n) * blocks


def costs(problem: Problem, parameters: Parameters) -> dict[str, int]:
    """The three, as conditions of a result."""
    return {
        "levels": levels(problem, parameters),
        "multiplications": multiplications(problem, parameters),
        "extra_memory_bytes": extra_memory_bytes(problem, parameters),
    }


def remark(conditions: Mapping[str, str | int | float], problem: Problem) -> Message | None:
    """What to say of a result of Strassen's multiplication; None of others'."""
    if "multiplications" not in conditions:
        return None
    done = int(conditions["multiplications"])
    return message(
        "Levels: {levels}; multiplications: {percent} % of m n k, to which the rate still refers; extra memory: {mib} MiB.",
        levels=conditions["levels"], percent=round(100 * done / (problem.m * problem.n * problem.k), 1),
        mib=round(int(conditions["extra_memory_bytes"]) / MIB, 1),
    )  # fmt: skip


def error_growth(problem: Problem, parameters: Parameters) -> float:
    """2 (1 + sqrt(1/2))^levels: the error that is allowed, relative to gamma_K times the largest element of |A||B|.

    Higham (Accuracy and Stability of Numerical Algorithms, 2nd edition, SIAM 2002, Theorem 23.2) bounds the error of L levels by
    (12^L (k0^2 + 5 k0) - 5 k) u max|A| max|B|, with blocks of k0 = k / 2^L. In each 12 a sum of two blocks is taken to have twice the
    norm of one. Inputs here are independent and uniform, so it has sqrt(2) times the norm, and 12 becomes 4 + 2 sqrt(2); ordinary
    summation has 4. The 2 covers the step from mean absolute values, 1/4, to mean squares, 1/3, and rows longer than the mean.
    Unlike ordinary summation's, the error of an element does not shrink with its own row and column: it is measured against the largest.
    """
    depth = levels(problem, parameters)
    return 1.0 if depth == 0 else 2 * GROWTH**depth
