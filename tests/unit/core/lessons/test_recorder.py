"""A state as a further step of one's own lesson: it reads again, shows the same, and nothing is written where it cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.files.atomic_write import write_whole
from app.core.base.timeline import Unit
from app.core.lessons.lesson import Lesson
from app.core.lessons.read import read_lesson
from app.core.lessons.recorder import record_step
from app.core.session.choices import CacheChoice
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.session import Session, Workspace, stage_defaults
from app.core.state.snapshot import Snapshot, TimelinePosition
from app.core.timing.model import TimingPage
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from tests.lessons.lesson_files import STRUCTURE, write_lesson

WORDS = (message("Shared memory"), message("Warp 0 reads {what} with {braces}.", what="tile[0]", braces="{x}"))


def choice(variant_id: str, n: int, **parameters: int) -> Case:
    variant = catalogue.by_id(variant_id)
    return Case.of(variant, Problem.square(variant.operation, n), {**stage_defaults(variant), **parameters})


def recorded(folder: Path, snapshot: Snapshot) -> Lesson:
    name = record_step(folder, snapshot, WORDS)
    assert isinstance(name, str), str(name)
    lesson = read_lesson(folder)
    assert isinstance(lesson, Lesson), str(lesson)
    assert lesson.steps[-1].name == name
    return lesson


@pytest.mark.parametrize("variant", catalogue.VARIANTS, ids=lambda variant: variant.id)
def test_every_variant_comes_back(tmp_path: Path, variant: Variant) -> None:
    problem = Problem.square(variant.operation, 16) if variant.operation is not Operation.HELLO else Problem.square(variant.operation, 0)
    parameters = stage_defaults(variant)
    named = next((each for each in variant.parameters if each.names), None)
    if named is not None:
        parameters[named.name] = named.maximum
    snapshot = Snapshot(Case.of(variant, problem, parameters))
    scene = recorded(tmp_path / "mine", snapshot).steps[0].scene
    assert scene is not None
    assert scene.snapshot == snapshot


def test_place_view_profile_and_caches_come_back(tmp_path: Path) -> None:
    snapshot = Snapshot(choice("gpu.tiled", 64, tile=16), "rtx-4070", place=TimelinePosition(215.5, Unit.TILE), view=3)
    scene = recorded(tmp_path / "mine", snapshot).steps[0].scene
    assert scene is not None
    assert (scene.snapshot.place.time, scene.unit) == (215.5, Unit.TILE)
    assert replace(scene.snapshot, place=snapshot.place) == snapshot
    other = Snapshot(choice("cpu.blocked", 16, tile=4), caches=CacheChoice("ryzen-7-7700"))
    scene = recorded(tmp_path / "mine", other).steps[1].scene
    assert scene is not None
    assert scene.snapshot == other


def test_a_view_of_launches_is_not_written_beside_a_cpu_kernel(tmp_path: Path) -> None:
    scene = recorded(tmp_path / "mine", Snapshot(choice("cpu.blocked", 16, tile=4), view=7)).steps[0].scene
    assert scene is not None
    assert scene.snapshot.view == 0


def test_oblong_matrices_come_back(tmp_path: Path) -> None:
    wide = replace(choice("cpu.naive", 16), problem=Problem.of(Operation.MATMUL, 8, 16, 4))
    scene = recorded(tmp_path / "mine", Snapshot(wide)).steps[0].scene
    assert scene is not None
    assert scene.snapshot.stage == wide


def test_curves_come_back(tmp_path: Path) -> None:
    session = Session()
    timing = replace(session.timing.value, sizes=(64, 256), ticked=frozenset({"cpu.naive", "cpu.blocked"}))
    snapshot = Snapshot(session.stage.value, workspace=Workspace.TIMING, timing=timing, page=TimingPage.CURVES)
    scene = recorded(tmp_path / "mine", snapshot).steps[0].scene
    assert scene is not None
    assert scene.snapshot.timing is not None
    assert (scene.snapshot.workspace, scene.snapshot.page) == (Workspace.TIMING, TimingPage.CURVES)
    assert (scene.snapshot.timing.sizes, scene.snapshot.timing.ticked) == (timing.sizes, timing.ticked)


def test_an_edited_text_becomes_a_kernel_of_the_lesson(tmp_path: Path) -> None:
    text = '__global__ void f(float* a, int n) { a[threadIdx.x] = 1; } // "quoted" \\ é\n'
    draft = Draft(
        "x.cu", text, "before", LaunchSettings("f", "", (2, 1, 1), (32, 1, 1), 64, {"a": "64", "n": "7"}, {"TILE": 8}, turned=True)
    )
    snapshot = Snapshot(choice("gpu.tiled", 64), draft=draft, edited=True, place=TimelinePosition(3.0))
    recorded(tmp_path / "mine", snapshot)
    lesson = recorded(tmp_path / "mine", snapshot)
    assert sorted(lesson.kernels) == ["kernel-1", "kernel-2"]
    scene = lesson.steps[1].scene
    assert scene is not None
    assert scene.kernel == "kernel-2"
    assert scene.snapshot.draft is not None
    assert (scene.snapshot.draft.text, scene.snapshot.draft.settings) == (text, draft.settings)


def test_a_step_is_added_at_the_end_of_what_is_there(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "mine", STRUCTURE.rstrip("\n"))
    lesson = recorded(folder, Snapshot(choice("gpu.tiled", 64)))
    assert [step.name for step in lesson.steps] == ["first", "second", "step-1"]
    assert list(lesson.texts) == ["en"]
    said = lesson.step_text(2, "en")
    assert said.headline == "Shared memory"
    assert said.narration[0].text == "Warp 0 reads tile[0] with (x)."
    assert (folder / "lesson.toml").read_text(encoding="utf-8").startswith(STRUCTURE.rstrip("\n") + "\n")


def test_a_new_lesson_speaks_both_languages(tmp_path: Path) -> None:
    assert list(recorded(tmp_path / "new", Snapshot(choice("gpu.tiled", 64))).texts) == ["en", "zh_CN"]


@pytest.mark.parametrize("spoilt", ["topic = ", "topic = 'x'\nminutes = 0\n"])
def test_where_the_lesson_cannot_be_read_nothing_is_written(tmp_path: Path, spoilt: str) -> None:
    folder = write_lesson(tmp_path / "mine", spoilt)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    reason = record_step(folder, Snapshot(choice("gpu.tiled", 64)), WORDS)
    assert isinstance(reason, Message)
    assert str(reason).startswith("mine/lesson.toml: ")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_text_that_would_read_files_is_not_recorded(tmp_path: Path) -> None:
    draft = Draft("x.cu", "__global__ void f(float* a) {}", "", LaunchSettings("f", arguments={"a": "@secret.npy"}))
    reason = record_step(tmp_path / "mine", Snapshot(choice("gpu.tiled", 64), draft=draft, edited=True), WORDS)
    assert "may not read files" in str(reason)
    assert not (tmp_path / "mine").exists()


def test_what_cannot_be_written_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_lesson(tmp_path / "mine")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    calls: list[str] = []

    def second_fails(path: Path, text: str) -> Message | None:
        calls.append(path.name)
        return message("The disk is full.") if len(calls) == 2 else write_whole(path, text)

    monkeypatch.setattr("app.core.lessons.recorder.write_whole", second_fails)
    assert str(record_step(folder, Snapshot(choice("gpu.tiled", 64)), WORDS)) == "The disk is full."
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
