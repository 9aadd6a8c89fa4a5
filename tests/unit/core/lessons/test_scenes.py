"""What a scene can set beside the stage: the n of a ladder, published points over curves, a real run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.timeline import Unit
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.banks import banks_picture
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.ladder.picture import sizes_of
from app.core.lessons.lesson import Lesson, Scene
from app.core.lessons.library import shipped
from app.core.lessons.read import read_lesson
from app.core.lessons.recorder import step_lines
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.published import recorded_files
from app.core.session.session import Session
from app.core.stage.model import FIRST_STEP_ASKED, GpuPicture
from app.core.timing.model import TimingPage
from app.core.workbench.workbench import Workbench
from kernels.analysis.banks import BANKS
from kernels.base.messages import Message
from kernels.base.spec import Operation
from kernels.measure.recording_file import load_recorded
from tests.lessons.lesson_files import write_lesson
from tests.running_workbench import while_running

STRUCTURE = 'topic = "own"\nminutes = 5\n[[step]]\nname = "one"\nshow = {{ {show} }}\n'
LADDER = 'variant = "gpu.naive", n = 64, page = "ladder", ladder_n = 8192'
CURVES = 'variant = "gpu.naive", n = 64, page = "curves", published = true, timing = { ticked = ["gpu.naive"] }'
FIRST_ACCESS = 'variant = "gpu.naive", n = 16, tile = 16, view = 4, line = "A["'
COLUMN = 'variant = "gpu.transpose-shared", n = 64, tile = 32, view = 3, line = "tile[tx][ty]"'
FIRST_STATEMENT = 'variant = "cpu.naive", n = 4, line = "total += "'
RUN = 'variant = "cpu.parallel", n = 16, run = 256'
SCENES = [step.scene for lesson in shipped() for step in lesson.steps if step.scene is not None]


def read(tmp_path: Path, show: str) -> Lesson | Message:
    return read_lesson(write_lesson(tmp_path / "mine", STRUCTURE.format(show=show), "# T\n## one\nidea\n"))


def scene_of(tmp_path: Path, show: str) -> Scene:
    lesson = read(tmp_path, show)
    assert isinstance(lesson, Lesson), str(lesson)
    scene = lesson.steps[0].scene
    assert scene is not None
    return scene


@pytest.fixture
def workbench() -> Iterator[Workbench]:
    yield from while_running(Session())


def test_a_ladder_opens_at_the_n_that_the_step_speaks_of(tmp_path: Path, workbench: Workbench) -> None:
    workbench.ladder.choose_size(512)
    workbench.lesson_controller.show(scene_of(tmp_path, LADDER), before=False)
    assert workbench.ladder.choice.value.n == 8192
    assert workbench.timing.page.value is TimingPage.LADDER
    workbench.lesson_controller.show(scene_of(tmp_path / "other", LADDER.replace(", ladder_n = 8192", "")), before=False)
    assert workbench.ladder.choice.value.n == 0


def test_published_points_are_laid_over_curves_and_taken_away_again(tmp_path: Path, workbench: Workbench) -> None:
    workbench.lesson_controller.show(scene_of(tmp_path, CURVES), before=False)
    assert Provenance.PUBLISHED in workbench.timing.shown.value
    workbench.lesson_controller.show(scene_of(tmp_path / "other", CURVES.replace("true", "false")), before=False)
    assert Provenance.PUBLISHED not in workbench.timing.shown.value


@pytest.mark.parametrize("own", [frozenset({Provenance.MEASURED}), frozenset(Provenance)])
def test_the_results_of_before_are_shown_after_a_lesson(tmp_path: Path, workbench: Workbench, own: frozenset[Provenance]) -> None:
    shown, player = workbench.timing.shown, workbench.lesson_controller.player
    shown.value = own
    player.open(lesson_of(tmp_path, (CURVES, TRANSPOSED)), 0)
    for number in (0, 1):
        player.go(number)
        settle(workbench)
    assert Provenance.PUBLISHED in shown.value
    player.close()
    assert shown.value == own


BESIDE = 'variant = "gpu.tiled", n = 16, tile = 16, view = {}, beside = {{ variant = "gpu.naive", n = 16, tile = 16 }}'
VIEWS = STRUCTURE.format(show=BESIDE.format(2)) + STRUCTURE.format(show=BESIDE.format(4)).split("minutes = 5\n")[1].replace("one", "two")


def test_the_view_of_before_comes_back_after_two_views_of_one_comparison(tmp_path: Path, workbench: Workbench) -> None:
    lesson = read_lesson(write_lesson(tmp_path / "mine", VIEWS, "# T\n## one\nidea\n## two\nidea\n"))
    assert isinstance(lesson, Lesson), str(lesson)
    alone, player = workbench.stage.alone, workbench.lesson_controller.player
    alone.value = 3
    for number, view in enumerate((2, 4)):
        player.open(lesson, number) if number == 0 else player.go(number)
        settle(workbench)
        assert (alone.value, workbench.comparison.pair.value is not None) == (view, True)
    player.close()
    assert alone.value == 3


TRANSPOSED = 'variant = "cpu.transpose-naive", n = 8'


@pytest.mark.parametrize("shows", [(CURVES,), (CURVES, TRANSPOSED), (TRANSPOSED, CURVES)])
def test_a_lesson_gives_ticks_and_sizes_back(tmp_path: Path, workbench: Workbench, shows: tuple[str, ...]) -> None:
    session, player = workbench.session, workbench.lesson_controller.player
    own = replace(session.timing.value, ticked=session.timing.value.ticked | {"cpu.simd"}, sizes=(128, 512), swept={"tile": (8, 64)})
    session.timing.value = own
    player.open(lesson_of(tmp_path, shows), 0)
    for number in range(len(shows)):
        player.go(number)
        settle(workbench)
    assert session.timing.value != own
    player.close()
    assert (session.timing.value.sizes, session.timing.value.swept) == (own.sizes, own.swept)
    session.choose_operation(Operation.MATMUL)
    assert session.timing.value == own


def test_what_was_ticked_during_a_lesson_stays_ticked(tmp_path: Path, workbench: Workbench) -> None:
    session, player = workbench.session, workbench.lesson_controller.player
    session.timing.value = replace(session.timing.value, sizes=(128, 512))
    player.open(lesson_of(tmp_path, (CURVES.replace('"gpu.naive"] }', '"gpu.naive"], sizes = [64] }'),)), 0)
    settle(workbench)
    chosen = session.timing.value.ticked | {"gpu.tiled"}
    session.timing.value = replace(session.timing.value, ticked=chosen)
    player.close()
    assert (session.timing.value.ticked, session.timing.value.sizes) == (chosen, (128, 512))


def lesson_of(tmp_path: Path, shows: tuple[str, ...]) -> Lesson:
    """A lesson with a step for each scene."""
    steps = [f'[[step]]\nname = "s{number}"\nshow = {{ {show} }}\n' for number, show in enumerate(shows)]
    prose = "".join(f"## s{number}\nidea\n" for number in range(len(shows)))
    lesson = read_lesson(write_lesson(tmp_path / "mine", 'topic = "own"\nminutes = 5\n' + "".join(steps), f"# T\n{prose}"))
    assert isinstance(lesson, Lesson), str(lesson)
    return lesson


def settle(workbench: Workbench) -> None:
    end = time.monotonic() + 120
    while not (workbench.stage_ready and not workbench.states.arrival.pending):
        assert time.monotonic() < end
        workbench.tick()
        time.sleep(0.005)


def step_shown(workbench: Workbench) -> int | None:
    picture = workbench.stage.picture.value
    return None if picture is None else picture.frame.step


@pytest.mark.parametrize("show", [FIRST_ACCESS, FIRST_STATEMENT])
def test_a_first_step_is_not_shown_before_the_answer(tmp_path: Path, workbench: Workbench, show: str) -> None:
    scene, stage = scene_of(tmp_path, show), workbench.stage
    workbench.lesson_controller.show(scene, before=True)
    settle(workbench)
    assert stage.shown.value is not None
    assert (stage.picture.value, stage.told.value, stage.said) == (None, None, FIRST_STEP_ASKED)
    stage.timeline.next(Unit.STEP)
    assert step_shown(workbench) is not None, "who steps on by hand sees where that leads"
    workbench.lesson_controller.show(scene, before=True)
    settle(workbench)
    assert step_shown(workbench) is None
    workbench.lesson_controller.show(scene, before=False)
    settle(workbench)
    assert (step_shown(workbench), stage.said) == (0, None)


AFTER_OTHERS = [
    pytest.param(step.scene, id=f"{lesson.id}-{step.name}")
    for lesson in shipped()
    for step in lesson.steps
    if step.scene is not None and step.scene.line and step.scene.occurrence and step.scene.program is None
    if step.scene.before and step.question is not None
]


@pytest.mark.parametrize("scene", AFTER_OTHERS)
def test_no_other_execution_of_the_line_is_shown_before_the_answer(workbench: Workbench, scene: Scene) -> None:
    workbench.lesson_controller.show(scene, before=True)
    settle(workbench)
    shown, step = workbench.stage.shown.value, workbench.stage.timeline.position.value.step
    assert shown is not None
    if isinstance(shown, LaunchIndex):
        text = shown.subject.text
        executed = {line for line in range(1, len(text.splitlines()) + 1) if step in shown.steps_of_line(line)}
    else:
        text, executed = scene.snapshot.stage.variant.source_text, {int(shown.trace.lines[step])}
    asked = {line for line, words in enumerate(text.splitlines(), start=1) if scene.line in words}
    assert workbench.stage.unbegun.value or not asked & executed


def test_what_stands_before_the_answer_is_told_from_what_is_asked_about(tmp_path: Path, workbench: Workbench) -> None:
    scene, stage = scene_of(tmp_path, COLUMN), workbench.stage
    for before in (True, False):
        stage.pinned.value = Selection(thread=5)
        workbench.lesson_controller.show(scene, before=before)
        settle(workbench)
        assert stage.pinned.value == NOTHING
        assert (stage.ahead.value == step_shown(workbench)) is before


@pytest.mark.parametrize("name", ["sectors", "column", "odd"])
def test_the_lesson_on_coalescing_shows_an_access_of_as_many_sectors_as_it_tells(workbench: Workbench, name: str) -> None:
    """Some rows begin where a sector begins: there the picture said the contrary. And what came before an answer told it, in a sum."""
    (step,) = (each for each in next(lesson for lesson in shipped() if lesson.id == "coalescing").steps if each.name == name)
    assert step.scene is not None
    workbench.lesson_controller.show(step.scene, before=True)
    settle(workbench)
    if name == "column":
        assert workbench.stage.unbegun.value
    workbench.lesson_controller.show(step.scene, before=False)
    settle(workbench)
    picture = workbench.stage.picture.value
    assert isinstance(picture, GpuPicture)
    assert picture.frame.sectors == {"sectors": 4, "column": 32, "odd": 5}[name]


def test_the_lesson_on_bank_conflicts_shows_lanes_that_are_swizzled(workbench: Workbench) -> None:
    lesson = next(each for each in shipped() if each.id == "bank-conflicts")
    scene = next(step.scene for step in lesson.steps if step.name == "swizzle")
    assert scene is not None
    workbench.lesson_controller.show(scene, before=False)
    settle(workbench)
    picture = workbench.stage.picture.value
    assert isinstance(picture, GpuPicture)
    banks = banks_picture(SharedMemory(picture.index), picture.frame)
    moved = [group for group in banks.groups if group.words[0] % BANKS not in group.lanes]
    assert (len(moved), banks.past) == (32, False)


def test_another_view_is_alone_before_the_answer_where_the_scene_says_so(tmp_path: Path, workbench: Workbench) -> None:
    scene, alone = scene_of(tmp_path, FIRST_ACCESS.replace("view = 4", "view = 6, view_before = 4")), workbench.stage.alone
    for before, view in ((True, 4), (False, 6)):
        workbench.lesson_controller.show(scene, before=before)
        settle(workbench)
        assert alone.value == view


def test_a_real_run_stands_in_place_of_the_animation_but_not_before_the_answer(tmp_path: Path, workbench: Workbench) -> None:
    scene, runs = scene_of(tmp_path, RUN), workbench.real_runs
    workbench.lesson_controller.show(scene, before=True)
    assert not runs.watched.value
    workbench.lesson_controller.show(scene, before=False)
    assert (runs.watched.value, runs.n.value) == (True, 256)
    workbench.lesson_controller.show(scene_of(tmp_path / "other", RUN.replace(", run = 256", "")), before=False)
    assert not runs.watched.value


@pytest.mark.parametrize(
    ("show", "reason"),
    [
        ('variant = "gpu.naive", n = 64, run = 64', "gpu.naive runs on the GPU"),
        ('variant = "cpu.naive", n = 16, run = 64', "cpu.naive runs on one thread"),
        ('variant = "cpu.parallel", n = 16, run = 0', "run must be from 1"),
        ('variant = "cpu.naive", n = 16, view = 7', "show.view must be from 0 to 4, not 7."),
        ('variant = "cpu.naive", n = 16, view_before = 5', "show.view_before must be from 0 to 4, not 5."),
        ('variant = "gpu.naive", n = 64, ladder_n = 8192', "ladder_n is not known here"),
        ('variant = "gpu.naive", n = 64, page = "ladder", ladder_n = 0', "ladder_n must be from 1"),
        ('variant = "gpu.naive", n = 64, page = "ladder", published = true', "published is not known here"),
    ],
)
def test_what_a_scene_cannot_show_is_refused_with_its_line(tmp_path: Path, show: str, reason: str) -> None:
    refused = read(tmp_path, show)
    assert isinstance(refused, Message)
    assert "Line 5: " in str(refused)
    assert reason in str(refused)


@pytest.mark.parametrize("show", [LADDER, CURVES, RUN])
def test_a_state_is_added_as_a_step_with_all_of_it(tmp_path: Path, show: str) -> None:
    snapshot = scene_of(tmp_path, show).snapshot
    lines = step_lines("one", snapshot)
    lesson = read_lesson(write_lesson(tmp_path / "again", f'topic = "own"\nminutes = 5\n{lines}', "# T\n## one\nidea\n"))
    assert isinstance(lesson, Lesson), str(lesson)
    again = lesson.steps[0].scene
    assert again is not None
    assert (again.snapshot.ladder_n, again.snapshot.published, again.snapshot.run) == (
        snapshot.ladder_n, snapshot.published, snapshot.run
    )  # fmt: skip


def test_every_ladder_that_names_its_n_has_times_at_it() -> None:
    results = Results({Provenance.RECORDED: [result for path in recorded_files() for result in load_recorded(path)]})
    named = [scene.snapshot for scene in SCENES if scene.snapshot.ladder_n]
    assert named
    for shown in named:
        variant = shown.stage.variant
        assert shown.ladder_n in sizes_of(results, variant.operation, variant.device), variant.id


def test_a_ladder_has_the_parameters_of_what_stands_on_the_stage(tmp_path: Path, workbench: Workbench) -> None:
    show = 'variant = "gpu.transpose-padded", n = 64, tile = 32, page = "ladder", ladder_n = 8192'
    workbench.lesson_controller.show(scene_of(tmp_path, show), before=False)
    parameters = workbench.session.timing.value.parameters
    assert (parameters["gpu.transpose-padded"]["tile"], parameters["gpu.transpose-shared"]["tile"]) == (32, 32)
    assert parameters["gpu.tiled"]["tile"] == 16
