"""How far float32 products are from the exact ones, and what an error must be compared with: the curve of the error against n."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.messages import Message, message
from kernels.base.reference import UNIT_ROUNDOFF, Reference, ReferenceCache, error_bound
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.runner import Runner

ABSOLUTE_TOLERANCE = 1e-5
"""What many a course compares the difference of two results with, whatever their size."""


@dataclass(frozen=True, slots=True)
class ErrorPoint:
    """The errors of one output C of K-term sums, on inputs uniform in [-1, 1)."""

    point: Case
    absolute: float
    """The largest |C - AB|. Partial sums grow as sqrt(K), and K of them are rounded: it grows as K."""
    relative: float
    """The largest |C - AB| / (|A||B|), each element by its own: it hardly grows."""
    largest: float
    """The largest |AB|."""
    beyond: float
    """The share of the elements whose absolute error is more than `ABSOLUTE_TOLERANCE`."""
    bound: float
    """What `relative` cannot exceed, for any inputs and any order of summation: about K u."""
    expected: float
    """What it does not exceed where roundings are independent of each other: sqrt(K) u, as random walks go (N. J. Higham and T. Mary,
    SIAM Journal on Scientific Computing 41 (2019), A2815-A2835); and 4 u / sqrt(K) where A and B are rounded to a precision of that u."""

    @property
    def terms(self) -> int:
        """K."""
        return self.point.problem.k

    @property
    def within_bound(self) -> bool:
        """Whether C is right."""
        return self.relative <= self.bound

    @property
    def within_tolerance(self) -> bool:
        """Whether C passes a comparison with `ABSOLUTE_TOLERANCE`."""
        return self.absolute <= ABSOLUTE_TOLERANCE

    @property
    def sentence(self) -> Message:
        """What the two comparisons say, and which of them says something."""
        if not self.within_bound:
            return message("Wrong: the error is {times} times what rounding explains.", times=round(self.relative / self.bound, 1))
        if self.within_tolerance:
            return message("Right, and no element is further than {tolerance} from exact.", tolerance=ABSOLUTE_TOLERANCE)
        return message(
            "Right, though {percent} % of the elements are further than {tolerance} from exact: long sums need a tolerance that grows.",
            percent=100 * self.beyond, tolerance=ABSOLUTE_TOLERANCE,
        )  # fmt: skip


def errors_of(point: Case, reference: Reference, output: Matrix) -> ErrorPoint:
    """The errors of an output, or of those of its rows that are verified; infinite where an element is not finite."""
    difference = np.nan_to_num(np.abs(reference.compared(output).astype(np.float64) - reference.expected), nan=math.inf, posinf=math.inf)
    growth, precision, terms = point.error_growth or 1.0, point.variant.precision, point.problem.k
    allowed = reference.judging(point.variant, point.problem, point.parameters)
    verdict = allowed.verify(output, lambda: None)
    return ErrorPoint(
        point,
        absolute=float(difference.max(initial=0)),
        relative=math.inf if verdict.relative_error is None else verdict.relative_error,
        largest=float(np.abs(reference.expected).max(initial=0)),
        beyond=float((difference > ABSOLUTE_TOLERANCE).mean()) if difference.size else 0.0,
        bound=allowed.allowed_error,
        expected=min(math.sqrt(terms) * UNIT_ROUNDOFF * growth, error_bound(terms) * growth)
        + (0.0 if precision is None else precision.unit_roundoff * min(2, 4 / math.sqrt(max(terms, 1)))),
    )


def error_curve(
    points: Sequence[Case], runners: Mapping[Device, Runner], references: ReferenceCache, check: CancelCheck
) -> Iterator[ErrorPoint]:
    """The errors of each point, one run of each, in order. Raises `RunFailed` where one cannot run."""
    for point in points:
        inputs = references.inputs(point.problem)
        with runners[point.variant.device].prepare(point, inputs, check) as run:
            run.poison()
            run.sample(check)
            output = run.output()
        yield errors_of(point, references.reference(point.problem, check), output)


def growth_exponent(terms: Sequence[int], errors: Sequence[float]) -> float | None:
    """The p of errors that grow as K^p, by least squares of their logarithms; None from fewer than two different K."""
    known = [(math.log(k), math.log(error)) for k, error in zip(terms, errors, strict=True) if k > 0 and 0 < error < math.inf]
    if len({x for x, _ in known}) < 2:
        return None
    x, y = np.array(known).T
    return float(np.polyfit(x, y, 1)[0])
