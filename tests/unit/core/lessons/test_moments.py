"""Where a lesson shows banks, its moment is an access to shared memory: a line that copies reads global memory first."""

from __future__ import annotations

import pytest

from app.core.execution.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import subject_of
from app.core.lessons.lesson import Scene
from app.core.lessons.library import shipped
from app.core.session.session import profile_named
from app.core.workbench.lesson_controller import step_at
from kernels.simt.base.types import Space

SHARED_MEMORY = 3
"""The number of the view."""
SCENES = [
    pytest.param(step.scene, id=f"{lesson.id}-{step.name}")
    for lesson in shipped()
    for step in lesson.steps
    if step.scene is not None and step.scene.line and step.scene.snapshot.view == SHARED_MEMORY
    if step.scene.snapshot.draft is None and step.scene.snapshot.stage.variant.interpreted
]


@pytest.mark.parametrize("scene", SCENES)
def test_the_moment_that_shows_banks_touches_shared_memory(scene: Scene) -> None:
    stage = scene.snapshot.stage
    subject = subject_of(stage.variant, stage.problem, stage.parameters, profile_named(scene.snapshot.profile))
    record = execute(subject)
    assert isinstance(record, LaunchRecord), record
    index = LaunchIndex(subject, record)
    step = step_at(index, scene.line, scene.occurrence)
    assert step is not None
    assert index.site(step).space is Space.SHARED
