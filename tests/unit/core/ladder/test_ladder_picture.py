"""The ladder of a device at one n: shares, gains over the rung that each improves on, and the sentences about them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.cli import main
from app.core.insights import gpu_multiplications, gpu_transpositions
from app.core.insights.evidence import gather
from app.core.insights.pairs import Expectation
from app.core.ladder.model import LadderModel
from app.core.ladder.picture import IMPROVES, Ladder, base_of, best_size, ladders, sizes_of
from app.core.ladder.sentences import base_text, facts_of, gain_text, title_of
from app.core.predictions.recorded_counters import recorded_results
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from kernels.base.messages import message
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import VARIANTS, by_id, of
from kernels.measure.results import EDITED, Result
from tests.measured.timing_results import GPU, LATE, disturbed, measured, refused

N = 1024
TIMES = {"naive": 8.0, "naive-global": 32.0, "tiled": 4.0, "conflict-free": 4.04, "cublas": 1.0, "wmma-tf32": 2.0, "cublas-tf32": 0.5}


def recorded() -> list[Result]:
    return [measured(f"gpu.{name}", N, ms) for name, ms in TIMES.items()] + [refused("gpu.prefetch", N, message("Too long."))]


def the_ladder(*more: Result) -> Ladder:
    results = Results({Provenance.RECORDED: (*recorded(), *more)})
    (ladder,) = ladders(results, Session("gpu.naive").timing.value, Device.GPU, N)
    return ladder


def pairs(operation: Operation, expectations: tuple[Expectation, ...]) -> set[tuple[str, str]]:
    """The rungs that expectations are about with what they are compared with, where all of the GPU's were timed."""
    results = tuple(measured(variant.id, N, 1.0) for variant in of(operation) if variant.device is Device.GPU)
    session = Session()
    session.choose_operation(operation)
    choice = replace(session.timing.value, ticked=frozenset(result.point.variant_id for result in results))
    (evidence,) = gather(Results({Provenance.MEASURED: results}), choice)
    found = [pair for expectation in expectations if (pair := expectation.find(evidence)) is not None]
    return {(pair.rung.point.variant_id, pair.base.point.variant_id) for pair in found}


@pytest.mark.parametrize(("uneven", "why"), [
    ("naive", "disturbed by other programs (firefox)"), ("cublas", "from a time that was disturbed or scatters"), ("", None),
])  # fmt: skip
def test_a_share_from_a_disturbed_time_has_its_sign_and_the_reason_among_the_facts(uneven: str, why: str | None) -> None:
    ladder = the_ladder(*(disturbed(measured(f"gpu.{uneven}", N, TIMES[uneven], created=LATE)) for _ in uneven[:1]))
    rung = ladder.rung("gpu.naive")
    assert rung is not None
    told = {str(name): str(value) for name, value in facts_of(ladder, rung)}
    assert told["Of the library"] == ("≈ 12 %" if why else "12 %")
    assert told.get("≈") == why


def test_all_rungs_of_the_device_are_there_in_order() -> None:
    expected = [variant.id for variant in of(Operation.MATMUL) if variant.device is Device.GPU]
    assert [rung.variant.id for rung in the_ladder().rungs] == expected


def test_shares_are_of_the_library_of_the_same_precision_and_gains_over_the_rung_that_is_improved_on() -> None:
    ladder = the_ladder()
    shown: dict[str, object] = {
        rung.variant.id: (rung.share and rung.share.percent, rung.base.id if rung.base else None, rung.gain)
        for rung in ladder.rungs
        if rung.ms is not None
    }
    assert shown["gpu.naive"] == (pytest.approx(12.5), None, None)
    assert shown["gpu.naive-global"] == (pytest.approx(3.125), "gpu.naive", pytest.approx(0.25))
    assert shown["gpu.tiled"] == (pytest.approx(25.0), "gpu.naive", pytest.approx(2.0))
    assert shown["gpu.conflict-free"] == (pytest.approx(100 / 4.04), "gpu.coalesced-bt", None)
    assert shown["gpu.cublas"] == (pytest.approx(100.0), None, None)
    assert shown["gpu.wmma-tf32"] == (pytest.approx(25.0), "gpu.fastest", None)


def test_a_rung_without_a_time_says_why() -> None:
    ladder = the_ladder()
    reasons = {rung.variant.id: str(rung.reason) for rung in ladder.rungs if rung.ms is None}
    assert reasons["gpu.prefetch"] == "Too long."
    assert reasons["gpu.async"] == "not timed at this size"
    rung = ladder.rung("gpu.prefetch")
    assert rung is not None
    assert [str(value) for _, value in facts_of(ladder, rung)] == ["Too long."]


def test_a_gain_has_a_sign_beside_its_number_and_the_number_of_the_rung() -> None:
    ladder = the_ladder(measured("gpu.coalesced-bt", N, 4.0))
    told = {rung.variant.id: (gain_text(rung), str(base_text(rung))) for rung in ladder.rungs if rung.gain is not None}
    naive, bt = (by_id(name) for name in ("gpu.naive", "gpu.coalesced-bt"))
    assert told["gpu.tiled"] == ("▲ × 2.00", f"over {naive.rung}")
    assert told["gpu.naive-global"] == ("▼ × 0.25", f"over {naive.rung}")
    assert told["gpu.conflict-free"] == ("= × 0.99", f"over {bt.rung}")


@pytest.mark.parametrize(("uneven", "told"), [("naive", "▲ ≈ × 2.00"), ("tiled", "▲ ≈ × 2.00"), ("cublas", "▲ × 2.00")])
def test_a_gain_from_a_disturbed_time_is_told_as_about_so_much(uneven: str, told: str) -> None:
    ladder = the_ladder(disturbed(measured(f"gpu.{uneven}", N, TIMES[uneven], created=LATE)))
    rung = ladder.rung("gpu.tiled")
    assert rung is not None
    assert rung.result is not None
    facts = {str(name): str(value) for name, value in facts_of(ladder, rung)}
    assert rung.result is not None
    assert facts["Speed"].startswith("≈ ") is rung.result.uneven is facts["Time"].startswith("≈ ")
    assert (gain_text(rung), facts["Gain"].startswith("≈ × 2.00 over"), "≈" in facts) == (told, "≈" in told, True)


def test_times_of_machines_and_provenances_are_not_mixed_and_edited_copies_are_left_out() -> None:
    edited = measured("gpu.tiled", N, 0.1)
    edited = replace(edited, point=replace(edited.point, parameters={**edited.point.parameters, EDITED: 1}))
    results = Results({
        Provenance.MEASURED: (measured("gpu.naive", N, 1.0, machine="Mine"), replace(edited, conditions={"gpu": "Mine"})),
        Provenance.RECORDED: (*recorded(), measured("gpu.naive", N, 3.0, machine="Other"), measured("gpu.naive", 2 * N, 9.0)),
    })  # fmt: skip
    found = ladders(results, Session("gpu.naive").timing.value, Device.GPU, N)
    assert [(ladder.provenance, ladder.machine) for ladder in found] == [
        (Provenance.MEASURED, "Mine"), (Provenance.RECORDED, GPU), (Provenance.RECORDED, "Other"),
    ]  # fmt: skip
    mine, _, other = found
    assert [rung.ms for rung in mine.rungs if rung.ms is not None] == [1.0]
    assert [rung.ms for rung in other.rungs if rung.ms is not None] == [3.0]
    assert "measured here, Mine" in str(title_of(mine))
    assert sizes_of(results, Operation.MATMUL, Device.GPU) == (N, 2 * N)
    assert best_size(results, Operation.MATMUL, Device.GPU) == N


def test_what_a_rung_improves_on_comes_before_it_and_lessons_are_about_the_same_rung() -> None:
    assert set(IMPROVES) <= {variant.id for variant in VARIANTS}
    expectations = pairs(Operation.MATMUL, gpu_multiplications.EXPECTATIONS) | pairs(Operation.TRANSPOSE, gpu_transpositions.EXPECTATIONS)
    for variant in VARIANTS:
        base = base_of(variant)
        if base is not None:
            assert base.rung < variant.rung
            assert (base.operation, base.device, base.library) == (variant.operation, variant.device, False)
            assert variant.device is not Device.GPU or (variant.id, base.id) in expectations


@pytest.mark.parametrize(("operation", "rungs"), [(Operation.MATMUL, 36), (Operation.TRANSPOSE, 11)])
def test_the_recording_of_an_h200_is_complete_and_every_counted_rung_is_explained(operation: Operation, rungs: int) -> None:
    session, timing = Session(), TimingModel()
    session.choose_operation(operation)
    timing.add(Provenance.RECORDED, recorded_results("h200"))
    model = LadderModel(session, timing)
    model.choose_device(Device.GPU)
    assert model.choose_size(4096) is None
    picture = model.picture()
    assert picture is not None
    assert len(picture.ladder.rungs) == rungs
    for rung in picture.ladder.rungs:
        assert rung.share is not None
        if rung.variant.id == "gpu.three-parts":  # nothing is published that its products of parts could be a share of
            assert rung.peak_share is None
        else:
            assert rung.peak_share is not None
            assert 0 < rung.peak_share.percent < 100
    own = [rung for rung in picture.ladder.rungs if rung.base is not None]
    unexplained = [rung.variant.id for rung in own if not any("Nsight" in str(said) for said in picture.sentences.get(rung.variant.id, ()))]
    assert unexplained == []


def test_the_page_follows_the_stage_and_keeps_what_was_chosen() -> None:
    session, timing = Session("gpu.tiled"), TimingModel()
    model = LadderModel(session, timing)
    assert model.picture() is None
    timing.add(Provenance.RECORDED, recorded())
    timing.add(Provenance.MEASURED, [measured("cpu.naive", 256, 3.0)])
    picture = model.picture()
    assert picture is not None
    assert (picture.ladder.device, picture.ladder.n, picture.chosen, picture.devices) == (
        Device.GPU, N, "gpu.tiled", (Device.GPU, Device.CPU),
    )  # fmt: skip
    model.explain("gpu.naive")
    assert (chosen := model.picture()) is not None
    assert chosen.chosen == "gpu.naive"
    assert "there are times for 256, 1024" in str(model.choose_size(77))
    model.choose_device(Device.CPU)
    assert (other := model.picture()) is not None
    assert (other.ladder.device, other.ladder.n) == (Device.CPU, 256)


def test_a_size_that_only_another_device_was_timed_at_shows_that_device() -> None:
    timing = TimingModel()
    timing.add(Provenance.RECORDED, recorded())
    timing.add(Provenance.MEASURED, [measured("cpu.naive", 256, 3.0)])
    model = LadderModel(Session("cpu.blocked"), timing)
    assert model.choose_size(N) is None
    assert (picture := model.picture()) is not None
    assert (picture.ladder.device, picture.ladder.n, picture.ladder.provenance) == (Device.GPU, N, Provenance.RECORDED)
    assert "there are times for 256, 1024." in str(model.choose_size(77))


def test_the_command_writes_the_table_and_the_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "transpose", "--n", "8192", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "gpu.transpose-vectorized" in out
    assert "▲ × 1.05 over 13" in out
    assert "took little of the time" in out
    assert main(["ladder", "transpose", "--n", "8192", "--json", "--lang", "en"]) == 0
    found = json.loads(capsys.readouterr().out)
    (ladder,) = [each for each in found if each["machine"] == "NVIDIA H200" and each["provenance"] == "recorded"]
    rungs = {rung["id"]: rung for rung in ladder["rungs"]}
    padded = rungs["gpu.transpose-padded"]
    assert padded["over"] == "gpu.transpose-shared"
    assert padded["gain"] == pytest.approx(1.048, abs=1e-3)
    assert 0 < padded["percent_of_peak"] < padded["percent_of_library"] < 100
    assert padded["parameters"] == {"tile": 16, "padding": 1}
    assert len(padded["sentences"]) == 1


@pytest.mark.parametrize(("arguments", "said"), [
    (("hello", "--n", "64"), "hello"),
    (("matmul", "--n", "64", "--device", "tpu"), "tpu"),
    (("matmul", "--n", "77"), "No rung was timed at n = 77; there are times for 128, 256"),
    (("transpose", "--n", "64", "--device", "mpi"), "None of these rungs was timed here, and no time of one is recorded."),
    (("matmul", "--n", "0"), "--n"),
])  # fmt: skip
def test_what_cannot_be_shown_is_refused_in_words(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert main(["ladder", *arguments, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err
