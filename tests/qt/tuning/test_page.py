"""The tuning page: the heat map with values, refusals and the fastest; what is chosen, begun and cancelled."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractScrollArea
from pytestqt.qtbot import QtBot

from app.core.base.i18n import WORD_JOINER, Translator
from app.core.base.job_queues import JobState
from app.core.ladder.model import LadderModel
from app.core.results.curves import Provenance
from app.core.session.session import Session, Workspace
from app.core.timing.model import TimingModel, TimingPage
from app.core.timing.tuner import TuningProgress
from app.core.tuning.heat_map import CellKind
from app.core.tuning.model import TuningModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.shell.timing_workspace import TimingWorkspace, _scrolled
from app.qt.tuning import heat_map_view
from app.qt.tuning.heat_map_view import contrast, heat_colour, ink_on, paint_cell
from app.qt.tuning.panel import TuningPanel
from kernels.base.limits import Limits
from kernels.catalogue.catalogue import by_id
from tests.measured.idle_tuner import IdleTuner, idle_tuning
from tests.measured.idle_use_timer import NoActions, idle_uses
from tests.measured.timing_results import measured

N = 1024
BESIDE_LESSON = 760
"""Pixels of width for the page in a window of 1280, with the narrow ladder and a lesson."""


@dataclass
class Scene:
    session: Session
    timing: TimingModel
    tuner: IdleTuner
    tuning: TuningModel
    panel: TuningPanel
    look: Look


@pytest.fixture(params=["light", "dark"])
def scene(qtbot: QtBot, request: pytest.FixtureRequest) -> Scene:
    session, timing, tuner = Session("gpu.naive"), TimingModel(), IdleTuner()
    timing.add(Provenance.RECORDED, [
        measured("gpu.naive", N, 4.0, tile=8, rows=0), measured("gpu.naive", N, 2.0, tile=32, rows=0),
        measured("gpu.naive", N, 1.0, tile=32, rows=8), measured("gpu.cublas", N, 0.25),
    ])  # fmt: skip
    tuning = idle_tuning(session, timing, tuner)
    look = Look(theme(request.param), Translator("en"))
    panel = TuningPanel(look, tuning)
    panel.resize(1200, 600)
    qtbot.addWidget(panel)
    panel.show()
    return Scene(session, timing, tuner, tuning, panel, look)


def shot(scene: Scene) -> QImage:
    return scene.panel.view.grab().toImage()


def test_cells_have_the_shade_of_their_rate_and_the_fastest_a_frame(scene: Scene) -> None:
    view, colours = scene.panel.view, scene.look.theme
    image = shot(scene)

    def near_edge(place: tuple[int, int], inset: float) -> str:
        cell = view.place_of(place)
        return image.pixelColor(round(cell.left() + cell.width() / 2), round(cell.top() + inset)).name()

    assert near_edge((8, 0), 4) == heat_colour(colours, 0.0).name()
    assert near_edge((32, 8), 2) == colours.ink.name()
    assert near_edge((32, 0), 2) != colours.ink.name()
    assert view.words_of((32, 8)).endswith("The fastest.")
    assert "2147" in view.words_of((32, 8))


def test_a_cell_has_its_share_of_the_library_which_is_not_worked_out_again_to_be_painted(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, found = scene.panel.view, list[str]()
    view.resize(1000, 900)
    view.show_map(view.picture, measured("gpu.cublas", N, 0.25))
    monkeypatch.setattr(QPainter, "drawText", lambda _painter, *given: found.append(given[-1]))
    monkeypatch.setattr(heat_map_view, "share_of_library", lambda *_: pytest.fail("worked out again"))
    shot(scene)
    assert {text for text in found if text.endswith(" %")} == {"6.2 %", "12 %", "25 %"}


def test_a_share_without_room_in_a_narrow_cell_is_left_out(scene: Scene) -> None:
    found = scene.tuning.picture()
    assert found is not None
    cell = next(each for each in found.map.cells.values() if each.kind is CellKind.TIMED)

    def painted(width: int, share: str) -> QImage:
        image = QImage(width, 120, QImage.Format.Format_RGB32)
        image.fill(scene.look.theme.bg1)
        painter = QPainter(image)
        paint_cell(painter, scene.look, cell, QRectF(image.rect()), (1.0, 9000.0), share, best=True)
        painter.end()
        return image

    assert painted(40, "≈ 34 %") == painted(40, "")
    assert painted(140, "≈ 34 %") != painted(140, "")


@pytest.mark.parametrize(("width", "height"), [(85, 128), (120, 128), (85, 50), (60, 128)])
def test_the_fastest_cell_has_its_number_as_large_as_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    found = scene.tuning.picture()
    assert found is not None
    cell = replace(next(each for each in found.map.cells.values() if each.kind is CellKind.TIMED), result=measured("gpu.naive", N, 71.1))
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter, sizes = QPainter(image), dict[str, float]()
    monkeypatch.setattr(QPainter, "drawText", lambda painter, *given: sizes.update({given[-1]: painter.font().pixelSize()}))
    paint_cell(painter, scene.look, cell, QRectF(image.rect()), (1.0, 50.0), "", best=False)
    plain = sizes.pop("30.2")
    paint_cell(painter, scene.look, cell, QRectF(image.rect()), (1.0, 50.0), "", best=True)
    painter.end()
    assert [size for text, size in sizes.items() if "30.2" in text] == [plain]
    assert any("★" in text for text in sizes) or height < 60


def test_what_cannot_work_is_hatched_and_says_why(scene: Scene) -> None:
    view = scene.panel.view
    hatched, empty = (_inks(shot(scene), view.place_of(place).toRect()) for place in ((64, 32), (4, 32)))
    assert scene.look.theme.line2.name() in hatched
    assert scene.look.theme.line2.name() not in empty
    assert "2048 threads a block" in view.words_of((64, 32))
    assert "2048 threads a block" in scene.panel.refused.text()
    assert "not tried" in view.words_of((4, 32))


def _inks(image: QImage, place: object) -> set[str]:
    part = image.copy(place)  # type: ignore[call-overload]
    return {part.pixelColor(x, y).name() for x in range(part.width()) for y in range(part.height())}


def test_the_title_says_that_times_are_recorded_and_the_table_has_the_best_first(scene: Scene) -> None:
    assert "recorded on Test GPU, 2026-01-01" in scene.panel.title.text()
    assert "tile = 32, rows = 8" in scene.panel.verdict.text()
    assert "25\u00a0% of the library" in scene.panel.verdict.text()
    assert f"GFLOP/{WORD_JOINER}s" in scene.panel.verdict.text(), "not broken where a line ends"
    cells = scene.panel.table.model()
    assert [cells.index(0, column).data() for column in (0, 2, 3)] == ["1 ✓", "25 %", "32, 8"]


def test_zeros_that_are_no_amounts_are_told_below_the_table(scene: Scene) -> None:
    assert scene.panel.signs.text().endswith("Block height 0: as wide")


def test_a_click_takes_the_settings_to_the_stage(scene: Scene, qtbot: QtBot) -> None:
    scene.session.show_workspace(Workspace.TIMING)
    qtbot.mouseClick(scene.panel.view, Qt.MouseButton.LeftButton, pos=scene.panel.view.place_of((64, 32)).center().toPoint())
    assert scene.session.stage.value.variant.defaults == scene.session.stage.value.parameters  # that cannot work
    qtbot.mouseClick(scene.panel.view, Qt.MouseButton.LeftButton, pos=scene.panel.view.place_of((8, 0)).center().toPoint())
    assert scene.session.stage.value.parameters == {"tile": 8, "rows": 0}
    assert scene.session.workspace.value is Workspace.STAGE


def test_the_keys_walk_from_the_fastest_cell_and_take_over(scene: Scene, qtbot: QtBot) -> None:
    view = scene.panel.view
    assert "The fastest." in view.accessibleDescription()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert scene.session.stage.value.parameters == {"tile": 16, "rows": 16}


def test_a_tuning_is_begun_followed_and_cancelled(scene: Scene, qtbot: QtBot) -> None:
    controls = scene.panel.controls
    assert not controls.cancel.isVisible()
    qtbot.mouseClick(controls.start, Qt.MouseButton.LeftButton)
    assert len(scene.tuner.wishes) == 1
    scene.tuner.told = TuningProgress(state=JobState.RUNNING, total=40, done=10, seconds_left=30.0)
    scene.tuner.found = (measured("gpu.naive", N, 0.5, tile=16, rows=4),)
    scene.tuning.tick()
    assert controls.state.text() == "First look: 10 of 40, at most 30 s left"
    assert not controls.start.isVisible()
    qtbot.waitUntil(lambda: scene.panel.view.picture is not None and scene.panel.view.picture.best == (16, 4))
    assert "measured here" in scene.panel.title.text()
    qtbot.mouseClick(controls.cancel, Qt.MouseButton.LeftButton)
    assert scene.tuner.cancelled == 1
    scene.tuner.told = TuningProgress(state=JobState.CANCELLED, total=40, done=11)
    scene.tuning.tick()
    assert controls.state.text() == "Cancelled. What was measured is kept."
    assert controls.start.isVisible()


def test_beside_a_lesson_the_page_is_whole_in_a_window_of_1280_pixels(scene: Scene) -> None:
    assert scene.panel.minimumSizeHint().width() <= BESIDE_LESSON


def test_a_rung_without_parameters_says_so(scene: Scene, qtbot: QtBot) -> None:
    library = by_id("gpu.cublas")
    scene.session.choose_variant(library)
    qtbot.waitUntil(lambda: not scene.panel.view.isVisible())
    assert "has no parameters" in scene.panel.reason.text()
    assert not scene.panel.controls.start.isEnabled()


def test_other_parameters_are_offered_by_name(scene: Scene, qtbot: QtBot) -> None:
    outer = by_id("gpu.outer-product")
    scene.session.choose_variant(outer)
    box = scene.panel.controls.also["depth"]
    assert box.isChecked()
    box.click()
    assert scene.tuning.choice.value.over == ("tile", "results")


@pytest.mark.parametrize("name", ["light", "dark"])
def test_shades_go_evenly_from_the_background_and_numbers_can_be_read_on_each(name: str) -> None:
    look = theme(name)
    shades = [heat_colour(look, step / 20) for step in range(21)]
    from_ground = [contrast(shade, look.bg1) for shade in shades]
    assert from_ground == sorted(from_ground)
    assert all(contrast(ink_on(shade), shade) >= 4.5 for shade in shades)


def workspace_of(session: Session, timing: TimingModel, scale: float, width: int) -> TimingWorkspace:
    return TimingWorkspace(
        Look(theme("light", scale), Translator("en")), session, timing, idle_tuning(session, timing), LadderModel(session, timing),
        idle_uses(session, timing), NoActions(), lambda _: Limits(), lambda _: None, width,
    )  # fmt: skip


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_one_scroll_bar_stands_beside_the_page_at_any_zoom(qtbot: QtBot, scale: float) -> None:
    session, timing = Session("gpu.naive"), TimingModel()
    timing.add(Provenance.RECORDED, [measured("gpu.naive", N, 4.0, tile=tile, rows=rows) for tile in (4, 8, 16, 32) for rows in (0, 4, 8)])
    area = _scrolled(workspace_of(session, timing, scale, 1050))
    qtbot.addWidget(area)
    area.resize(1050, 570)
    timing.page.value = TimingPage.TUNING
    area.show()
    qtbot.waitUntil(lambda: any(page.isVisible() for page in area.findChildren(TuningPanel)))
    qtbot.wait(50)
    bars = [each.verticalScrollBar() for each in (area, *area.findChildren(QAbstractScrollArea))]
    shown = [bar for bar in bars if bar.isVisible()]
    assert len(shown) <= 1


def test_the_page_has_the_workspace_for_itself(qtbot: QtBot) -> None:
    session, timing = Session("gpu.naive"), TimingModel()
    workspace = workspace_of(session, timing, 1.0, 1230)
    workspace.resize(1230, 640)
    qtbot.addWidget(workspace)
    workspace.show()
    assert workspace.panel.chart.isVisible()
    timing.page.value = TimingPage.TUNING
    page = workspace.findChild(TuningPanel)
    assert page is not None
    assert page.isVisible()
    assert not workspace.panel.chart.isVisible()
    assert not workspace.side.isVisible()
    timing.page.value = TimingPage.CURVES
    assert workspace.side.isVisible()
    assert not page.isVisible()
