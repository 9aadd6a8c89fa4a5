"""Makes an expectation of two rungs of the GPU: however it comes out, how full their grids make the GPU is told too, where that differs."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.insights.figures import CLEARLY
from app.core.insights.filling import filled_and
from app.core.insights.finding import rungs
from app.core.insights.pairs import Expectation, Reason, Verdict


def by_gain(little: Reason, much: Reason) -> Reason:
    """`little` where the rung is hardly faster, `much` from a clear gain on."""
    return lambda pair: much(pair) if pair.ratio >= CLEARLY else little(pair)


def step(rung: str, base: str, expected: Verdict, reasons: Mapping[Verdict, Reason]) -> Expectation:
    """What the textbook expects of `rung` beside `base`, and a reason for each way that it can come out."""
    return Expectation(rungs(rung, base), expected, {verdict: filled_and(reasons.get(verdict)) for verdict in Verdict})
