"""The view of the matrices as a user has it: what it draws where, and what mouse and keys select."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QToolTip, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.execution.execute import execute
from app.core.frames.matrix import Box
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.subject import subject_of
from app.core.session.session import Session, stage_defaults
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.matrices_view import MatricesView
from app.qt.views.frame import ViewFrame
from app.qt.widgets.labels import ElidedLabel
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import launch_of, record_of
from tests.launches.own_kernels import ADD, ONE_BLOCK, TILED

LOOK = Look(theme("light"), Translator("en"))
SIZES = [(120, 90), (330, 366), (620, 606), (920, 866), (1600, 500)]
LAUNCHES = [
    ("gpu.tiled", 8, {"tile": 4}), ("gpu.tiled", 64, {}), ("gpu.tiled", 37, {}), ("gpu.tiled", 1024, {}), ("gpu.naive", 64, {}),
    ("gpu.transpose-swizzled", 64, {"tile": 16}), ("gpu.hello", 0, {}),
]  # fmt: skip


def picture(index: LaunchIndex, step: int, fraction: float = 0.3, selection: Selection = NOTHING) -> GpuPicture:
    made = picture_of(index, step, fraction, selection)
    assert isinstance(made, GpuPicture)
    return made


def view_of(qtbot: QtBot, shown: GpuPicture, size: tuple[int, int] = (620, 606), look: Look = LOOK) -> MatricesView:
    view = MatricesView(look, StageModel())
    qtbot.addWidget(view)
    view.resize(*size)
    view.show_picture(shown)
    return view


def image(view: MatricesView) -> QImage:
    return view.grab().toImage()


def place(view: MatricesView, name: str, row: int, column: int) -> QPoint:
    assert view.picture is not None
    rect = view.layout_of(view.picture).matrices[name].rect(Box(row, column, 1, 1))
    return rect.center().toPoint()


def shows(picture: QImage, area: QRectF, colour: QColor) -> bool:
    rect = area.toAlignedRect()
    return any(picture.pixelColor(x, y) == colour for x in range(rect.left(), rect.right()) for y in range(rect.top(), rect.bottom()))


@pytest.mark.parametrize(("variant", "n", "parameters"), LAUNCHES)
@pytest.mark.parametrize("size", SIZES)
def test_what_was_drawn_before_leaves_no_trace(
    qtbot: QtBot, variant: str, n: int, parameters: dict[str, int], size: tuple[int, int]
) -> None:
    index = launch_of(variant, n, **parameters)
    view = view_of(qtbot, picture(index, 0), size)
    for step in (index.steps - 1, index.steps // 2, 0, index.steps // 2 + 1, index.steps // 3):
        view.show_picture(picture(index, step))
        assert image(view) == image(view_of(qtbot, picture(index, step), size))


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_theme_and_language_is_drawn(qtbot: QtBot, name: str, language: str) -> None:
    index = launch_of("gpu.tiled", 64)
    look = Look(theme(name), Translator(language))
    drawn = image(view_of(qtbot, picture(index, 289), look=look))
    assert drawn.pixelColor(1, 1) == look.theme.bg2
    assert drawn != image(view_of(qtbot, picture(index, 700), look=look))


def test_cells_have_the_colours_of_what_they_are(qtbot: QtBot) -> None:
    view = view_of(qtbot, picture(launch_of("gpu.tiled", 64), 300, 0.0))
    drawn, colours = image(view), LOOK.theme
    assert drawn.pixelColor(place(view, "A", 1, 18)) == colours.a
    assert drawn.pixelColor(place(view, "A", 14, 20)) == colours.a_mid
    assert drawn.pixelColor(place(view, "A", 9, 4)) == colours.a_bg
    assert drawn.pixelColor(place(view, "A", 40, 4)) in (colours.cell, colours.cell2)
    assert drawn.pixelColor(place(view, "B", 55, 9)) == colours.b_bg
    assert drawn.pixelColor(place(view, "C", 40, 40)) == colours.cell


def test_what_the_warp_touches_is_outlined_in_violet(qtbot: QtBot) -> None:
    view = view_of(qtbot, picture(launch_of("gpu.tiled", 64), 300, 0.0))
    assert view.picture is not None
    matrix = view.layout_of(view.picture).matrices["A"]
    touched = matrix.rect(Box(6, 16, 2, 16))
    drawn = image(view)
    assert shows(drawn, touched.adjusted(-2, -3, 2, 3), LOOK.theme.now)
    assert not shows(drawn, matrix.rect(Box(20, 0, 40, 64)), LOOK.theme.now)


def test_a_pointer_over_an_element_selects_it_and_says_its_value(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, text, _widget: said.append(text))
    index = launch_of("gpu.tiled", 8, tile=4)
    view = view_of(qtbot, picture(index, 0))
    with qtbot.waitExposed(view):
        view.show()
    qtbot.mouseMove(view, place(view, "B", 3, 5))
    qtbot.waitUntil(lambda: view.model.hovered.value == Selection(element=(1, 29)))
    assert view.picture is not None
    tip = view.tip(Selection(element=(1, 29)), view.picture)
    assert tip is not None
    value = float(index.record.contents.window(1, index.lanes(0).element[:1] * 0 + 29, 0).values[0])
    assert LOOK.text(tip).startswith(f"B[3][5] = {value:g}".replace("-", "−"))
    assert view.tip(NOTHING, view.picture) is None


def test_a_click_pins_and_arrow_keys_move_by_an_element(qtbot: QtBot) -> None:
    view = view_of(qtbot, picture(launch_of("gpu.tiled", 8, tile=4), 0))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place(view, "A", 2, 2))
    assert view.model.pinned.value == Selection(element=(0, 18))
    for key, element in ((Qt.Key.Key_Right, 19), (Qt.Key.Key_Down, 27), (Qt.Key.Key_Left, 26), (Qt.Key.Key_Up, 18)):
        qtbot.keyClick(view, key)
        assert view.model.pinned.value == Selection(element=(0, element))
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert view.model.pinned.value == Selection(element=(0, 0))
    for _ in range(9):
        qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.model.pinned.value == Selection(element=(0, 0))


def test_what_is_selected_is_outlined_in_ink(qtbot: QtBot) -> None:
    index = launch_of("gpu.tiled", 64)
    shown = picture(index, 300, 0.0, Selection(element=(2, 40 * 64 + 40)))
    view = view_of(qtbot, shown)
    area = view.layout_of(shown).matrices["C"].rect(Box(40, 40, 1, 1)).adjusted(-3, -3, 3, 3)
    assert shows(image(view), area, LOOK.theme.ink)
    assert not shows(image(view_of(qtbot, picture(index, 300, 0.0))), area, LOOK.theme.ink)


def test_a_tile_too_small_to_see_has_a_lens_whose_elements_can_be_picked(qtbot: QtBot) -> None:
    index = launch_of("gpu.tiled", 1024)
    shown = picture(index, 300, 0.0)
    view = view_of(qtbot, shown)
    lens = view.lenses_of(shown)["A"]
    centre = lens.rect(Box(3, 20, 1, 1)).center()
    assert view.selection_at(centre, shown) == Selection(element=(0, 3 * 1024 + 20))
    outside = view.layout_of(shown).matrices["A"].area.center() + QPointF(0, -100)
    assert view.selection_at(outside, shown) == NOTHING
    large = view_of(qtbot, picture(launch_of("gpu.tiled", 64), 300))
    assert large.picture is not None
    assert not large.lenses_of(large.picture)


@pytest.mark.parametrize(("variant", "n", "parameters"), LAUNCHES[:-1])
@pytest.mark.parametrize("size", SIZES[1:])
def test_nothing_stands_outside_or_over_another(
    qtbot: QtBot, variant: str, n: int, parameters: dict[str, int], size: tuple[int, int]
) -> None:
    shown = picture(launch_of(variant, n, **parameters), 0)
    view = view_of(qtbot, shown, size)
    layout = view.layout_of(shown)
    areas = [each.area for each in layout.matrices.values()]
    assert all(QRectF(view.rect()).contains(area) for area in areas)
    assert not any(one.intersects(other) for number, one in enumerate(areas) for other in areas[:number])
    assert not any(area.intersects(layout.corner) for area in areas)
    for name, lens in view.lenses_of(shown).items():
        assert layout.matrices[name].area.contains(lens.place.area)


@pytest.mark.parametrize(("n", "step"), [(1024, 29_504), (16, 300), (32, 300)])
def test_the_steps_added_stand_behind_the_name_and_cover_no_element(qtbot: QtBot, n: int, step: int) -> None:
    shown = picture(launch_of("gpu.tiled", n, tile=8 if n == 16 else 16), step)
    view = view_of(qtbot, shown, (450, 530))
    area, drawn = view.layout_of(shown).matrices["C"].area, image(view)
    assert shows(drawn, QRectF(area.left() + 70, area.top() - 26, area.width() - 70, 24), LOOK.theme.bg1)
    assert not shows(drawn, area, LOOK.theme.bg1)


def test_arrays_that_are_no_matrices_and_none_at_all(qtbot: QtBot) -> None:
    index = record_of("__global__ void k(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x + 1]; }", 32,
                      {"x": Filled(100, Fill.RANDOM), "y": Filled(32, None)})  # fmt: skip
    view = view_of(qtbot, picture(index, 0))
    assert view.selection_at(QPointF(place(view, "x", 1, 3)), picture(index, 0)) == Selection(element=(0, 35))
    assert view.selection_at(QPointF(place(view, "x", 3, 5)), picture(index, 0)) == NOTHING
    assert [row[2] for row in view.table(picture(index, 0)).rows][:2] == ["x[1]", "x[2]"]
    none = picture(launch_of("gpu.hello", 0), 0)
    empty = view_of(qtbot, none)
    assert empty.moved(NOTHING, 0, 0, none) == NOTHING
    assert empty.selection_at(QPointF(300, 300), none) == NOTHING
    assert image(empty) != image(view_of(qtbot, picture(index, 0)))


def test_the_header_says_which_block_and_how_many_are_traced(qtbot: QtBot) -> None:
    view = view_of(qtbot, picture(launch_of("gpu.tiled", 64), 2000))
    for n, said in ((64, "block (1, 0) of 4 × 4"), (1024, "4 of 4096 blocks traced; the others repeat them")):
        fact = view.fact(picture(launch_of("gpu.tiled", n), 1300 if n == 64 else 0))
        assert fact is not None
        assert LOOK.text(fact) == said


@pytest.mark.parametrize("sizes", [(64, 64, 64), (256, 64, 64), (64, 128, 200)])
def test_a_turned_matrix_stands_clear_of_the_others_with_its_steps_beside_it(qtbot: QtBot, sizes: tuple[int, int, int]) -> None:
    variant = by_id("gpu.fastest")
    subject = subject_of(variant, Problem(Operation.MATMUL, *sizes), stage_defaults(variant), Session().profile.value)
    record = execute(subject)
    assert isinstance(record, LaunchRecord)
    index = LaunchIndex(subject, record)
    shown = picture(index, index.steps // 2)
    view = view_of(qtbot, shown, (920, 866))
    places = view.layout_of(shown).matrices
    a, b, c = (places[name].area for name in "ABC")
    assert not any(one.intersects(two) for one, two in ((a, b), (a, c), (b, c)))
    assert all(QRectF(view.rect()).contains(area) for area in (a, b, c))
    labels = QRectF(a.left() - 55, a.top(), 50, a.height())
    between = QRectF(a.right() + 2, a.top(), c.left() - a.right() - 4, a.height())
    assert shows(image(view), labels, LOOK.theme.a)
    assert not shows(image(view), between, LOOK.theme.matrix("A")[1])


def test_a_target_that_its_lens_does_not_show_is_not_outlined_in_the_corner_of_the_view(qtbot: QtBot) -> None:
    index = launch_of("gpu.tiled", 1024)
    shown = picture(index, int(index.steps * 0.71), 0.85)
    view = view_of(qtbot, shown, (560, 370))
    target = view.matrices(shown).at(shown.frame).target
    assert target is not None
    assert view.lenses_of(shown)["C"].rect(target).isEmpty()
    assert image(view).pixelColor(0, 0) == LOOK.theme.bg2


def test_the_caption_is_text_where_lines_stay_lines(qtbot: QtBot, tmp_path: Path) -> None:
    shown, path = picture(launch_of("gpu.tiled", 64), 2000), tmp_path / "matrices.svg"
    view, drawn = view_of(qtbot, shown), QSvgGenerator()
    drawn.setFileName(str(path))
    drawn.setSize(view.size())
    painter = QPainter(drawn)
    view.paint(painter, shown)
    painter.end()
    assert "Tile step" in path.read_text()
    assert "Global reads for this tile of C" in path.read_text()


def test_what_misses_being_a_product_says_why_it_is_drawn_as_arrays(qtbot: QtBot) -> None:
    wrong = replace(ONE_BLOCK, text=ONE_BLOCK.text.replace("s += ", "s -= "))
    for own, said in ((wrong, True), (TILED, False), (ADD, False)):
        shown = picture(own.launched(), 3)
        view = view_of(qtbot, shown)
        fact, brief = view.fact(shown), view.brief(shown)
        assert fact is not None
        assert (Translator("en").text(fact) == "no product: 252 of 256 results differ from A × B") == said
        assert (brief is not None) == said


@pytest.mark.parametrize(("language", "missed"), [("en", "no product"), ("zh_CN", "不是矩阵乘积")])
@pytest.mark.parametrize("width", [340, 700])
def test_that_there_is_no_product_stands_beside_a_chosen_element(qtbot: QtBot, language: str, missed: str, width: int) -> None:
    """In the narrowest view, and where the whole has room."""
    wrong = replace(ONE_BLOCK, text=ONE_BLOCK.text.replace("s += ", "s -= "))
    shown, look = picture(wrong.launched(), 3), Look(theme("light"), Translator(language))
    view, around = MatricesView(look, StageModel()), QWidget()
    qtbot.addWidget(around)
    frame = ViewFrame(look, 1, view, lambda: None, around)
    view.model.pinned.value = view.moved(NOTHING, 0, 0, shown)
    frame.resize(width, 300)
    frame.show_picture(shown)
    around.show()
    fact = frame.findChildren(ElidedLabel)[1]
    assert not fact.isHidden()
    assert "B[16] = " in fact._fitting()
    assert missed in fact._fitting()
    assert ("252" in fact._fitting()) == (width == 700)


@pytest.mark.parametrize(("language", "unwritten"), [("en", "C[0][1]: not yet written"), ("zh_CN", "C[0][1]：尚未写入")])
def test_the_header_tells_of_the_element_that_the_keys_have_chosen(qtbot: QtBot, language: str, unwritten: str) -> None:
    index, look = launch_of("gpu.tiled", 64), Look(theme("light"), Translator(language))
    shown = picture(index, 0)
    view = view_of(qtbot, shown, look=look)
    before = view.fact(shown)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    chosen = view.model.pinned.value.element
    assert chosen is not None
    fact, detail = view.fact(shown), view.detail(shown)
    assert fact is not None
    assert detail is not None
    assert look.text(fact).startswith("A[0][1] = ")
    assert look.text(detail).startswith(look.text(fact))
    output = next(array for array in view.matrices(shown).arrays if array.name == "C")
    view.model.pinned.value = Selection(element=(output.allocation, 1))
    fact = view.fact(shown)
    assert fact is not None
    assert look.text(fact) == unwritten
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.fact(shown) == before
