"""A command of which nothing is heard for long says that it is still at work."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernels.base.messages import Message, message
from tests.command_line import CommandLine


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def half_a_second(_options: object, _console: object) -> int:
    time.sleep(0.5)
    return 0


def test_a_command_that_takes_long_says_so_less_and_less_often(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.base.heartbeat.FIRST_AFTER_S", 0.1)
    monkeypatch.setattr("app.cli.run.perform", half_a_second)
    lines = tilescope("run", "cpu.naive", "--n", "2").err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("cpu.naive: still at work after ") for line in lines)


def test_a_command_that_is_quick_says_nothing(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.run.perform", lambda _options, _console: 0)
    assert tilescope("run", "cpu.naive", "--n", "2").err == ""


def test_a_long_count_tells_how_many_accesses_it_has_counted(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.cli.base.heartbeat.FIRST_AFTER_S", 0.1)

    def count(*_asked: object, tell: Callable[[int], None], **_more: object) -> Message:
        tell(3_000_000)
        time.sleep(0.15)
        return message("Enough.")

    monkeypatch.setattr("app.cli.cache.count", count)
    assert tilescope("cache", "cpu.naive", "--n", "2").err.startswith("cpu.naive: 3.00 million accesses after 0 s\n")
