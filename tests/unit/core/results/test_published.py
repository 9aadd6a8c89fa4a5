"""Published times: what is taken, what is left out, and in whose words it is told."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.results.curves import Provenance, SeriesKey
from app.core.results.known_results import Results
from app.core.results.published import MACHINE, NOT_STATED, load_published, note_of, published
from app.core.results.query import select
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from kernels.catalogue.catalogue import find
from kernels.measure.results import Result

ROOT = Path(__file__).resolve().parents[4]
ROW = {
    "source": "some-report", "machine": "not stated (Windows PC)", "table": "sizes", "operation": "matmul", "variant": "cpu.naive",
    "n": "128", "tile": "", "metric": "time_ms", "value": "4.83",
}  # fmt: skip


def one(**changes: str) -> tuple[Result, ...]:
    return published([{**ROW, **changes}])


def note(machine: str, provenance: Provenance = Provenance.PUBLISHED) -> str | None:
    (result,) = one(machine=machine)
    told = note_of(SeriesKey("cpu.naive", provenance, "some-report", ()), result)
    return None if told is None else str(told)


def test_a_time_is_taken_as_printed() -> None:
    (result,) = one()
    assert (result.point.variant_id, result.point.problem.n, result.median_ms) == ("cpu.naive", 128, 4.83)
    assert result.relative_error is None


def test_a_rate_is_taken_where_there_is_no_time() -> None:
    (rate,) = one(metric="gflops", value="5")
    assert rate.rate == pytest.approx(5)
    both = published([{**ROW, "metric": "gflops", "value": "5"}, ROW])
    assert [result.median_ms for result in both] == [4.83]


@pytest.mark.parametrize("changes", [{"value": "0"}, {"value": ""}, {"metric": "malloc_ms"}, {"variant": "cpu.of-the-future"}])
def test_what_cannot_be_drawn_is_left_out(changes: dict[str, str]) -> None:
    assert one(**changes) == ()


def test_a_tile_is_a_parameter_only_where_the_variant_has_one() -> None:
    assert dict(one(variant="cpu.blocked", tile="8")[0].point.parameters) == {"tile": 8}
    assert dict(one(tile="8")[0].point.parameters) == {}


def test_reports_that_name_no_machine_are_still_two() -> None:
    both = published([ROW, {**ROW, "source": "other-report", "value": "9"}])
    assert [result.median_ms for result in both] == [4.83, 9.0]


def test_of_two_printed_times_of_a_report_the_first_is_drawn() -> None:
    assert [result.median_ms for result in published([ROW, {**ROW, "table": "3", "value": "9"}])] == [4.83]


def test_the_note_never_calls_a_published_time_anything_else() -> None:
    assert note("not stated (Windows PC)") == "published in some-report, table sizes; machine not stated (Windows PC)"
    assert note("not stated") == "published in some-report, table sizes; machine not stated"
    assert note("RTX 4070") == "published in some-report, table sizes; RTX 4070"
    assert note("RTX 4070", Provenance.MEASURED) is None


def test_the_file_has_its_provenance_beside_it_and_no_row_is_left_out_by_mistake() -> None:
    folder = ROOT / "resources" / "published"
    rows = list(csv.DictReader((folder / "timings.csv").read_text(encoding="utf-8").splitlines()))
    described = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{row['source']}`" in described and row["machine"] for row in rows)
    wanted = {
        (row["source"], row["variant"], row["n"])
        for row in rows
        if row["metric"] in ("time_ms", "kernel_ms", "gflops") and float(row["value"]) > 0 and find(row["variant"])
    }
    loaded = load_published()
    assert {(str(r.conditions["source"]), r.point.variant_id, str(r.point.problem.n)) for r in loaded} == wanted
    assert all(result.median_ms and result.median_ms > 0 for result in loaded)
    assert any(str(result.conditions[MACHINE]).startswith(NOT_STATED) for result in loaded)


def test_published_times_are_drawn_when_asked_for_and_only_of_the_ticked_rungs() -> None:
    choice = replace(Session().timing.value, ticked=frozenset({"cpu.naive"}))
    model = TimingModel()
    model.add(Provenance.PUBLISHED, load_published())
    assert Provenance.PUBLISHED not in model.shown.value
    drawn = select(model.results, choice, SIZE_AXIS, frozenset(Provenance))[Provenance.PUBLISHED]
    assert {result.point.variant_id for result in drawn} == {"cpu.naive"}
    none = select(model.results, replace(choice, ticked=frozenset({"cpu.numpy"})), SIZE_AXIS, frozenset(Provenance))
    assert none[Provenance.PUBLISHED] == ()


def test_a_published_tile_is_the_one_that_is_chosen_where_the_report_has_it() -> None:
    choice = replace(Session().timing.value, ticked=frozenset({"gpu.tiled"}))
    rows = [{**ROW, "variant": "gpu.tiled", "tile": tile, "n": n} for tile, n in (("8", "128"), ("8", "256"), ("16", "128"))]
    drawn = select(Results({Provenance.PUBLISHED: published(rows)}), choice, SIZE_AXIS, frozenset(Provenance))[Provenance.PUBLISHED]
    assert [result.point.parameters["tile"] for result in drawn] == [choice.parameters["gpu.tiled"]["tile"]]
    over = select(Results({Provenance.PUBLISHED: published(rows)}), choice, "tile", frozenset(Provenance))[Provenance.PUBLISHED]
    assert [result.point.parameters["tile"] for result in over] == [8, 16]
