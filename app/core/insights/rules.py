"""All rules in their order, and what they say of results."""

from __future__ import annotations

from collections.abc import Callable

from app.core.insights import blocking, cpu_multiplications, cpu_transpositions, general, gpu_multiplications, gpu_transpositions, workers
from app.core.insights.evidence import TOLD, Evidence, gather
from app.core.insights.pairs import Expectation
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import TimingChoice
from kernels.base.messages import Message
from kernels.base.values import dataclass

Rule = Callable[[Evidence], Message | None]

RULES: tuple[Rule, ...] = (
    general.best_over_first,
    general.share_of_library,
    cpu_transpositions.beside_copying,
    workers.thread_scaling,
    workers.moving_data,
    blocking.order_beats_blocked,
    blocking.blocked_beats_order,
    blocking.best_tile,
    blocking.u_shape,
    cpu_multiplications.crossover,
    cpu_multiplications.error,
    *cpu_multiplications.EXPECTATIONS,
    *cpu_transpositions.EXPECTATIONS,
    *workers.EXPECTATIONS,
    *gpu_multiplications.EXPECTATIONS,
    *gpu_transpositions.EXPECTATIONS,
    cpu_multiplications.naive_falls,
    general.small_gpu_problem,
)
"""The most telling first; expectations in the order of the ladder."""


@dataclass(frozen=True, slots=True)
class Insight:
    """Sentence about results, and on which machine and by whom the times behind it were taken."""

    sentence: Message
    provenance: Provenance
    machine: str


def insights(results: Results, choice: TimingChoice, staged: str = "", shown: frozenset[Provenance] = TOLD) -> tuple[Insight, ...]:
    """What the results of the choice show, measured ones before recorded ones, the most telling sentence of each machine first."""
    found = (
        Insight(sentence, evidence.provenance, evidence.machine)
        for evidence in gather(results, choice, staged, shown & TOLD)
        for rule in (*RULES, uneven_times)
        if (sentence := rule(evidence)) is not None
    )
    return tuple(dict.fromkeys(found))


def uneven_times(evidence: Evidence) -> Message | None:
    """Which times nothing is built on because they were disturbed or scatter: one sentence, however many comparisons it forbids."""
    expectations = (rule for rule in RULES if isinstance(rule, Expectation))
    overlapping = (sentence for each in expectations if (sentence := each.unevenly(evidence)) is not None)
    return general.uneven_times(evidence) or next(overlapping, None)
