"""A lesson's folder: what is read of it, and that whatever is wrong is told with its file and line, and never carried out."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from app.core.lesson_metrics.metric import Source
from app.core.lessons.lesson import Lesson, QuestionKind
from app.core.lessons.library import own
from app.core.lessons.read import read_lesson
from kernels.base.messages import Message
from tests.lessons.lesson_files import CHINESE, ENGLISH, STRUCTURE, write_lesson

KERNEL = """
[[kernel]]
name = "mine"
file = "mine.cu"

[kernel.launch]
grid = [1, 1, 1]
block = [32, 1, 1]
"""
COPY = "__global__ void copy(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"


def read(folder: Path) -> Lesson:
    lesson = read_lesson(folder)
    assert isinstance(lesson, Lesson), str(lesson)
    return lesson


def refused(tmp_path: Path, before: str, after: str, english: str = ENGLISH, **more: str) -> str:
    """Why the lesson is refused in which `before` is `after`."""
    assert before in STRUCTURE + KERNEL
    lesson = read_lesson(write_lesson(tmp_path / "mine", (STRUCTURE + KERNEL).replace(before, after, 1), english, mine_cu=COPY, **more))
    assert isinstance(lesson, Message)
    return str(lesson)


def test_a_folder_into_a_lesson(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "mine", STRUCTURE + KERNEL, mine_cu=COPY)
    (folder / "zh_CN.md").write_text(CHINESE, encoding="utf-8")
    lesson = read(folder)
    assert (lesson.id, lesson.topic, lesson.minutes, lesson.folder) == ("mine", "own", 5, folder)
    assert list(lesson.texts) == ["en", "zh_CN"]
    first, second = lesson.steps
    assert first.scene is not None
    assert (first.scene.snapshot.stage.variant.id, first.scene.snapshot.view, first.scene.line) == (
        "gpu.transpose-shared",
        3,
        "tile[tx][ty]",
    )
    assert [(metric.source, metric.count) for metric in first.metrics] == [(Source.LAUNCH, "most_wavefronts")]
    assert first.question is not None
    assert first.question.kind is QuestionKind.CHOICE
    assert [choice.number for choice in first.question.choices] == [16, 32]
    assert (first.line, second.line) == (4, 18)
    assert second.action is not None
    assert (second.action.parameter, second.action.value) == ("tile", 16)
    assert lesson.kernels["mine"].text == COPY


def test_a_lesson_in_one_language_is_shown_in_the_other_too(tmp_path: Path) -> None:
    assert read(write_lesson(tmp_path / "mine")).text("zh_CN").title == "A lesson"


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("minutes = 5", "minutes = 99", "mine/lesson.toml: Line 2: minutes must be from 1 to 60, not 99."),
        ("minutes = 5", "minutes = true", "mine/lesson.toml: Line 2: minutes must be a whole number, not true or false."),
        ("minutes = 5", "minutes = " + "9" * 400, "mine/lesson.toml: Line 2: minutes must be from 1 to 60, not …."),
        ("minutes = 5", "minutes = " + "9" * 5000, "mine/lesson.toml: This is no TOML:"),
        ("minutes = 5", "minutes = inf", "mine/lesson.toml: Line 2: minutes must be a whole number, not inf."),
        ("minutes = 5", "", "mine/lesson.toml: minutes is missing."),
        ('topic = "own"', "topic = 3", "mine/lesson.toml: Line 1: topic must be a text, not a whole number."),
        ('topic = "own"', "topic = [[[[", "mine/lesson.toml: Line 2, column 1: this is no TOML: a value is expected here."),
        ('topic = "own"', "topic = " + "[" * 5000, "mine/lesson.toml: This is no TOML that can be read."),
        ('topic = "own"', "author = 1\ntopic = 'x'",
         "mine/lesson.toml: Line 1: author is not known here; known are kernel, minutes, program, step, topic."),
        ('name = "first"', 'nome = "first"', "mine/lesson.toml: Line 4: step 1, name is missing."),
        ('name = "second"', 'name = "first"', "mine/lesson.toml: Line 19: step 2, name is there twice."),
        ("gpu.transpose-shared", "nothing", "mine/lesson.toml: Line 6: step 1, show.variant names none of the variants."),
        ("gpu.transpose-shared", "gpu.transpose-shard",
         "mine/lesson.toml: Line 6: step 1, show.variant names none of the variants; gpu.transpose-shared is the nearest."),
        ("n = 64", 'n = "64"', 'mine/lesson.toml: Line 6: step 1, show.n must be a whole number, not "64".'),
        ("n = 64", "n = 1e9", "mine/lesson.toml: Line 6: step 1, show.n must be a whole number, not 1000000000.0."),
        ("n = 64", "n = 1048576", "mine/lesson.toml: Line 6: m must be at most 16384, not 1048576."),
        ("tile = 32", "tile = 64", "mine/lesson.toml: Line 6: 64"),
        ("view = 3", "view = 10", "mine/lesson.toml: Line 6: step 1, show.view must be from 0 to 9, not 10."),
        ("view = 3", 'preset = "big"', "mine/lesson.toml: Line 6: step 1, show.preset must be one of"),
        ("view = 3", "seconds = 3", "mine/lesson.toml: Line 6: step 1, show.seconds is not known here; known are"),
        ('"waves == 32"', '"waves ="', "mine/lesson.toml: Line 7: step 1, claims 'waves =' is no calculation with numbers and names."),
        ('"waves == 32"', '"ways == 32"', "mine/lesson.toml: Line 7: step 1, claims speaks of ways, which is none of the step's values."),
        ('count = "most_wavefronts"', 'count = "luck"', "mine/lesson.toml: Line 10: step 1, values.waves.count must be one of"),
        ("waves = {", "'a b' = {", "mine/lesson.toml: Line 9: step 1, values.a b is no name that a text can use."),
        ('half = "waves / 2"', 'half = "later / 2"', "mine/lesson.toml: Line 11: step 1, values.half speaks of later"),
        ('kind = "choice"', 'kind = "essay"', "mine/lesson.toml: Line 14: step 1, question.kind must be one of choice, lane, number"),
        ("choices = [16, 32]", "choices = [16]", "mine/lesson.toml: Line 15: step 1, question.choices must be from 2 to 6."),
        ('answer = "waves"', "", "mine/lesson.toml: Line 13: step 1, question.answer is missing."),
        ('kind = "choice"', 'kind = "lane"\nlanes = "others"',
         "mine/lesson.toml: Line 15: step 1, question.lanes names none of the step's values."),
        ('parameter = "tile"', 'parameter = "speed"',
         "mine/lesson.toml: Line 22: step 2, action.parameter is no parameter of what the stage shows."),
        ("value = 16", "value = 4096", "mine/lesson.toml: Line 23: step 2, action.value is none that tile can have."),
        ("value = 16", "at_end = true",
         "mine/lesson.toml: Line 21: step 2, action must have one of parameter, variant, at_end, play_race."),
        ("grid = [1, 1, 1]", "grid = [1, 1]", "mine/lesson.toml: Line 30: kernel 1, launch.grid must hold x, y and z."),
        ("block = [32, 1, 1]", "block = [4096, 1, 1]", "mine/lesson.toml: Line 29: A block has from 1 to 1024 threads along x, not 4096."),
    ],
)  # fmt: skip
def test_what_is_refused_is_told_with_file_and_line(tmp_path: Path, before: str, after: str, reason: str) -> None:
    assert refused(tmp_path, before, after).startswith(reason)


def test_of_many_names_the_nearest_are_told(tmp_path: Path) -> None:
    reason = refused(tmp_path, 'count = "most_wavefronts"', 'count = "most_wavefront"')
    assert re.search(r"count must be one of \d+ names, of which most_wavefronts, .* are the nearest, not \"most_wavefront\"", reason)


@pytest.mark.parametrize(
    ("english", "reason"),
    [
        (ENGLISH.replace("{half}", "{quarter}"), "mine/en.md: Line 7: quarter is none of the values of the step first."),
        (ENGLISH + "\n## third\nidea\n", "mine/en.md: Line 21: the lesson has no step third."),
        (ENGLISH.replace("## second", "## last"), "mine/en.md: Line 15: the lesson has no step last."),
        (ENGLISH[: ENGLISH.index("## second")],
         "mine/en.md: The text of the step second, which begins in line 18 of lesson.toml, is missing: write it below a line ## second."),
        (ENGLISH.replace("{half}", "{half"), "mine/en.md: Line 7: { has no other half: names of values stand between braces."),
        (ENGLISH.replace("### question\nHow many?\n", ""), "mine/en.md: Line 4: the step first asks, but its text has no question."),
        (ENGLISH + "\n### question\nReally?\n", "mine/en.md: Line 15: the step second asks nothing, but its text does."),
        (ENGLISH.replace("### answer\n{waves}.\n", ""), "mine/en.md: Line 4: the step first has no answer."),
        (ENGLISH.replace("### answer", "### option x\nwords\n### answer"), "mine/en.md: Line 4: the option x is not in both files."),
        ("x" * ((1 << 20) + 1), "mine/en.md: "),
    ],
)  # fmt: skip
def test_texts_must_say_what_the_steps_ask_for(tmp_path: Path, english: str, reason: str) -> None:
    assert refused(tmp_path, "minutes = 5", "minutes = 5", english).startswith(reason)


@pytest.mark.parametrize(
    "name",
    ["../secret.cu", "/etc/secret.cu", "..\\\\secret.cu", "C:secret.cu", "secret\\u0000.cu", ".cu", "secret.txt", "a b.cu", "~/x.cu"],
)  # fmt: skip
def test_a_kernel_is_a_file_of_the_same_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.cu").write_text("secret", encoding="utf-8")
    reason = refused(tmp_path, 'file = "mine.cu"', f'file = "{name}"')
    assert reason == "mine/lesson.toml: Line 27: kernel 1, file must be a .cu file in the same folder."


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("name", ["lesson.toml", "en.md", "mine.cu"])
def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    folder = write_lesson(tmp_path / "mine", STRUCTURE + KERNEL, mine_cu=COPY)
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert str(read_lesson(folder)).endswith(f"{name} leads out of the folder.")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_is_no_file_that_is_waited_for(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "mine", STRUCTURE + KERNEL)
    os.mkfifo(folder / "mine.cu")
    assert str(read_lesson(folder)) == "mine/lesson.toml: There is no file mine.cu."


def test_arguments_of_a_kernel_read_no_files(tmp_path: Path) -> None:
    launch = 'block = [32, 1, 1]\narguments = { a = "@/etc/passwd" }'
    assert "what others have written may not read files" in refused(tmp_path, "block = [32, 1, 1]", launch)


def test_a_folder_of_lessons_gives_those_that_can_be_read_and_the_reasons_of_others(tmp_path: Path) -> None:
    write_lesson(tmp_path / "good")
    write_lesson(tmp_path / "spoilt", "topic = ")
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    lessons, problems = own(tmp_path)
    assert [lesson.id for lesson in lessons] == ["good"]
    assert [str(problem).split(":")[0] for problem in problems] == ["spoilt/lesson.toml"]
    assert own(tmp_path / "nowhere")[0] == []
    assert "nowhere" in str(own(tmp_path / "nowhere")[1][0])
