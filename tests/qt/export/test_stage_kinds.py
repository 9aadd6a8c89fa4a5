"""Figures of what else the stage shows: two launches beside each other, and real runs of threads and ranks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.compare.comparison import Comparison
from app.core.export.clips.encoder import Pixels
from app.core.export.kinds import PictureSize
from app.core.frames.views import View
from app.core.session.session import Session
from app.core.stage.model import StageModel
from app.core.timelines.model import ExecutionTimelines
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.export.clip import pixels_of
from app.qt.export.export_view import ExportView, export_theme
from app.qt.export.exported_stage import ExportedComparison, ExportedRuns
from app.qt.export.figure import picture_of_page, write_figure
from app.qt.export.played import PlayedStage
from app.qt.timelines.runs_view import ZOOM_HINT
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.real_run import Intervals, Messages, MpiTimeline, RunTimeline
from tests.devices.team_runs import two_loops
from tests.launches.launch_records import launch_of

LOOK = Look(export_theme("print"), Translator("en"))
SIZE = PictureSize(1200, 700)
MIDDLE = SIZE.width // 2


def comparison(view: int = 0) -> tuple[Comparison, ExportedComparison]:
    live = StageModel()
    live.profile.value = Session().profile.value
    live.shown.value = launch_of("gpu.transpose-padded", 32, tile=16)
    compared = Comparison(live)
    compared.pinned.value = launch_of("gpu.transpose-shared", 32, tile=16)
    return compared, ExportedComparison(LOOK, compared, TimingModel(), view)


def drawn(exported: ExportView) -> Pixels:
    return pixels_of(picture_of_page(exported, SIZE, LOOK))


def labels(exported: ExportView, path: Path) -> set[str]:
    """What can be read on the picture."""
    assert write_figure(path, exported, SIZE, LOOK) is None
    return set(re.findall(r'aria-label="([^"]*)"', path.read_text(encoding="utf-8")))


def test_both_sides_go_on_and_what_the_window_shows_stays(qtbot: QtBot) -> None:
    live, exported = comparison()
    begun = [each.timeline.position.value.step for each in (live.live, live.left)]
    exported.show(begun[0])
    first = drawn(exported)
    exported.show(34)
    second = drawn(exported)
    for side in (slice(0, MIDDLE), slice(MIDDLE, None)):
        assert (first[100:500, side] != second[100:500, side]).any(), side
    assert [each.timeline.position.value.step for each in (live.live, live.left)] == begun
    exported.show(begun[0])
    assert np.array_equal(drawn(exported), first)
    exported.close()


def test_a_figure_of_a_comparison_shows_the_step_of_the_window(qtbot: QtBot) -> None:
    live, first = comparison()
    live.live.timeline.scrub(40)
    exported = ExportedComparison(LOOK, live, TimingModel(), 0)
    assert exported.model.timeline.position.value.step == 40
    caption = exported.words.sources
    assert any("step 41 of 128" in LOOK.text(each) for each in caption)
    for each in (first, exported):
        each.close()


def test_a_player_of_a_comparison_says_of_which_side_its_words_are(qtbot: QtBot) -> None:
    played = PlayedStage(LOOK, comparison(View.SHARED_MEMORY)[1])
    said = set()
    for step in range(0, 128, 2):
        played.show(step)
        words = played.words()
        assert words.title.startswith("On the right: ")
        said.add(words.views)
    assert ("Shared memory on the left: 8-way conflict", "Shared memory on the right: 2-way conflict") in said
    played.close()


def test_a_comparison_says_what_is_compared_and_how_it_differs(qtbot: QtBot, tmp_path: Path) -> None:
    _, exported = comparison()
    said = labels(exported, tmp_path / "a.svg")
    plain, padded = (by_id(f"gpu.transpose-{name}").rung for name in ("shared", "padded"))
    assert {f"{plain} Shared memory, tile 16", f"{padded} Shared memory, padded, tile 16", "Shared wavefronts"} <= said
    assert any("gpu.transpose-shared, step 2 of 128 · gpu.transpose-padded, step 2 of 128" in each for each in said)
    exported.close()


def test_the_view_of_both_sides_can_be_another(qtbot: QtBot) -> None:
    shown = drawn(comparison()[1])
    assert np.array_equal(drawn(comparison(View.SHARED_MEMORY)[1]), shown)
    assert not np.array_equal(drawn(comparison(View.MATRICES)[1]), shown)


def threads_run() -> RunTimeline:
    point = Case("cpu.parallel", Problem.square(Operation.MATMUL, 64), {"threads": 3, "schedule": 0, "chunk": 0})
    return RunTimeline(point, two_loops(3, 10.0), (10.0,) * 5, 0.0, 1.0, {"cores": 4})


def ranks_run() -> RunTimeline:
    """Rank 0 sends 1 MiB to rank 1."""
    spent = np.array([(0, 2, 0, 6), (0, 0, 6, 10), (1, 1, 0, 2), (1, 2, 2, 6), (1, 0, 6, 10)]).T
    intervals = Intervals(spent[0], spent[1], spent[2] * 1_000_000, spent[3] * 1_000_000, np.array([7, 0, 9, 9, 0]))
    sent = (np.array([value]) for value in (0, 1, 1 << 20, 2_000_000, 6_000_000))
    timeline = MpiTimeline(("here", "here"), (0, 0), intervals, Messages(*sent))
    point = Case("mpi.rows", Problem.square(Operation.MATMUL, 512), {"ranks": 2})
    return RunTimeline(point, timeline, (10.0,), 0.0, 1.0, {"ranks": 2, "rank_cores": 1, "oversubscribed": "no", "cores": 4})


def runs(recording: RunTimeline, *, ranked: bool) -> ExecutionTimelines:
    return cast(ExecutionTimelines, SimpleNamespace(comparable=(recording,), ranked=ranked))


@pytest.mark.parametrize(("made", "ranked", "read"), [(threads_run, False, "cpu.parallel: n = 64"), (ranks_run, True, "1.00 MiB")])
def test_a_run_is_drawn_in_shapes_and_without_what_a_pointer_does(qtbot: QtBot, made: Any, ranked: bool, read: str, tmp_path: Path) -> None:
    exported = ExportedRuns(LOOK, runs(made(), ranked=ranked))
    said, path = labels(exported, tmp_path / "run.svg"), tmp_path / "run.svg"
    assert "<image" not in path.read_text(encoding="utf-8")
    assert any(each.startswith(read) for each in said), said
    assert LOOK.text(ZOOM_HINT) not in said
    assert any("measured on this machine, median of" in each and "4 cores" in each for each in said)
    exported.close()


def test_another_run_is_another_picture_and_the_same_one_the_same(qtbot: QtBot) -> None:
    first, again = (drawn(ExportedRuns(LOOK, runs(threads_run(), ranked=False))) for _ in range(2))
    assert np.array_equal(first, again)
    other = replace(threads_run(), seen=two_loops(3, 20.0))
    assert not np.array_equal(first, drawn(ExportedRuns(LOOK, runs(other, ranked=False))))
