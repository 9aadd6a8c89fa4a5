"""Which recorded rungs a chart shows that nobody has ticked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.query import select
from app.core.session.session import SIZE_AXIS, Session, TimingChoice
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import of
from kernels.measure.results import Result
from tests.measured.timing_results import measured

RUNGS = tuple(variant for variant in of(Operation.MATMUL) if variant.device is Device.GPU)
RECORDED = tuple(measured(variant.id, 256, 1.0) for variant in RUNGS)
EVERYTHING = frozenset(Provenance)
CPU_TIME = measured("cpu.blocked", 256, 1.0, machine="Another CPU")


@pytest.fixture
def choice() -> TimingChoice:
    return Session().timing.value


def shown(results: dict[Provenance, tuple[Result, ...]], choice: TimingChoice, staged: str = "") -> dict[Provenance, list[str]]:
    found = select(Results(results), choice, SIZE_AXIS, EVERYTHING, staged)
    return {provenance: [result.point.variant_id for result in group] for provenance, group in found.items()}


@pytest.mark.parametrize("variant", RUNGS, ids=lambda variant: variant.id)
def test_the_rung_on_the_stage_is_among_them(choice: TimingChoice, variant: object) -> None:
    staged = getattr(variant, "id")  # noqa: B009
    usual = shown({Provenance.RECORDED: RECORDED}, choice)[Provenance.RECORDED]
    found = shown({Provenance.RECORDED: RECORDED}, choice, staged)[Provenance.RECORDED]
    assert staged in found
    assert len(found) == len(usual) + (staged not in usual and "cublas-" in staged)
    assert {usual[0], "gpu.three-parts", "gpu.cublas"} <= set(found)


def test_what_is_published_of_them_stands_beside(choice: TimingChoice) -> None:
    results = {Provenance.RECORDED: RECORDED, Provenance.PUBLISHED: RECORDED}
    found = shown(results, choice, "gpu.tiled")
    assert "gpu.tiled" in found[Provenance.PUBLISHED]
    assert found[Provenance.PUBLISHED] == found[Provenance.RECORDED]
    hidden = select(Results(results), choice, SIZE_AXIS, frozenset((Provenance.PUBLISHED,)), "gpu.tiled")
    assert hidden == {Provenance.PUBLISHED: ()}


def test_a_recorded_time_of_a_ticked_rung_of_another_device_leaves_them_there(choice: TimingChoice) -> None:
    found = shown({Provenance.RECORDED: (*RECORDED, CPU_TIME)}, choice)[Provenance.RECORDED]
    assert set(found) == {"cpu.blocked", *shown({Provenance.RECORDED: RECORDED}, choice)[Provenance.RECORDED]}


def test_they_go_where_their_device_was_measured_or_has_a_ticked_rung(choice: TimingChoice) -> None:
    results = {Provenance.RECORDED: (*RECORDED, CPU_TIME)}
    assert shown({**results, Provenance.MEASURED: RECORDED[:1]}, choice)[Provenance.RECORDED] == ["cpu.blocked"]
    ticked = replace(choice, ticked=choice.ticked | {"gpu.naive"})
    assert set(shown(results, ticked)[Provenance.RECORDED]) == {"cpu.blocked", "gpu.naive"}


def test_none_stand_beside_a_parameter_that_is_swept_where_the_ticked_rungs_have_times_of_it(choice: TimingChoice) -> None:
    tile = replace(choice, ticked=frozenset({"cpu.blocked"}), axis="tile", sizes=(256,), swept={"tile": (8, 16)})
    found = select(Results({Provenance.RECORDED: (*RECORDED, CPU_TIME)}), tile, "tile", EVERYTHING)
    assert {result.point.variant_id for result in found[Provenance.RECORDED]} == {"cpu.blocked"}
    elsewhere = select(Results({Provenance.RECORDED: RECORDED}), tile, "tile", EVERYTHING)
    assert "gpu.naive" in {result.point.variant_id for result in elsewhere[Provenance.RECORDED]}
