"""Where Strassen's seven products are ahead of eight, and what they cost in accuracy."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.insights.evidence import Evidence, milliseconds
from app.core.insights.figures import Facts, figure
from app.core.insights.finding import named
from app.core.insights.pairs import Pair, Verdict
from kernels.messages import Message, message

WORSE = 1.5
"""Errors this far apart are called different."""


def crossover(evidence: Evidence) -> Message | None:
    """From which n on it is ahead of the kernel that it halves for; or that it is not, up to the largest n."""
    pairs = _pairs(evidence)
    told = [n for n, pair in pairs.items() if pair.verdict not in (Verdict.UNCLEAR, Verdict.SCATTERED)]
    if not told:
        return None
    last = pairs[max(told)]
    common: Facts = {
        "strassen": last.rung_name, "packed": last.base_name, "ms": milliseconds(last.rung), "base_ms": milliseconds(last.base),
        "percent": _percent(last),
    }  # fmt: skip
    if last.verdict is Verdict.FASTER:
        behind = [n for n in told if pairs[n].verdict is not Verdict.FASTER]
        first = min(n for n in told if n > max(behind, default=0))
        return message(
            "From n = {first} on, {strassen} is ahead of {packed}: at n = {n} {ms} ms against {base_ms} ms. It makes {percent} % of the "
            "multiplications.",
            first=first, n=last.n, **common,
        )  # fmt: skip
    return message(
        "Up to n = {n}, {strassen} is not ahead of {packed}: {ms} ms against {base_ms} ms, though it makes only {percent} % of the "
        "multiplications. Its additions read and write whole matrices, and that takes as long as it saves.",
        n=last.n, **common,
    )  # fmt: skip


def error(evidence: Evidence) -> Message | None:
    """How much larger its error is, at the largest n that both have."""
    pairs = [pair for pair in _pairs(evidence).values() if pair.rung.relative_error and pair.base.relative_error]
    if not pairs:
        return None
    pair = max(pairs, key=lambda pair: pair.n)
    own, other = pair.rung.relative_error or 0.0, pair.base.relative_error or 0.0
    common: Facts = {"n": pair.n, "strassen": pair.rung_name, "packed": pair.base_name, "own": f"{own:.1e}", "other": f"{other:.1e}"}
    if own >= WORSE * other:
        return message(
            "At n = {n} the error of {strassen} is {own}, that of {packed} {other}: {times} times as large. Sums and differences of "
            "quarters are rounded before they are multiplied, and what cancels in the end leaves that behind.",
            **common, times=figure(own / other),
        )  # fmt: skip
    if own > other:
        return None
    return message("At n = {n} the error of {strassen}, {own}, is no larger than that of {packed}, {other}; its bound is.", **common)


def _pairs(evidence: Evidence) -> Mapping[int, Pair]:
    """By n, where at least one level was halved."""
    strassen, packed = evidence.variant("cpu.strassen"), evidence.variant("cpu.packed")
    shared = [n for n in strassen if n in packed and int(strassen[n].conditions.get("levels", 0)) > 0]
    return {n: Pair(strassen[n], packed[n], named(strassen[n]), named(packed[n])) for n in shared}


def _percent(pair: Pair) -> str:
    """Of the multiplications that the definition asks for."""
    return figure(100 * int(pair.rung.conditions["multiplications"]) / pair.n**3)
