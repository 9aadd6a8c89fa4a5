"""A step that waits for the schedule that breaks a data race: there must be one to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.lessons.check import problems_in
from app.core.lessons.read import read_lesson
from kernels.base.messages import Message
from tests.lessons.lesson_files import write_lesson

STRUCTURE = """topic = "own"
minutes = 5
[[step]]
name = "one"
show = { SHOWN }
[step.action]
play_race = true
[[kernel]]
name = "mine"
file = "mine.cu"
[kernel.launch]
grid = [1, 1, 1]
block = [64, 1, 1]
arguments = { a = "64:arange" }
"""
TURNED = (
    "__global__ void f(float* a) { __shared__ float s[64]; s[threadIdx.x] = a[threadIdx.x]; BARRIER a[threadIdx.x] = s[63 - threadIdx.x]; }"
)
NONE = "mine/lesson.toml: Line 3: step one: no schedule that was tried breaks the data race that the stage shows."


@pytest.mark.parametrize(
    ("show", "text", "problems"),
    [
        ('kernel = "mine"', TURNED.replace("BARRIER", ""), []),
        ('kernel = "mine"', TURNED.replace("BARRIER", "__syncthreads();"), [NONE]),
        ('variant = "gpu.tiled", n = 16, tile = 16', TURNED, [NONE]),
    ],
)
def test_what_cannot_be_played_is_a_problem_of_the_step(tmp_path: Path, show: str, text: str, problems: list[str]) -> None:
    lesson = read_lesson(write_lesson(tmp_path / "mine", STRUCTURE.replace("SHOWN", show), "# T\n## one\nidea\n", mine_cu=text))
    assert not isinstance(lesson, Message), str(lesson)
    assert [str(problem) for problem in problems_in(lesson)] == problems
