"""Sentences about a recording of all CUDA kernels: each rule copes with every rung, and precisions are not mixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pytest

from app.core.base.i18n import Translator
from app.core.insights.rules import insights
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.query import STAND_INS, select
from app.core.session.session import SIZE_AXIS, Session
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import of
from kernels.measure.results import Result, Status

SIZES = (512, 1024, 2048)
LARGER = 8192
"""The size that only tensor cores and the library reach."""


def result(variant: Variant, n: int, ms: float, **parameters: int) -> Result:
    point = Case(variant.id, Problem.square(variant.operation, n), variant.defaults | parameters)
    conditions: dict[str, str | int | float] = {"gpu": "H200", "processor": "Xeon", "registers": 64}
    if ms > 2000:
        return Result(point, Status.SKIPPED, "2026", reason=message("Too long."), conditions=conditions)
    return Result(point, Status.MEASURED, "2026", (ms, ms * 1.01), 1e-8, 1e-5, conditions=conditions)


def recording(operation: Operation) -> list[Result]:
    """Each rung 1.2 times as fast as the one before."""
    results: list[Result] = []
    for place, variant in enumerate(each for each in of(operation) if each.device is Device.GPU):
        sizes = SIZES if variant.precision is None else (*SIZES, LARGER)
        results += [result(variant, n, (n / 512) ** 3 * 1.2**-place) for n in sizes]
        tile = variant.parameter("tile")
        others = () if tile is None else (stop for stop in tile.stops if stop != tile.default)
        results += [result(variant, 2048, 90.0 + stop, tile=stop) for stop in others]
    return results


def said(results: Mapping[Provenance, Iterable[Result]], operation: Operation, language: str = "en") -> list[str]:
    session = Session()
    session.choose_operation(operation)
    choice = replace(session.timing.value, ticked=frozenset(variant.id for variant in of(operation)))
    return [Translator(language).text(insight.sentence) for insight in insights(Results(results), choice)]


@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
def test_every_rung_can_be_in_a_recording(operation: Operation) -> None:
    sentences = said({Provenance.RECORDED: tuple(recording(operation))}, operation)
    assert len(sentences) >= 3
    assert all("{" not in sentence for sentence in sentences)


def test_the_best_is_told_in_the_precision_of_the_first_and_beside_the_library_of_float32() -> None:
    sentences = said({Provenance.RECORDED: tuple(recording(Operation.MATMUL))}, Operation.MATMUL)
    fastest = next(sentence for sentence in sentences if "times as fast as Naive" in sentence)
    share = next(sentence for sentence in sentences if "% of the speed of" in sentence)
    for sentence in (fastest, share):
        assert "n = 2048" in sentence
        assert "cores, bfloat16" not in sentence
        assert "Float32 from three bfloat16" in sentence
    assert share.endswith("cuBLAS.")


def test_where_only_another_precision_is_known_its_own_library_is_told() -> None:
    results = tuple(each for each in recording(Operation.MATMUL) if each.point.variant.precision is not None)
    (share,) = (sentence for sentence in said({Provenance.RECORDED: results}, Operation.MATMUL) if "% of the speed of" in sentence)
    assert "cuBLAS, " in share


@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
def test_where_nothing_ticked_was_recorded_a_few_rungs_from_the_first_to_the_last_are_shown(operation: Operation) -> None:
    results = tuple(recording(operation))
    rungs = shown_of(results, operation)
    own = [variant for variant in of(operation) if variant.device is Device.GPU and not variant.library and variant.precision is None]
    assert [variant for variant in rungs if not variant.library][:: STAND_INS - 1] == [own[0], own[-1]]
    assert len(rungs) == STAND_INS + 1
    assert all(variant.precision is None for variant in rungs)
    assert shown_of([each for each in results if each.point.variant in own[:3]], operation) == own[:3]


def shown_of(results: Sequence[Result], operation: Operation) -> list[Variant]:
    session = Session()
    session.choose_operation(operation)
    shown = select(Results({Provenance.RECORDED: tuple(results)}), session.timing.value, SIZE_AXIS, frozenset(Provenance))
    return list(dict.fromkeys(each.point.variant for each in shown[Provenance.RECORDED]))
