"""`tilescope run gpu.hello`: the interpreter's order beside a GPU's, observed or recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.core.gpu_view.prints import differing, order_rows
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.spec import Device
from kernels.measure.print_orders import HOST, HOST_LINE, Recorded, Shape
from tests.command_line import CommandLine

ARGUMENTS = ("run", "gpu.hello", "--blocks", "2", "--threads-x", "2", "--threads-y", "1")
SHAPE = Shape(2, 2, 1)
OTHER = (HOST, 2, 0, 1, 3)
"""Block 1 comes first, and around block 0."""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr("app.cli.run.probe", lambda _device: DeviceStatus(Device.GPU, Availability.NO_DRIVER, ""))
    monkeypatch.setattr("app.cli.run.recorded", lambda: Recorded({"gpu": "NVIDIA H200", "recorded": "2026-11-21"}, {SHAPE: (OTHER,)}))
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


class Gpu:
    """The GPU's process, for one question."""

    def start(self) -> None: ...

    def ask(self, _check: object, method: str, _status: DeviceStatus, parameters: dict[str, int], runs: int) -> Any:
        assert (method, Shape.of(parameters)) == ("greet", SHAPE)
        return (OTHER,) * (runs - 1) + ((HOST, 0, 1, 2, 3),)

    def close(self) -> None: ...


def test_both_orders_stand_side_by_side_with_what_holds_of_them(command: CommandLine) -> None:
    lines = command(*ARGUMENTS).out.splitlines()
    assert lines[0].split() == ["Interpreter", "GPU"]
    assert lines[1].split(HOST_LINE) == ["", "  ".ljust(len(SHAPE.line(0)) - len(HOST_LINE) + 2), ""]
    assert lines[2].startswith(SHAPE.line(0))
    assert lines[2].endswith(SHAPE.line(2))
    held = {line.rsplit(maxsplit=3)[0]: line.split()[-3:] for line in lines if line.endswith((" 0", " 1"))}
    assert held["Blocks begin in the order of their numbers"] == ["no", "yes", "0"]
    assert held["Blocks are contiguous: no line of another between two lines of one"] == ["no", "yes", "0"]
    assert held["What the host prints before it waits comes first"] == ["yes", "yes", "1"]
    assert "Places where another line stands: 3 of 5" in lines
    assert lines[-1] == "GPU: NVIDIA H200, recorded 2026-11-21"


def test_a_gpu_that_is_there_is_asked(command: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.run.probe", lambda _device: DeviceStatus(Device.GPU, Availability.READY, "Toy GPU"))
    monkeypatch.setattr("app.cli.run.GpuProcess", Gpu)
    answer = command(*ARGUMENTS, "--json").json
    assert answer["gpu_source"] == "Toy GPU, just now"
    assert [run[1] for run in answer["gpu"]] == [SHAPE.line(2), SHAPE.line(2), SHAPE.line(0)]
    assert answer["properties"][-1]["gpu_runs"] == 1


def test_where_no_order_is_known_the_interpreters_is_shown_with_the_reason(command: CommandLine) -> None:
    answer = command(*ARGUMENTS[:-1], "3")
    assert answer.status == 0
    assert answer.err.startswith("No order on a GPU is known for this launch")
    assert answer.out.splitlines()[0] == "Interpreter"


@pytest.mark.parametrize("size", ["--n", "--m", "--k"])
def test_sizes_of_matrices_are_refused(command: CommandLine, size: str) -> None:
    assert command.refused(*ARGUMENTS, size, "4") == f"tilescope: {size} is a size of matrices; gpu.hello has none."


def test_rows_count_the_runs_in_which_a_property_held() -> None:
    in_order = (HOST, 0, 1, 2, 3)
    rows = order_rows(in_order, (OTHER, in_order, (0, 1, 2, 3, HOST)), SHAPE)
    assert [(row.promised, row.interpreter, row.gpu) for row in rows] == [
        (True, True, 3), (True, True, 2), (False, True, 2), (False, True, 2), (False, True, 3), (False, True, 2),
    ]  # fmt: skip
    assert (differing(in_order, in_order), differing(in_order, OTHER), differing(in_order, OTHER[:3])) == (0, 3, 4)
