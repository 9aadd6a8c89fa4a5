"""What the window shows of the file that it was opened with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.challenges.challenge import Attempt
from app.core.challenges.library import challenges
from app.core.lessons.library import named, shipped_ids
from app.core.state.snapshot import Snapshot
from app.core.workbench.window_arguments import LessonPosition, Tried, WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.running import show_opened
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id


@pytest.fixture
def desktop(qtbot: QtBot) -> Desktop:
    made = Desktop(WindowArguments("en", "light", "cpu.naive", (1440, 900)), None, Settings(None))
    qtbot.addWidget(made.window)
    return made


def test_a_state(desktop: Desktop) -> None:
    variant = by_id("gpu.tiled")
    show_opened(desktop.workbench, Snapshot(Case.of(variant, Problem.square(Operation.MATMUL, 64), variant.defaults)))
    assert desktop.session.stage.value.variant is variant


def test_an_attempt(desktop: Desktop) -> None:
    challenge = challenges()[0]
    attempt = Attempt.of(challenge, replace(challenge.given, text=challenge.given.text + "\n// tried"))
    show_opened(desktop.workbench, Tried(challenge, attempt))
    trying = desktop.workbench.practice.trying.value
    assert trying is not None
    assert trying.challenge == challenge
    draft = desktop.session.draft_editor.draft.value
    assert draft is not None
    assert draft.text == attempt.text


def test_a_lesson(desktop: Desktop) -> None:
    lesson = named(shipped_ids()[0])
    assert not isinstance(lesson, Message)
    show_opened(desktop.workbench, LessonPosition(lesson))
    playing = desktop.workbench.lesson_controller.player.playing.value
    assert playing is not None
    assert playing.lesson == lesson


def test_a_text_and_one_that_has_gone_since(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text('extern "C" __global__ void mine(float* x) { x[threadIdx.x] = 1.0f; }\n', encoding="utf-8")
    show_opened(desktop.workbench, path)
    draft = desktop.session.draft_editor.draft.value
    assert draft is not None
    assert "void mine" in draft.text
    show_opened(desktop.workbench, tmp_path / "gone.cu")
    assert "There is no file" in str(desktop.workbench.activity.value)
    assert desktop.session.draft_editor.draft.value == draft


def test_nothing(desktop: Desktop) -> None:
    before = desktop.session.stage.value
    show_opened(desktop.workbench, None)
    assert desktop.session.stage.value == before
