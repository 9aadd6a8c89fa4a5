"""Whole programs in lessons: how they are read, counted, and shown from main's events to a launch on the stage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.lesson_metrics.metric import Metric, Source
from app.core.lesson_metrics.programs import count_of_run
from app.core.lessons.check import found_metrics, problems_in, run_of
from app.core.lessons.lesson import Lesson, Scene
from app.core.lessons.numbers import numbers_of
from app.core.lessons.read import read_lesson
from app.core.session.session import Session
from app.core.workbench.workbench import Workbench
from kernels.base.messages import Message
from kernels.simt.host.result import EventKind, ProgramRun
from tests.lessons.lesson_files import write_lesson
from tests.running_workbench import while_running
from tests.waiting import until

MINE = """#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main(int argc, char** argv)
{
    int first, *d_x, *d_lost;
    cudaMalloc(&d_x, 256);
    cudaMalloc(&d_lost, 1024);
    fill<<<1, 64>>>(d_x, 7);
    fill<<<1, atoi(argv[1])>>>(d_x, 8);
    cudaMemcpy(&first, d_x, 4, cudaMemcpyDeviceToHost);
    printf("first: %d\\n", first);
    cudaFree(d_x);
    return 3;
}
"""
STRUCTURE = """topic = "own"
minutes = 5

[[program]]
name = "mine"
file = "mine.cu"
words = "64"

[[program]]
name = "large"
file = "mine.cu"
words = "2000"

[[step]]
name = "one"
show = { program = "mine", line = "cudaMemcpy(" }
claims = ["first == 8", "lost == 1024", "failed == 0"]

[step.values]
first = { program = "mine", count = "printed_value" }
lost = { program = "mine", count = "leaked_bytes", memory = "device" }
failed = { program = "mine", count = "failed_launches" }
large = { program = "large", count = "failed_launches" }

[[step]]
name = "two"
show = { program = "large", launch = 1 }
"""
PROSE = "# T\n## one\n{first} {lost} {failed} {large}\n\nidea\n## two\nidea\n"


def read(folder: Path, before: str = "", after: str = "") -> Lesson | Message:
    assert before in STRUCTURE
    structure = STRUCTURE.replace(before, after, 1) if before else STRUCTURE
    return read_lesson(write_lesson(folder / "mine", structure, PROSE.replace("{first} {lost} {failed} {large}\n\n", ""), mine_cu=MINE))


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    found = read(tmp_path_factory.mktemp("lessons"))
    assert isinstance(found, Lesson), str(found)
    return found


@pytest.fixture(scope="module")
def run(lesson: Lesson) -> ProgramRun:
    found = run_of(lesson.programs["mine"].job)
    assert isinstance(found, ProgramRun), found
    return found


def counted(run: ProgramRun, count: str, **options: str) -> object:
    return count_of_run(run, Metric(Source.PROGRAM, count, None, tuple(options.items()), "mine"))


def test_a_program_is_run_with_its_words(lesson: Lesson) -> None:
    assert list(problems_in(lesson)) == []
    step = lesson.steps[0]
    assert numbers_of(step.values, found_metrics(lesson, step).get) == {"first": 8.0, "lost": 1024.0, "failed": 0.0, "large": 1.0}


def test_numbers_are_those_of_the_run(run: ProgramRun) -> None:
    assert [counted(run, name) for name in ("launches", "launched_threads", "largest_block", "status", "findings")] == [2, 128, 64, 3, 1]
    assert [counted(run, name) for name in ("bytes_copied_to_device", "bytes_copied_to_host", "copies_to_host")] == [0, 4, 1]
    assert (counted(run, "allocations"), counted(run, "allocations", memory="host"), counted(run, "allocated_bytes")) == (2, 0, 1280)
    assert (counted(run, "leaks"), counted(run, "findings", name="leak"), counted(run, "finding_line", name="leak")) == (1, 1, 10)
    assert (counted(run, "first_wait_line"), counted(run, "event_line", operation="launch"), counted(run, "printed_lines")) == (13, 12, 1)
    assert isinstance(counted(run, "finding_line", name="race"), Message)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('show = { program = "mine"', 'show = { program = "other"', "program names none of the lesson's programs"),
        ('first = { program = "mine"', 'first = { program = "gpu.naive"', "program names none of the file's programs"),
        ('count = "printed_value"', 'count = "wavefronts"', "count must be one of"),
        ("launch = 1", "launch = 0", "launch must be from 1"),
        ('line = "cudaMemcpy("', 'kernel = "mine"', "kernel names none of the lesson's kernels"),
        ('name = "large"', 'name = "mine"', "name is there twice"),
        ('file = "mine.cu"', 'file = "../mine.cu"', "file must be a .cu file in the same folder"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(tmp_path: Path, before: str, after: str, reason: str) -> None:
    refused = read(tmp_path, before, after)
    assert isinstance(refused, Message)
    assert "Line " in str(refused)
    assert reason in str(refused)


def test_a_text_without_main_is_no_program(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "mine", STRUCTURE, PROSE, mine_cu="__global__ void k() {}\n")
    assert "has no main" in str(read_lesson(folder))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('line = "cudaMemcpy("', 'line = "#include"', "main does nothing that the page shows"),
        ("launch = 1 }", 'launch = 2, line = "x[threadIdx.x]" }', "launch 2 is none that the stage can show"),
        ("lost == 1024", "lost == 0", "it is not true that lost == 0"),
    ],
)
def test_what_is_not_so_is_found(tmp_path: Path, before: str, after: str, reason: str) -> None:
    found = read(tmp_path, before, after)
    assert isinstance(found, Lesson), str(found)
    assert reason in " ".join(str(problem) for problem in problems_in(found))


@pytest.fixture
def workbench() -> Iterator[Workbench]:
    yield from while_running(Session())


def test_a_step_shows_the_page_and_then_a_launch(lesson: Lesson, workbench: Workbench) -> None:
    page, player = workbench.program_page, workbench.lesson_controller.player
    player.open(lesson)
    until(lambda: page.shown.value and not workbench.states.arrival.pending, workbench.tick)
    frame = page.frame.value
    assert frame is not None
    assert (frame.event.kind, frame.event.location.line) == (EventKind.COPY, 13)
    until(lambda: player.settled, workbench.tick)
    playing = player.playing.value
    assert playing is not None
    assert playing.numbers == {"first": 8.0, "lost": 1024.0, "failed": 0.0, "large": 1.0}
    player.next()
    until(lambda: workbench.stage_ready and not workbench.states.arrival.pending and not page.program.running.value, workbench.tick)
    assert (page.shown.value, page.program.launch.value, page.program.arguments.value) == (False, 0, "2000")
    assert page.program.launches[1].refused is not None
    player.close()
    assert page.program.arguments.value == ""


def test_before_the_answer_the_page_stands_before_the_event(lesson: Lesson, workbench: Workbench) -> None:
    scene = lesson.steps[0].scene
    assert isinstance(scene, Scene)
    workbench.lesson_controller.show(scene, before=True)
    until(lambda: workbench.program_page.shown.value and not workbench.states.arrival.pending, workbench.tick)
    frame = workbench.program_page.frame.value
    assert frame is not None
    assert frame.event.kind is EventKind.LAUNCH
