"""Parameters whose values have names: the number is kept, the name is typed and shown."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from app.cli.base.measurement import Outcome
from app.core.base.parsing import parameter_list, parameter_value
from app.core.results.labels import name_of
from kernels.base.limits import refuse_parameters
from kernels.base.messages import Message
from kernels.base.spec import Operation, Parameter, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.export import csv_text, result_object
from kernels.measure.results import Result, Status
from tests.command_line import CommandLine
from tests.named_variant import BLOCK, NAMED, ORDER, ORDERS, add_to_catalogue

WRONG = "--letters: 'kkk' is not one of ijk, ikj, jik, jki, kij, kji."


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    add_to_catalogue(monkeypatch)
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """The points that are asked for; each takes 2 ms."""
    asked: list[Case] = []

    def measure(points: list[Case], *_: object) -> Outcome:
        asked.extend(points)
        return Outcome([timed(point) for point in points], len(points), interrupted=False)

    monkeypatch.setattr("app.cli.run.measure", measure)
    monkeypatch.setattr("app.cli.sweep.measure", measure)
    return asked


def timed(point: Case) -> Result:
    return Result(point, Status.MEASURED, "2025-01-01T00:00:00Z", (2.0,), 1e-7, 1e-6)


def point_of(**parameters: int) -> Case:
    return Case(NAMED.id, Problem.square(Operation.MATMUL, 64), parameters)


@pytest.mark.parametrize("text", ["kij", " KIJ ", "ｋｉｊ"])
def test_a_name_is_read_however_it_is_typed(text: str) -> None:
    assert parameter_value("--letters", text, ORDER) == 4


@pytest.mark.parametrize("text", ["kkk", "", "4", "kij,ijk"])
def test_another_word_is_refused_with_all_names(text: str) -> None:
    reason = parameter_value("--letters", text, ORDER)
    assert isinstance(reason, Message)
    assert str(reason) == WRONG.replace("kkk", text)


def test_a_parameter_without_names_takes_numbers() -> None:
    assert parameter_value("--depth", "16", BLOCK) == 16
    assert str(parameter_value("--depth", "65", BLOCK)) == "--depth must be at most 64, not 65."
    assert parameter_list("--depth", "2:8:x2", BLOCK) == (2, 4, 8)


@pytest.mark.parametrize(("text", "values"), [("kij,ijk,kij", (0, 4)), ("all", tuple(range(6))), ("All ", tuple(range(6)))])
def test_a_list_of_names(text: str, values: tuple[int, ...]) -> None:
    assert parameter_list("--letters", text, ORDER) == values


def test_a_list_with_a_wrong_name_is_refused() -> None:
    assert str(parameter_list("--letters", "kij,kkk", ORDER)) == WRONG


def test_a_number_that_has_no_name_is_refused_by_the_limits() -> None:
    assert refuse_parameters(NAMED, {"letters": 5, "depth": 4}) is None
    assert str(refuse_parameters(NAMED, {"letters": 6, "depth": 4})) == WRONG.replace("--letters", "letters").replace("kkk", "6")


def test_a_name_tells_lines_apart_also_at_its_default() -> None:
    assert str(name_of(NAMED, {"letters": 4, "depth": 8})) == "Named, Depth 8, kij"
    assert str(name_of(NAMED, NAMED.defaults)) == "Named, ikj"


def test_an_export_has_the_number_and_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    add_to_catalogue(monkeypatch)
    result = timed(point_of(letters=4, depth=8))
    exported = result_object(result)
    assert exported["parameters"] == {"letters": 4, "depth": 8}
    assert exported["parameter_names"] == {"letters": "kij"}
    row = next(csv.DictReader(io.StringIO(csv_text([result]))))
    assert (row["letters"], row["depth"]) == ("kij", "8")


def test_a_run_is_asked_for_and_told_by_name(tilescope: CommandLine, measured: list[Case]) -> None:
    answer = tilescope("run", NAMED.id, "--n", "64", "--letters", "jki")
    assert answer.status == 0
    assert "letters = jki, depth = 4" in answer.out
    assert [dict(point.parameters) for point in measured] == [{"letters": 3, "depth": 4}]


def test_a_sweep_takes_all_names_and_lists(tilescope: CommandLine, measured: list[Case], tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    answer = tilescope("sweep", NAMED.id, "--n", "64", "--letters", "all", "--depth", "2,4", "--out", table)
    assert answer.status == 0
    assert [tuple(point.parameters.values()) for point in measured] == [(order, depth) for order in range(6) for depth in (2, 4)]
    assert [row["letters"] for row in csv.DictReader(io.StringIO(table.read_text(encoding="utf-8")))] == [
        name for name in ORDERS for _ in range(2)
    ]
    assert answer.out.count("letters = kji") == 2


@pytest.mark.usefixtures("measured")
def test_a_wrong_name_is_refused_in_one_sentence(tilescope: CommandLine, tmp_path: Path) -> None:
    for command in (("run", NAMED.id), ("sweep", NAMED.id, "--out", tmp_path / "t.csv")):
        answer = tilescope(*command, "--n", "64", "--letters", "kkk")
        assert (answer.status, answer.out, answer.err.strip()) == (2, "", f"tilescope: {WRONG}")


def test_help_and_list_name_the_values(tilescope: CommandLine) -> None:
    assert "Order of the loops: one of ijk, ikj" in " ".join(tilescope("run", "--help").out.split())
    assert "or all" in tilescope("sweep", "--help").out
    entry = next(entry for entry in tilescope("list", "--json").json if entry["id"] == NAMED.id)
    assert [parameter["names"] for parameter in entry["parameters"]] == [list(ORDERS), []]


def named_parameters() -> list[Parameter]:
    return [parameter for variant in (*catalogue.VARIANTS, NAMED) for parameter in variant.parameters if parameter.names]


@pytest.mark.parametrize("parameter", named_parameters(), ids=lambda parameter: parameter.name)
def test_named_values_count_from_0(parameter: Parameter) -> None:
    assert (parameter.minimum, parameter.maximum) == (0, len(parameter.names) - 1)
    assert len({name.lower() for name in parameter.names}) == len(parameter.names)
    assert not any(name.strip() != name or "," in name or name.lower() == "all" for name in parameter.names)
    assert parameter.written(parameter.default) == parameter.names[parameter.default]
