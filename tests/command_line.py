"""Runs the command line in this process and gives back what it wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli import main

LOCALE_NAMES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True, slots=True)
class Answer:
    """The exit status and the text of the two streams."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """`tilescope` with English as the system's language and a home of its own."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capsys = capsys
        for name in LOCALE_NAMES:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TILESCOPE_HOME", str(home))
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / "numba"))
        monkeypatch.setattr("app.cli.base.heartbeat.FIRST_AFTER_S", 3600.0)  # how fast the machine is does not change what is written

    def __call__(self, *arguments: str | Path) -> Answer:
        self._capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        written = self._capsys.readouterr()
        return Answer(status, written.out, written.err)

    def refused(self, *arguments: str | Path, status: int = 2) -> str:
        """The one line on standard error of a command that must be refused and write nothing else."""
        answer = self(*arguments)
        assert answer.status == status, answer
        assert answer.out == ""
        lines = answer.err.splitlines()
        assert len(lines) == 1, answer.err
        assert lines[0].startswith("tilescope: ")
        return lines[0]
