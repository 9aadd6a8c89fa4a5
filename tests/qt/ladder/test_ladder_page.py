"""The ladder page: its bars, what they are told apart by, and the chosen rung."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.ladder.model import LadderModel
from app.core.predictions.recorded_counters import recorded_results
from app.core.results.curves import Provenance
from app.core.session.session import Session
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.ladder.bars import LEAST_ROW, paint_bar, share_left
from app.qt.ladder.page import LadderPage
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import by_id
from tests.measured.timing_results import measured

N = 4096


@dataclass
class Scene:
    session: Session
    timing: TimingModel
    model: LadderModel
    page: LadderPage
    look: Look


def scene_in(qtbot: QtBot, colours: str, language: str, operation: Operation, scale: float = 1.0) -> Scene:
    session, timing = Session(), TimingModel()
    session.choose_operation(operation)
    timing.add(Provenance.RECORDED, recorded_results("h200"))
    model = LadderModel(session, timing)
    assert model.choose_size(N) is None
    look = Look(theme(colours, scale), Translator(language))
    page = LadderPage(look, model)
    page.resize(1204, 590)  # what a window of 1280 x 720 leaves it
    qtbot.addWidget(page)
    page.show()
    return Scene(session, timing, model, page, look)


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return scene_in(qtbot, "light", "en", Operation.MATMUL)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
def test_all_rungs_fit_a_small_window_and_nothing_overlaps(qtbot: QtBot, operation: Operation, colours: str, language: str) -> None:
    bars = scene_in(qtbot, colours, language, operation).page.bars
    rows, columns = bars.rows(), bars.columns()
    assert rows[-1][1].bottom() <= bars.height() + 0.5
    assert min(row.height() for _, row in rows) >= 17.0
    assert columns.fonts[0].pixelSize() >= 14
    titles = [Translator(language).text(rung.variant.title) for rung, _ in rows]
    assert max(map(QFontMetricsF(columns.fonts[0]).horizontalAdvance, titles)) <= columns.bar - columns.name - 9, "no name is cut"
    assert columns.number < columns.name < columns.bar < columns.gain < columns.over < columns.end <= bars.width()
    longest = max(columns.bar_of(row, rung.share.percent if rung.share else 0.0).right() for rung, row in rows)
    assert columns.bar + 200 < longest < columns.gain


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_enlarged_rungs_do_not_lie_over_each_other(qtbot: QtBot, scale: float, language: str) -> None:
    page = scene_in(qtbot, "light", language, Operation.MATMUL, scale).page
    for size in ((980, 574), (640, 590)):
        page.resize(*size)
        QApplication.processEvents()
        assert min(row.height() for _, row in page.bars.rows()) >= LEAST_ROW


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_beside_an_open_lesson_bars_keep_a_length_that_can_be_compared(qtbot: QtBot, language: str) -> None:
    page = scene_in(qtbot, "light", language, Operation.MATMUL).page
    page.resize(780, 640)  # what a window of 1280 x 720 leaves it then
    rows, columns = page.bars.rows(), page.bars.columns()
    assert page.bars.width() < 560
    longest = max(rung.share.percent for rung, _ in rows if rung.share is not None)
    assert columns.bar_of(rows[0][1], longest).width() >= 110
    assert columns.bar - columns.name >= 100


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_is_said_of_a_rung_can_be_read_from_afar_and_none_of_it_is_cut(qtbot: QtBot, language: str) -> None:
    scene = scene_in(qtbot, "light", language, Operation.MATMUL)
    page, side = scene.page, scene.page.about
    for rung, _ in page.bars.rows():
        scene.model.explain(rung.variant.id)
        page.redraw()
        said = [page.title, *(each for each in side.findChildren(QLabel) if not each.isHidden() and each.text())]
        assert min(each.font().pixelSize() for each in said) >= 16
        qtbot.waitUntil(partial(whole, page, said))


def whole(page: LadderPage, said: Sequence[QLabel]) -> bool:
    """Whether every line of the labels has room, in what is seen or can be scrolled to."""
    inner, shown = page.about.widget(), page.about.viewport()
    assert inner is not None
    reached = inner.height() <= shown.height() or page.about.verticalScrollBar().isVisible()
    return reached and inner.width() <= shown.width() and all(each.height() >= each.heightForWidth(each.width()) for each in said)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_recorded_and_measured_bars_and_the_library_differ_without_colour(qtbot: QtBot, colours: str) -> None:
    seen = set()
    for provenance in (Provenance.MEASURED, Provenance.RECORDED):
        for library in (False, True):
            image = QImage(60, 24, QImage.Format.Format_ARGB32)
            image.fill(0)
            painter = QPainter(image)
            paint_bar(painter, theme(colours), QRectF(4, 4, 52, 16), provenance, by_id("cpu.numpy" if library else "cpu.parallel"))
            painter.end()
            grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
            seen.add(tuple(grey.pixelColor(x, y).value() > 128 for x in range(60) for y in range(24)))
    assert len(seen) == 4


def test_a_click_and_the_arrows_choose_the_rung_that_is_explained(qtbot: QtBot, scene: Scene) -> None:
    bars, about = scene.page.bars, scene.page.about
    rung, row = next(each for each in bars.rows() if each[0].variant.id == "gpu.conflict-free")
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(300, round(row.center().y())))
    qtbot.waitUntil(lambda: "no conflict to remove" in about.sentences.text())
    assert about.name.text().startswith(f"{rung.variant.rung}  Tiled, B transposed, conflict-free")
    assert "× 2.68" in bars.accessibleDescription()
    qtbot.keyClick(bars, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: "lanes of a warp now meet in the banks" in about.sentences.text())
    assert "wavefronts of shared memory 170\u202fM, against 54.5\u202fM" in about.sentences.text()


def test_what_was_measured_here_comes_first_and_the_recording_can_be_chosen(qtbot: QtBot, scene: Scene) -> None:
    page = scene.page
    assert not page.source.isVisible()
    scene.timing.add(Provenance.MEASURED, [measured("gpu.naive", N, 50.0, machine="Mine", tile=16, rows=0)])
    qtbot.waitUntil(lambda: "measured here, Mine" in page.title.text())
    assert page.source.isVisible()
    scene.model.choose_source((Provenance.RECORDED, "NVIDIA H200"))
    qtbot.waitUntil(lambda: "recorded on NVIDIA H200" in page.title.text())


def test_without_times_a_sentence_stands_there(qtbot: QtBot) -> None:
    session, timing = Session(), TimingModel()
    page = LadderPage(Look(theme("light"), Translator("en")), LadderModel(session, timing))
    qtbot.addWidget(page)
    page.show()
    QApplication.processEvents()
    assert page.missing.isVisible()
    assert not page.bars.isVisible()
    timing.add(Provenance.MEASURED, [measured("cpu.naive", 64, 1.0)])
    qtbot.waitUntil(page.bars.isVisible)
    assert "measured here" in page.title.text()


def test_what_is_said_fades_at_the_foot_while_there_is_more_below(qtbot: QtBot, scene: Scene) -> None:
    side = scene.page.about
    side.sentences.setText("A reason of its own. " * 200)
    bar, ground = side.verticalScrollBar(), side.viewport()
    qtbot.waitUntil(lambda: bar.maximum() > 0)

    def foot() -> set[str]:
        image, last = side.grab().toImage(), ground.geometry().bottom()
        return {image.pixelColor(x, last - y).name() for x in range(ground.width()) for y in range(8)}

    assert foot() == {side.fade.ground.name()}
    bar.setValue(bar.maximum())
    assert side.fade.isHidden()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("width", [390, 480, 730, 1204])
def test_nothing_of_the_chosen_rung_is_cut_where_the_page_is_narrow(qtbot: QtBot, language: str, width: int) -> None:
    page = scene_in(qtbot, "light", language, Operation.TRANSPOSE).page
    page.resize(width, 480)
    for _ in range(4):
        QApplication.processEvents()
    inner = page.about.widget()
    assert inner is not None
    assert inner.minimumSizeHint().width() <= page.about.viewport().width()
    assert page.bars.visibleRegion().boundingRect().height() > 150


def test_no_share_touches_the_line_of_the_library() -> None:
    line = 200.0
    for percent in range(60, 130):
        bar = QRectF(100, 0, percent, 12)
        left = share_left(bar, line)
        assert bar.right() + 6 <= left <= bar.right() + 14
        assert line <= bar.right() or line + 5 <= left or left + 3 <= line, percent


def test_a_long_name_takes_two_lines_where_rows_are_high(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of "Shared memory, padded" and "…, swizzled" was left "Shared mem…dded" and "Shared memo…zled", in rows of 45 pixels."""
    shortened = list[str]()

    def noted(_look: Look, name: str, *_room: object) -> str:
        shortened.append(name)
        return name

    monkeypatch.setattr("app.qt.ladder.bars.rung_name", noted)
    page = scene_in(qtbot, "light", "en", Operation.TRANSPOSE).page
    for width in (760, 640):
        page.resize(width, 590)
        page.grab()
    assert "Vectorised" in shortened
    assert not {"Shared memory, padded", "Shared memory, swizzled", "Shared memory, row first"} & set(shortened)
