"""A page of times would tell what is asked for: it comes with the answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from app.core.base.observable import Field
from app.core.lessons.current_lesson import waits_to_show
from app.core.lessons.lesson import Lesson, Step
from app.core.lessons.read import read_lesson
from app.core.session.session import Workspace
from app.core.workbench.lesson_controller import show_scene
from tests.lessons.lesson_files import write_lesson

STRUCTURE = """topic = "own"
minutes = 5

[[step]]
name = "asks"
show = { variant = "gpu.naive", n = 64, page = "ladder"BEFORE }

[step.values]
ms = { recorded = "gpu.naive", n = 4096, count = "ms" }

[step.question]
kind = "number"
answer = "ms"

[[step]]
name = "tells"
show = { variant = "gpu.naive", n = 64, page = "ladder" }
"""
PROSE = "# T\n## asks\nidea\n### question\nq\n### answer\n{ms}\n## tells\nidea\n"


def steps(tmp_path: Path, before: str = "") -> tuple[Step, ...]:
    lesson = read_lesson(write_lesson(tmp_path / "mine", STRUCTURE.replace("BEFORE", before), PROSE))
    assert isinstance(lesson, Lesson), str(lesson)
    return lesson.steps


class Shown:
    """The states and the comparison in one, which note what is shown."""

    def __init__(self) -> None:
        self.workspaces: list[Workspace] = []
        self.pair: Field[None] = Field(None)

    def show_compared(self, snapshot: Any, _then: Any) -> None:
        self.workspaces.append(snapshot.workspace)


@pytest.mark.parametrize(("before", "workspace"), [(True, Workspace.STAGE), (False, Workspace.TIMING)])
def test_the_stage_stands_in_place_of_the_page(tmp_path: Path, before: bool, workspace: Workspace) -> None:
    scene, shown = steps(tmp_path)[0].scene, cast("Any", Shown())
    assert scene is not None
    show_scene(scene, shown, cast("Any", None), shown, cast("Any", None), before=before)
    assert shown.workspaces == [workspace]


def test_a_page_waits_for_the_answer_where_something_is_asked(tmp_path: Path) -> None:
    asks, tells = steps(tmp_path)
    assert waits_to_show(asks)
    assert not waits_to_show(tells)


def test_a_page_that_is_meant_to_be_read_is_there_at_once(tmp_path: Path) -> None:
    assert not waits_to_show(steps(tmp_path, ", before = false")[0])
