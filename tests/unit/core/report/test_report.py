"""Lab reports: what they tell, and that they are whole in each form."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from app.core.base.i18n import LANGUAGES, Translator
from app.core.export.player_page import player_page, title_of_page
from app.core.report.build import NOTHING, build, by_parameter, by_size, speed_ups, verification
from app.core.report.content import Asked, Figure, Playable, Report, Room, Section, Tabular
from app.core.report.written import html_text, markdown_text, plain
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.gpu_use_times import UsePart, UseTimes
from kernels.measure.results import Result, Status

IDS = ("cpu.naive", "cpu.blocked", "cpu.numpy")


def result(variant: str, n: int, ms: float, tile: int = 0) -> Result:
    session = Session(variant)
    parameters = dict(session.timing.value.parameters[variant]) | ({"tile": tile} if tile else {})
    point = Case(variant, Problem.square(Operation.MATMUL, n), parameters)
    times = (ms, ms * 1.1, ms * 1.2)
    return Result(point, Status.MEASURED, "2026-11-22T00:00:00", times, 1e-7, 1e-5, conditions={"processor": "Test CPU"})


def numbers(grid: Tabular | None, column: int) -> list[object]:
    """A column of a table, counted from its names on, rounded."""
    assert grid is not None
    return [round(row[column], 6) if isinstance(row[column], float) else row[column] for row in grid.rows]  # type: ignore[arg-type]


def asked(*results: Result, axis: str = "n") -> Asked:
    session = Session("cpu.blocked")
    choice = replace(session.timing.value, ticked=frozenset(IDS), axis=axis)
    return Asked(choice, Provenance.MEASURED, Results({Provenance.MEASURED: results}), "Ada <b>")


def some() -> Asked:
    tile = Session("cpu.blocked").timing.value.parameters["cpu.blocked"]["tile"]
    refused = replace(result("cpu.naive", 256, 1.0), status=Status.SKIPPED, times_ms=(), reason=message("Too long."))
    return asked(
        result("cpu.naive", 128, 8.0), refused, result("cpu.blocked", 128, 4.0), result("cpu.blocked", 256, 30.0),
        result("cpu.blocked", 256, 20.0, tile=2 * tile), result("cpu.numpy", 128, 1.0), result("cpu.numpy", 256, 8.0),
    )  # fmt: skip


def report_of(what: Asked) -> Report:
    made = build(what, (), "2026-11-22")
    assert isinstance(made, Report)
    return made


def grids(report: Report) -> list[Tabular]:
    return [part for section in report.sections for part in section.parts if isinstance(part, Tabular)]


def test_times_stand_by_size_and_variant() -> None:
    times = by_size(some())[0]
    assert [numbers(times, column) for column in range(4)] == [[128, 256], [8.8, None], [4.4, 33.0], [1.1, 8.8]]
    assert [str(note) for note in times.notes] == ["Naive, ijk, n = 256: Too long."]


def test_the_share_of_the_library_is_of_the_same_size() -> None:
    share = by_size(some())[-1]
    assert [numbers(share, column)[0] for column in (1, 2, 3)] == [12.5, 25.0, 100.0]


def test_speed_ups_are_over_the_first_variant() -> None:
    grid = speed_ups(some())
    assert [numbers(grid, column)[0] for column in (1, 2, 3)] == [1.0, 2.0, 8.0]
    assert speed_ups(asked(result("cpu.naive", 128, 8.0))) is None


def test_a_parameter_has_a_table_where_two_values_were_measured() -> None:
    grid = by_parameter(some(), "tile")
    assert numbers(grid, 1) == [33.0, 22.0]
    assert by_parameter(asked(result("cpu.blocked", 128, 4.0)), "tile") is None


def test_errors_are_told_with_the_bound_that_they_are_held_to() -> None:
    assert verification(some()).rows[0][1:] == (1, 0, 1e-7, 1e-5)


def test_a_report_has_room_for_the_students_words_and_a_figure() -> None:
    parts = [part for section in report_of(some()).sections for part in section.parts]
    assert sum(isinstance(part, Room) for part in parts) >= 4
    assert [part.axis for part in parts if isinstance(part, Figure)] == ["n", "tile"]


def test_transfers_are_told_of_ticked_variants() -> None:
    point = result("cpu.naive", 128, 1.0).point
    use = UseTimes(point, pinned=False, created="", times_ms={UsePart.KERNEL: (3.0, 2.0), UsePart.TO_DEVICE: (1.0, 0.5)})
    made = build(some(), (use, replace(use, pinned=True)), "")
    assert isinstance(made, Report)
    grid = next(grid for grid in grids(made) if "One use" in grid.title.template)
    assert [row[-1] for row in grid.rows] == [2.5]


def test_a_report_explains_only_what_is_in_it() -> None:
    """Of a processor alone nothing is said of GPUs, whatever the machine has."""
    conditions = {"processor": "Test CPU", "gpu": "Test GPU", "nvidia_driver": "1", "cuda_driver": "13"}
    own = [replace(result("cpu.naive", n, 1.0), conditions=conditions) for n in (64, 128)]
    said = html_text(report_of(asked(*own)), Translator("en"), lambda _figure: None)
    assert "Test CPU" in said
    assert not re.search(r"\bGPU|CUDA|ransfer", said)
    session = Session("gpu.tiled")
    choice = replace(session.timing.value, ticked=frozenset(("gpu.tiled",)))
    gpu = replace(result("gpu.tiled", 64, 1.0), conditions=conditions)
    of_gpu = Asked(choice, Provenance.MEASURED, Results({Provenance.MEASURED: (gpu,)}))
    said = html_text(report_of(of_gpu), Translator("en"), lambda _figure: None)
    assert "Test GPU" in said
    assert "no copies, no compiling" in said


def test_transfers_have_a_table_for_each_variant_in_teaching_order() -> None:
    uses = [UseTimes(result(name, n, 1.0).point, pinned=False, created="", times_ms={UsePart.KERNEL: (1.0, 2.0)})
            for name in ("cpu.blocked", "cpu.naive") for n in (256, 128)]  # fmt: skip
    made = build(some(), uses, "")
    assert isinstance(made, Report)
    found = [grid for grid in grids(made) if "One use" in grid.title.template]
    assert [str(grid.title).rsplit(": ", 1)[1] for grid in found] == ["Naive, ijk", "Blocked"]
    assert [[row[0] for row in grid.rows] for grid in found] == [[128, 256]] * 2


def test_without_results_there_is_a_reason() -> None:
    assert build(asked(), (), "") is NOTHING


class Elements(HTMLParser):
    """Which elements a text has, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_is_whole_and_runs_nothing(language: str) -> None:
    text = html_text(report_of(some()), Translator(language), lambda figure: f"<svg>{figure.axis}</svg>")
    elements = Elements()
    elements.feed(text)
    assert elements.open == []
    assert elements.seen.isdisjoint({"script", "link", "iframe", "object", "b"})
    assert "Ada &lt;b&gt;" in text
    assert "<svg>tile</svg>" in text
    assert not re.search(r"https?:", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_markdown_are_straight(language: str) -> None:
    text = markdown_text(report_of(some()), Translator(language), lambda figure: f"{figure.axis}.svg")
    assert "(tile.svg)" in text
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_names_do_not_become_markup() -> None:
    assert plain("a|b <i> *c*\n# d") == "a\\|b \\<i\\> \\*c\\* \\# d"


def test_a_player_plays_in_a_frame_that_can_do_nothing_else() -> None:
    page = player_page("A <tile>", b"packed", Translator("en"))
    assert title_of_page(page) == "A <tile>"
    assert title_of_page("<html><title>other</title></html>") is None
    report = Report(message("Report"), "", "", (Section(message("Scenes"), (Playable("A <tile>", page),)),))
    text = html_text(report, Translator("en"), lambda _: None)
    (frame,) = re.findall(r"<iframe [^>]*>", text)
    assert 'sandbox="allow-scripts allow-top-navigation-to-custom-protocols allow-popups"' in frame
    (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert unescape(inside) == page
    assert "<script" not in text
    assert r"A \<tile\>" in markdown_text(report, Translator("en"), lambda _: None)
