"""The states that were looked at for a while."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.session.draft import draft_of
from app.core.session.session import Session, Workspace
from app.core.state.snapshot import Pinned, take, title_of
from app.core.state.states import MOST, RESTS_S, RecentStates, kept_in, text_of_all
from kernels.catalogue.catalogue import VARIANTS
from tests.whole_models import models_of


class Bench:
    """A session that is looked at, with a clock of its own."""

    def __init__(self, file: Path | None) -> None:
        self.session, self.now = Session("gpu.tiled"), 0.0
        self.background_tasks = BackgroundTasks()
        models = models_of(self.session)
        self.stage = models.stage
        self.recent = RecentStates(lambda: take(models), self.background_tasks, file, lambda: self.now)
        self.recent.start()

    def look(self, tile: int, seconds: float) -> None:
        assert self.session.set_stage_parameter("tile", tile) is None
        self.rest(seconds)

    def rest(self, seconds: float = RESTS_S) -> None:
        self.recent.tick()
        self.now += seconds
        self.recent.tick()

    def settle(self) -> None:
        """Let everything be written."""
        for _ in range(2):
            for thread in tuple(self.background_tasks._threads):
                thread.join(5)
            self.background_tasks.tick()
            self.recent.tick()

    @property
    def tiles(self) -> list[int]:
        return [each.stage.parameters["tile"] for each in self.recent.states.value]


def test_a_text_with_a_path_as_long_as_a_system_takes_is_known_again(tmp_path: Path) -> None:
    deep = Path("/", *["x" * 200] * 20)
    session = Session("gpu.tiled")
    session.draft_editor.take(draft_of(deep / "own.cu", 'extern "C" __global__ void own(float* A) {}'))
    draft = session.draft_editor.draft.value
    assert draft is not None
    arguments = {"A": f"@{deep / 'a.npy'}"}
    session.draft_editor.draft.value = draft = replace(draft, settings=replace(draft.settings, arguments=arguments))
    file = tmp_path / "states.json"
    file.write_text(text_of_all((take(models_of(session)),)), encoding="utf-8")
    (known,) = kept_in(file)
    assert known.draft is not None
    assert (known.draft.path, dict(known.draft.settings.arguments)) == (draft.path, arguments)


def test_what_is_passed_over_is_not_kept() -> None:
    bench = Bench(None)
    bench.look(8, RESTS_S)
    bench.look(16, RESTS_S / 2)
    bench.look(32, RESTS_S)
    assert bench.tiles == [32, 8]


def test_what_is_looked_at_again_comes_first_and_is_there_once() -> None:
    bench = Bench(None)
    for tile in (8, 32, 8):
        bench.look(tile, RESTS_S)
    assert bench.tiles == [8, 32]


def test_a_comparison_that_is_looked_at_takes_the_place_of_its_launch_alone() -> None:
    models, time = models_of(Session("gpu.tiled")), [0.0]
    alone = take(models)
    shown = [alone]
    recent = RecentStates(lambda: shown[0], BackgroundTasks(), None, lambda: time[0])
    recent.start()
    for snapshot in (alone, replace(alone, beside=Pinned(alone.stage))):
        shown[0] = snapshot
        recent.tick()
        time[0] += RESTS_S
        recent.tick()
    assert [each.beside for each in recent.states.value] == [Pinned(alone.stage)]


def test_the_oldest_give_way() -> None:
    bench = Bench(None)
    for variant in VARIANTS[: MOST + 5]:
        bench.session.choose_variant(variant)
        bench.recent.tick()
        bench.now += RESTS_S
        bench.recent.tick()
    assert len(bench.recent.states.value) == MOST
    assert bench.recent.states.value[0].stage.variant is VARIANTS[MOST + 4]


def test_they_are_there_again_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "new" / "recent.json"
    first = Bench(file)
    first.look(8, RESTS_S)
    first.look(32, RESTS_S)
    first.settle()
    second = Bench(file)
    second.settle()
    second.look(4, RESTS_S)
    assert second.tiles == [4, 32, 8]
    second.background_tasks.join(5)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "tilescope recent 1", "states": [1, {}, {"format": "x"}]}', "[" * 10_000])
def test_damage_leaves_nothing_and_harms_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "recent.json"
    file.write_text(text, encoding="utf-8")
    assert kept_in(file) == ()
    assert kept_in(tmp_path) == ()


def test_two_programs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "recent.json"
    first, second = Bench(file), Bench(file)
    first.settle()
    second.settle()
    first.look(8, RESTS_S)
    first.settle()
    second.look(16, RESTS_S)
    second.settle()
    first.look(32, RESTS_S)
    first.settle()
    third = Bench(file)
    third.settle()
    assert third.tiles == [32, 8, 16]


def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path) -> None:
    file = tmp_path / "recent.json"
    file.write_text("damaged", encoding="utf-8")
    bench = Bench(file)
    bench.settle()
    bench.look(8, RESTS_S)
    bench.settle()
    (aside,) = tmp_path.glob("recent.unreadable-*.json")
    assert aside.read_text(encoding="utf-8") == "damaged"
    assert str(bench.recent.notice.value) == f"{file} could not be understood. It is kept as {aside}."
    assert len(kept_in(file)) == 1


def test_one_damaged_state_leaves_the_others(tmp_path: Path) -> None:
    bench = Bench(None)
    bench.look(8, RESTS_S)
    document = json.loads(text_of_all(bench.recent.states.value))
    document["states"].insert(0, {**document["states"][0], "variant": "gpu.gone"})
    file = tmp_path / "recent.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert kept_in(file) == bench.recent.states.value


def test_a_state_is_called_by_what_it_shows() -> None:
    bench = Bench(None)
    bench.look(8, RESTS_S)
    shown = bench.recent.states.value[0]
    assert str(title_of(shown)) == "Shared-memory tiled, tile 8, n = 64"
    bench.session.show_workspace(Workspace.TIMING)
    bench.look(8, RESTS_S)
    assert str(title_of(bench.recent.states.value[0])).startswith("Timing: ")


def test_an_edited_file_is_called_so_without_the_size_of_a_rung(tmp_path: Path) -> None:
    bench, file = Bench(None), tmp_path / "matmul.cu"
    file.write_text("one", encoding="utf-8")
    bench.session.draft_editor.open_file(file)
    bench.rest()
    assert str(title_of(bench.recent.states.value[0])) == "matmul.cu"
    bench.session.draft_editor.change_text("one, edited")
    bench.rest()
    assert str(title_of(bench.recent.states.value[0])) == "matmul.cu, edited"


def test_a_file_is_opened_again_with_its_path_and_its_arrays_after_a_restart(tmp_path: Path) -> None:
    kept, file = tmp_path / "recent.json", tmp_path / "matmul.cu"
    file.write_text("one", encoding="utf-8")
    bench = Bench(kept)
    bench.settle()
    editor = bench.session.draft_editor
    editor.open_file(file)
    editor.change_text("one, edited")
    draft = editor.draft.value
    assert draft is not None
    given = replace(draft.settings, entry="f", arguments={"x": f"@{tmp_path}/x.npy"})
    editor.launch_as(given)
    bench.rest()
    bench.settle()
    (found,) = kept_in(kept)
    assert found.draft == replace(draft, settings=given)


def test_a_file_that_others_save_is_there_once_as_it_was_launched_last(tmp_path: Path) -> None:
    bench, file = Bench(None), tmp_path / "matmul.cu"
    file.write_text("one", encoding="utf-8")
    editor = bench.session.draft_editor
    editor.open_file(file)
    bench.rest()
    editor.reload("two")
    assert editor.set_block("64") is None
    bench.rest()
    (found,) = bench.recent.states.value
    assert found.draft is not None
    assert (found.draft.text, found.draft.settings.block) == ("two", (64, 1, 1))
    editor.change_text("three")
    bench.rest()
    assert len(bench.recent.states.value) == 2


def test_a_copy_that_was_saved_is_as_its_file_after_a_restart(tmp_path: Path) -> None:
    kept = tmp_path / "recent.json"
    bench = Bench(kept)
    bench.settle()
    editor = bench.session.draft_editor
    editor.edit_copy()
    editor.change_text("mine")
    assert editor.save(tmp_path / "mine.cu") is None
    bench.rest()
    bench.settle()
    (found,) = kept_in(kept)
    assert found.draft is not None
    assert (found.draft.path, found.draft.changed) == (tmp_path / "mine.cu", False)


def test_a_state_says_when_it_was_looked_at(tmp_path: Path) -> None:
    file, before = tmp_path / "recent.json", time.time()
    bench = Bench(file)
    bench.settle()
    bench.look(8, RESTS_S)
    bench.settle()
    (kept,) = kept_in(file)
    assert before - 1 <= kept.seen <= time.time() + 1
