"""Reference of a kernel's output: seeded inputs, the float64 result, and the error that float32 may leave.

Of a large output some rows in every part are verified. Inputs are drawn by all cores, with the values that one core would have drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.machine_conditions import usable_cores
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Operation, Output, Parameters, Problem, Variant
from kernels.base.values import dataclass

WHOLE_ELEMENTS = 1 << 26
"""The most elements of an output that is verified as a whole, 8192 x 8192. For a larger product the reference in float64 alone takes
minutes, and three times the memory of C."""
VERIFIED_BANDS = 128
"""Of a larger output the first and the last row are verified, and one drawn at random of each of so many bands of rows."""

Rows = npt.NDArray[np.int64]
"""Numbers of rows, ascending."""


def verified_rows(problem: Problem, seed: int) -> Rows | None:
    """The rows of C that are verified, with all of their columns; None: all rows. The same for the same seed."""
    rows, columns = problem.shapes["C"]
    if rows * columns <= WHOLE_ELEMENTS or rows <= VERIFIED_BANDS + 2:
        return None
    bands = np.linspace(0, rows, VERIFIED_BANDS + 1).astype(np.int64)
    drawn = np.random.default_rng(seed).integers(bands[:-1], bands[1:])
    return np.unique(np.concatenate(([0], drawn, [rows - 1])))


PIECE = 1 << 22
"""Numbers that are drawn in one go."""


def fill_uniform(matrices: Iterable[npt.NDArray[np.float32]], seed: int) -> None:
    """Fill C-contiguous matrices, one after the other, with the numbers in [-1, 1) that `default_rng(seed)` draws in float32."""
    drawn = 0
    with ThreadPoolExecutor(usable_cores()) as pool:
        for matrix in matrices:
            flat = matrix.reshape(-1)
            list(pool.map(partial(_fill, flat, seed, drawn), range(0, flat.size, PIECE)))
            drawn += flat.size


def _fill(flat: npt.NDArray[np.float32], seed: int, drawn: int, first: int) -> None:
    """Fill a piece, before which so many numbers of the stream belong to other matrices, and `first` to this one."""
    piece, place = flat[first : first + PIECE], drawn + first
    bits = np.random.PCG64(seed)
    bits.advance(place // 2)  # a step of the generator makes two numbers
    random = np.random.Generator(bits)
    if place % 2:
        random.random(dtype=np.float32)
    random.random(out=piece, dtype=np.float32)
    piece *= 2
    piece -= 1


UNIT_ROUNDOFF = 2.0**-24
"""Largest relative error of one rounded float32 operation."""
LONGEST_SUM = 1 << 16
"""From this many terms K on, the bound says too little: the products of inputs uniform in [-1, 1) sum up to about sqrt(K)/3, and
K u times their absolute sum of about K/4 is as much, so that a matrix of zeros would pass."""
PANEL_FLOPS = 1 << 32
PANEL_COLUMNS = 1024
PANEL_ELEMENTS = 1 << 20

_Judged = tuple[float, tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of verification. `relative_error` is None where an element is not finite; `reason` is None for a right output."""

    relative_error: float | None
    allowed_error: float
    reason: Message | None


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The right output `expected` and, for each element, the size `scale` that errors are measured against (both like C).

    An output C is right where |C - expected| <= allowed_error * scale. For a multiplication scale is |A||B|, never below
    its exact value; for a transposition the allowed error is 0. `rows` are those of C that both stand for; None: all.
    """

    expected: npt.NDArray[np.floating]
    scale: npt.NDArray[np.floating]
    allowed_error: float
    rows: Rows | None = None

    def compared(self, output: Matrix) -> Matrix:
        """The rows of C that are compared."""
        return output if self.rows is None else output[self.rows]

    def verify(self, output: Matrix, check: CancelCheck) -> Verification:
        """Compare every element of `output`, a whole C, or of the `rows`; calls `check` between panels of rows."""
        output = self.compared(output)
        if output.shape != self.expected.shape:
            raise ValueError(f"output is {output.shape}, expected {self.expected.shape}")
        worst = 0.0
        reason: Message | None = None
        for panel, (error, first) in self._judged(output, check):
            worst = max(worst, error)
            if reason is None and first is not None:
                reason = self._wrong(output, panel.start + first[0], first[1])
        return Verification(worst if math.isfinite(worst) else None, self.allowed_error, reason)

    def allowing(self, growth: float) -> Reference:
        """The reference for an algorithm that mixes all elements: an error of `growth` times as much, relative to the largest scale."""
        scale = np.broadcast_to(self.scale.max(initial=0), self.scale.shape)
        return replace(self, scale=scale, allowed_error=growth * self.allowed_error)

    def judging(self, variant: Variant, problem: Problem, parameters: Parameters) -> Reference:
        """The reference with what a variant is allowed: by its precision, by the growth of its errors, or as it is."""
        growth = 1.0 if variant.error_growth is None else variant.error_growth(problem, parameters)
        if variant.precision is not None:
            return replace(self, allowed_error=rounding_bound(variant.precision.unit_roundoff, problem.k) + growth * self.allowed_error)
        return self if variant.error_growth is None else self.allowing(growth)

    def _judged(self, output: Matrix, check: CancelCheck) -> Iterator[tuple[slice, _Judged]]:
        """What is found in each panel of rows, by all cores."""
        panels = list(_panels(*self.expected.shape))
        with ThreadPoolExecutor(max(1, min(usable_cores(), len(panels)))) as pool:
            for panel, judged in zip(panels, pool.map(partial(self._judge, output), panels), strict=True):
                check()
                yield panel, judged

    def _judge(self, output: Matrix, rows: slice) -> _Judged:
        """The largest error in some rows, and within them the place of the first that is too large."""
        errors = self._errors(output, rows)
        worst = float(errors.max())
        if worst <= self.allowed_error:
            return worst, None
        row, column = np.unravel_index(np.argmax(errors > self.allowed_error), errors.shape)
        return worst, (int(row), int(column))

    def _errors(self, output: Matrix, rows: slice) -> npt.NDArray[np.float64]:
        """Error of each element relative to its scale; infinite for what is not finite, and for an error where the scale is 0."""
        difference = np.abs(output[rows].astype(np.float64) - self.expected[rows])
        scale = self.scale[rows].astype(np.float64)
        errors = np.divide(difference, scale, out=np.where(difference == 0, 0.0, np.inf), where=scale > 0)
        return np.nan_to_num(errors, copy=False, nan=np.inf)

    def _wrong(self, output: Matrix, row: int, column: int) -> Message:
        value, expected = _distinct(float(output[row, column]), float(self.expected[row, column]))
        return message(
            "Wrong result: C[{row}][{column}] is {value}, expected {expected}. No time is shown for this point.",
            row=row if self.rows is None else int(self.rows[row]), column=column, value=value, expected=expected,
        )  # fmt: skip


class ReferenceCache:
    """Inputs and reference of one problem, kept until another problem is asked for.

    A sweep owns one and runs all variants of a problem in a row, so the reference is computed once for all of them.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._problem: Problem | None = None
        self._inputs: dict[str, Matrix] = {}
        self._reference: Reference | None = None

    def inputs(self, problem: Problem) -> dict[str, Matrix]:
        """The input matrices of `problem`; not to be written to."""
        if problem != self._problem:
            self._problem, self._reference = problem, None
            self._inputs = random_inputs(problem, self.seed)
        return self._inputs

    def reference(self, problem: Problem, check: CancelCheck, output: Output = Output.RESULT) -> Reference:
        """What C must hold for `inputs(problem)`; calls `check` between panels of its computation."""
        inputs = self.inputs(problem)
        if output is Output.COPY:
            return copied(problem, inputs["A"], verified_rows(problem, self.seed))
        if self._reference is None:
            self._reference = compute_reference(problem, inputs, check, verified_rows(problem, self.seed))
        return self._reference


def random_inputs(problem: Problem, seed: int) -> dict[str, Matrix]:
    """The input matrices by name: float32, C-contiguous, uniform in [-1, 1), the same for the same seed."""
    inputs = {name: np.empty(shape, dtype=np.float32) for name, shape in problem.shapes.items() if name != "C"}
    fill_uniform(inputs.values(), seed)
    return inputs


def error_bound(terms: int) -> float:
    """gamma_K = K u / (1 - K u): |C - AB| <= gamma_K |A||B| for sums of K float32 products.

    It holds elementwise for every order of summation, with and without fused multiply-add (N. J. Higham, Accuracy and
    Stability of Numerical Algorithms, 2nd edition, SIAM 2002, Lemma 3.1 and section 3.5). `terms` is below 2**24.
    """
    return terms * UNIT_ROUNDOFF / (1 - terms * UNIT_ROUNDOFF)


def rounding_bound(unit_roundoff: float, terms: int) -> float:
    """What rounding A and B first may change in a sum of K products, relative to |A||B|: (2u + u^2) min(1, 64 / (3 sqrt(K))).

    A product changes by at most 2u + u^2 of itself. In a long sum these changes, being independent, cancel: by Hoeffding's inequality
    they pass 8 (2u + u^2) sqrt(sum (ab)^2) with a probability below 10^-13. For uniform inputs that root is about 4 / (3 sqrt(K)) of
    the sum of |ab|, and below twice as much wherever it decides.
    """
    return (2 * unit_roundoff + unit_roundoff**2) * min(1.0, 64 / (3 * math.sqrt(max(terms, 1))))


def refuse_verification(problem: Problem, free_bytes: int | None, growth: float = 1.0) -> Message | None:
    """The reason why an output of `problem` could not be verified, or None. `free_bytes` is the host's free memory, None if unknown.

    `growth` is the algorithm's `error_growth`.
    """
    if not problem.shapes:
        return message("This kernel prints: there is nothing to time. {command} shows what it says.", command="tilescope trace")
    longest = math.ceil(LONGEST_SUM / growth ** (2 / 3))  # errors grow as growth K^(3/2) relative to the results
    if problem.operation is Operation.MATMUL and problem.k >= longest:
        return message(
            "k = {k} cannot be verified: from k = {limit} on, the rounding errors that float32 allows are as large as the results.",
            k=problem.k, limit=longest,
        )  # fmt: skip
    needed = verification_bytes(problem)
    if free_bytes is not None and needed > free_bytes:
        return message(
            "{m} × {n} needs {needed} GiB of main memory with its verification; {free} GiB are free.",
            m=problem.m, n=problem.n, needed=round(needed / 2**30, 1), free=round(free_bytes / 2**30, 1),
        )  # fmt: skip
    return None


def verification_bytes(problem: Problem) -> int:
    """Main memory that a verified run takes: inputs, a runner's copies of them, outputs, the float64 reference and its scale."""
    rows, columns = problem.shapes["C"]
    if (some := verified_rows(problem, 0)) is not None:
        rows = len(some)
    reference = 3 * FLOAT32_BYTES if problem.operation is Operation.MATMUL else FLOAT32_BYTES
    return 2 * problem.bytes + (reference - FLOAT32_BYTES) * rows * columns


def compute_reference(problem: Problem, inputs: dict[str, Matrix], check: CancelCheck, some: Rows | None = None) -> Reference:
    """The reference of `problem` on `inputs`, for some rows of C or all; calls `check` between panels."""
    A = inputs["A"]
    if problem.operation is Operation.TRANSPOSE:
        expected = A.T if some is None else A.T[some]
        return Reference(expected, np.abs(expected), 0.0, some)
    A, B = A if some is None else A[some], inputs["B"]
    expected = np.empty((len(A), problem.n), dtype=np.float64)
    scale = np.empty((len(A), problem.n), dtype=np.float32)
    for first in range(0, problem.n, PANEL_COLUMNS):
        columns = slice(first, first + PANEL_COLUMNS)
        B_exact, B_size = B[:, columns].astype(np.float64), np.abs(B[:, columns])
        for rows in _panels(len(A), min(PANEL_COLUMNS, problem.n), PANEL_FLOPS // (2 * max(problem.k, 1))):
            check()
            expected[rows, columns] = A[rows].astype(np.float64) @ B_exact
            scale[rows, columns] = np.abs(A[rows]) @ B_size
    # Nothing cancels in a sum of absolute values, so float32 leaves at most the relative error gamma_K in |A||B|; this
    # division, with its own roundings, lifts it to at least the exact value. float64 errs 2**29 times less than is allowed.
    scale /= np.float32(1 - error_bound(problem.k + 3))
    return Reference(expected, scale, error_bound(problem.k), some)


def copied(problem: Problem, A: Matrix, some: Rows | None = None) -> Reference:
    """The reference of a copy: the elements of A in A's own order, in the shape of C, all or those in some rows."""
    in_shape = A.reshape(problem.shapes["C"])
    expected = in_shape if some is None else in_shape[some]
    return Reference(expected, np.abs(expected), 0.0, some)


def _panels(rows: int, columns: int, elements: int = PANEL_ELEMENTS) -> Iterator[slice]:
    """Slices of whole rows, each about `elements` elements."""
    step = max(1, elements // columns)
    return (slice(first, min(first + step, rows)) for first in range(0, rows, step))


def _distinct(value: float, expected: float) -> tuple[float | str, float | str]:
    """Return both numbers as they are to be shown: with more digits where three would look the same, in words where not finite."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else str(value), expected
    if f"{value:.3g}" == f"{expected:.3g}":
        return f"{value:.9g}", f"{expected:.9g}"
    return value, expected
