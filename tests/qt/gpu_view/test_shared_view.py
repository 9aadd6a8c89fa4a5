"""The view of shared memory as a user has it: what it draws where, and what mouse and keys select."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.frames.views import View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.gpu_view.shared.bank_sentences import NEXT_ASKED
from app.core.gpu_view.shared.banks import BanksPicture, banks_picture, parts
from app.core.gpu_view.shared.shared_memory import SharedMemory
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view import shared_text
from app.qt.gpu_view.shared_geometry import lay_out
from app.qt.gpu_view.shared_lanes import numbered_banks
from app.qt.gpu_view.shared_text import NAME, name_lines
from app.qt.gpu_view.shared_view import SharedView
from app.qt.presenter.large import fit, launch_view
from kernels.analysis.banks import BANKS
from kernels.base.messages import message
from tests.launches.launch_records import launch_of, record_of

LOOK = Look(theme("light"), Translator("en"))
CONFLICT = ("gpu.transpose-shared", 74)
SIZES = [(120, 90), (290, 266), (330, 366), (620, 266), (920, 866), (1600, 1000)]
LAUNCHES = [("gpu.naive", 0), ("gpu.tiled", 300), CONFLICT, ("gpu.transpose-padded", 74), ("gpu.transpose-swizzled", 75)]


def index_of(variant: str) -> LaunchIndex:
    return launch_of(variant, 64, tile=32 if "transpose" in variant else 16)


def picture(variant: str, step: int, fraction: float = 0.2, selection: Selection = NOTHING) -> GpuPicture:
    made = picture_of(index_of(variant), step, fraction, selection)
    assert isinstance(made, GpuPicture)
    return made


def banks_of(shown: GpuPicture) -> BanksPicture:
    return banks_picture(SharedMemory(shown.index), shown.frame)


def view_of(qtbot: QtBot, shown: GpuPicture, size: tuple[int, int] = (920, 866), look: Look = LOOK) -> SharedView:
    view = SharedView(look, StageModel())
    qtbot.addWidget(view)
    view.resize(*size)
    view.show_picture(shown)
    return view


def image(view: SharedView) -> QImage:
    return view.grab().toImage()


def hovers(view: SharedView, expected: Selection) -> bool:
    return view.model.hovered.value == expected


def middle(area: QRectF | None) -> QPoint:
    assert area is not None
    return area.center().toPoint()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("variant", "step"), LAUNCHES)
def test_it_is_drawn_at_every_size_and_the_same_again(qtbot: QtBot, variant: str, step: int, language: str, size: tuple[int, int]) -> None:
    look = Look(theme("dark"), Translator(language))
    view = view_of(qtbot, picture(variant, step), size, look)
    once = image(view)
    assert once == image(view_of(qtbot, picture(variant, step), size, look))
    view.show_picture(picture(variant, step + 1, 0.7))
    image(view)
    view.show_picture(picture(variant, step))
    assert image(view) == once


@pytest.mark.parametrize("size", SIZES)
def test_nothing_reaches_out_of_the_view_or_into_something_else(size: tuple[int, int]) -> None:
    for rows, touched in ((1, {0}), (4, {1}), (33, {0}), (64, {13}), (2048, set(range(0, 2048, 64)))):
        place = lay_out(QSizeF(*size), 1.0, parts(rows, touched, (0,)))
        assert place.left >= 0
        assert place.grid.right() <= size[0]
        assert place.token_line + place.token / 2 < place.bank_line < place.grid.top()
        if size[1] >= 266:
            assert place.words.bottom() <= size[1]
            assert place.strip is not None
            assert place.grid.bottom() <= place.strip.top() < place.strip.bottom() <= place.words.top()
        assert all(one[1] + one[2] <= other[1] for one, other in pairwise(place.tops))


@pytest.mark.parametrize("size", SIZES[1:])
def test_names_of_arrays_have_room_and_the_pointer_is_told_them_whole(qtbot: QtBot, size: tuple[int, int]) -> None:
    index = launch_of("gpu.transpose-in-place", 64, tile=32)
    shown = picture_of(index, 40, 0.2)
    assert isinstance(shown, GpuPicture)
    view = view_of(qtbot, shown, size)
    place, metrics = view.place(shown), QFontMetricsF(LOOK.theme.font(NAME))
    assert max(map(metrics.horizontalAdvance, ("upper", "lower"))) <= place.left - 12
    _, top, height = place.tops[0]
    assert str(view.tip_at(QPointF(place.left / 2, top + height / 2), shown)) == "upper 32 × 33"
    assert view.tip_at(QPointF(place.left / 2, 1), shown) is None


def test_a_long_name_stands_in_lines_that_are_broken_between_its_parts() -> None:
    metrics = QFontMetricsF(LOOK.theme.font(NAME))
    width = metrics.horizontalAdvance("matrix_a")
    assert name_lines("tile_of_matrix_a", metrics, width) == ("tile_of_", "matrix_a")
    assert name_lines("tileOfMatrixA", metrics, width) == ("tileOf", "MatrixA")
    assert name_lines("As", metrics, width) == ("As",)
    assert "".join(name_lines("__shared_rows__", metrics, 10)) == "__shared_rows__"


def test_every_word_is_found_where_it_is_drawn_and_in_its_bank() -> None:
    place = lay_out(QSizeF(620, 266), 1.5, parts(64, {13, 40}, (0, 32)))
    words = [word for word in range(64 * BANKS) if place.word(word) is not None]
    assert len(words) % BANKS == 0
    for word in words:
        area = place.word(word)
        assert area is not None
        assert place.word_at(area.center()) == word
        assert place.column_at(area.center()) == word % BANKS
        assert area.center().x() == pytest.approx(place.middle(word % BANKS))


def test_words_are_violet_when_served_crimson_when_waiting_and_grey_when_done(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT, 0.2)
    view = view_of(qtbot, shown)
    drawn, place, look = image(view), view.place(shown), LOOK.theme

    def fill(word: int) -> QColor:
        area = place.word(word)
        assert area is not None
        return drawn.pixelColor((area.topLeft() + QPointF(3, 3)).toPoint())

    lanes = [lane * 32 + 5 for lane in range(32)]
    assert [fill(word) for word in lanes[:6]] == [look.bg3] * 6
    assert fill(lanes[6]) == look.now
    assert [fill(word) for word in lanes[7:]] == [look.bad_bg] * 25


def test_the_words_of_an_access_that_is_over_look_as_filled_as_those_beside_them(qtbot: QtBot) -> None:
    every = [picture("gpu.transpose-shared", step) for step in range(80)]
    shown = [each for each in every if banks_of(each).past and banks_of(each).words][-1]
    view = view_of(qtbot, shown, (700, 500))
    drawn, place, words = image(view), view.place(shown), {each.word for each in banks_of(shown).words}
    fills = [{drawn.pixelColor((area.topLeft() + QPointF(3, 3)).toPoint()).name() for word in range(32 * BANKS)
              if (word in words) is own and (area := place.word(word)) is not None} for own in (True, False)]  # fmt: skip
    assert words
    assert fills[0] == fills[1], "one colour: that of what A holds"


def test_where_banks_are_narrow_the_mark_of_a_contested_one_leaves_the_numbers_beside_it_alone(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT, 0.2)
    view = view_of(qtbot, shown, (270, 500))
    drawn, place, look = image(view), view.place(shown), LOOK.theme
    assert not place.numbered
    below = QPointF(place.middle(5), place.bank_line + 13)
    assert drawn.pixelColor(below.toPoint()) == look.bad
    number = QRectF(place.middle(4) - 3, place.bank_line + 1, 6, 9)  # that of bank 4, as far as the number of bank 5
    seen = {drawn.pixelColor(x, y).name() for x in range(int(number.left()), int(number.right()))
            for y in range(int(number.top()), int(number.bottom()))}  # fmt: skip
    assert not {look.bad.name(), look.bad_bg.name()} & seen


@pytest.mark.parametrize("fractions", [(0.0, 0.02), (0.2, 0.5)])
def test_a_conflict_advances_with_the_step(qtbot: QtBot, fractions: tuple[float, float]) -> None:
    one, other = (image(view_of(qtbot, picture(*CONFLICT, fraction))) for fraction in fractions)
    assert (one == other) == (fractions == (0.0, 0.02))


def test_the_pointer_selects_the_lane_the_bank_and_the_word_under_it(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT)
    view = view_of(qtbot, shown)
    with qtbot.waitExposed(view):
        view.show()
    place, thread = view.place(shown), shown.frame.first_thread
    allocation = view.banks(shown).memory.arrays[0].allocation
    for point, expected in (
        (QPoint(round(place.middle(9)), round(place.token_line)), Selection(thread=thread + 9)),
        (QPoint(round(place.middle(9)), round(place.bank_line) + 6), Selection(bank=9)),
        (middle(place.word(3 * 32 + 5)), Selection(element=(allocation, 3 * 32 + 5))),
        (QPoint(2, 2), NOTHING),
    ):
        qtbot.mouseMove(view, point)
        qtbot.waitUntil(partial(hovers, view, expected))
        assert (view.tip(expected, shown) is None) == (expected == NOTHING)


def test_what_is_selected_is_outlined(qtbot: QtBot) -> None:
    plain = image(view_of(qtbot, picture(*CONFLICT)))
    thread = picture(*CONFLICT).frame.first_thread
    for selection in (Selection(bank=9), Selection(thread=thread + 4)):
        assert image(view_of(qtbot, picture(*CONFLICT, 0.2, selection))) != plain


def test_arrow_keys_go_from_lane_to_lane(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT)
    view, thread = view_of(qtbot, shown), shown.frame.first_thread
    pinned = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Escape):
        qtbot.keyClick(view, key)
        pinned.append(view.model.pinned.value)
    assert pinned == [*(Selection(thread=thread + lane) for lane in (0, 1, 2, 1)), NOTHING]


def test_a_click_pins_and_another_lets_go(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT)
    view = view_of(qtbot, shown)
    point = QPoint(round(view.place(shown).middle(9)), round(view.place(shown).token_line))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point)
    assert view.model.pinned.value == Selection(thread=shown.frame.first_thread + 9)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point)
    assert view.model.pinned.value == NOTHING
    QToolTip.hideText()


def test_the_header_has_a_fact_and_a_verdict_where_there_is_an_access(qtbot: QtBot) -> None:
    shown = picture(*CONFLICT)
    view = view_of(qtbot, shown)
    verdict = view.verdict(shown)
    assert verdict is not None
    assert (str(verdict.text), verdict.times, verdict.severe) == ("32-way conflict", 32, True)
    assert view.fact(shown) == message("{banks} banks across, {rows} rows of words", banks=32, rows=32)
    before = picture("gpu.transpose-shared", 0)
    view.show_picture(before)
    assert view.verdict(before) is None
    without = picture("gpu.naive", 0)
    view.show_picture(without)
    assert (view.fact(without), view.verdict(without), view.table(without).rows) == (None, None, ())
    assert view.selection_at(QPointF(400, 400), without) == NOTHING


def test_another_record_with_the_same_layout_has_its_own_names(qtbot: QtBot) -> None:
    swizzled = picture("gpu.transpose-swizzled", 74)
    view = view_of(qtbot, picture(*CONFLICT))
    image(view)
    view.show_picture(swizzled)
    assert image(view) == image(view_of(qtbot, swizzled))


def test_curves_do_not_stay_on_their_way_where_the_launch_beside_rests(qtbot: QtBot) -> None:
    """Two schedules share a clock: where one is at the beginning of a step, the other is within one."""
    step = 200
    view, other = view_of(qtbot, picture("gpu.tiled", step, 0.1)), view_of(qtbot, picture("gpu.tiled", step, 0.1))
    view.beside, other.beside = other, view
    growing = image(view)
    other.show_picture(picture("gpu.tiled", step, 0.0))
    view.update()
    rests = image(view)
    assert rests != growing
    view.show_picture(picture("gpu.tiled", step, 0.0))
    assert image(view) == rests


def gutter_of(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, shown: GpuPicture, size: tuple[int, int]) -> list[tuple[str, QRectF]]:
    """What stands at the left of the words, and where."""
    said: list[tuple[str, QRectF]] = []
    written = shared_text._write

    def record(painter: QPainter, text: str, area: QRectF, *more: Qt.AlignmentFlag) -> None:
        said.append((text, area))
        written(painter, text, area, *more)

    view = view_of(qtbot, shown, size)
    monkeypatch.setattr(shared_text, "_write", record)
    image(view)
    left = view.place(shown).left
    return [(text, area) for text, area in said if area.right() <= left]


@pytest.mark.parametrize("size", [(412, 314), (564, 314), (412, 260)])
def test_an_array_whose_rows_lie_between_folded_ones_is_named_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """With 32 columns of padding every second row of words is folded."""
    shown = picture_of(launch_of("gpu.transpose-padded", 64, tile=32, padding=32), 64, 0.2)
    assert isinstance(shown, GpuPicture)
    said = gutter_of(qtbot, monkeypatch, shown, size)
    assert [text for text, _ in said if text == "tile"] == ["tile"]
    rows = sorted((area for text, area in said if text.startswith("word ")), key=lambda area: area.top())
    assert (len(rows) > 1) == (size[0] > 500)
    assert all(one.bottom() <= other.top() for one, other in pairwise(rows))
    assert all(area.bottom() <= view_of(qtbot, shown, size).place(shown).words.top() for area in rows)


@pytest.mark.parametrize(("variant", "labels"), [
    ("gpu.transpose-shared", ["row 8", "row 16", "row 24"]), ("gpu.transpose-padded", ["word 256", "word 512", "word 768", "word 1024"]),
])  # fmt: skip
def test_rows_of_words_are_rows_of_a_matrix_only_where_these_are_as_long(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, variant: str, labels: list[str]
) -> None:
    """A tile of 32 x 33 has no row 32: the last of its words lies in the 33rd row of the banks."""
    said = gutter_of(qtbot, monkeypatch, picture(variant, 74), (564, 404))
    assert [text for text, _ in said if text.startswith(("row", "word"))] == labels


_TWO_ARRAYS = """__global__ void two(float* out) {
    __shared__ float a[16][17], b[16][16];
    int y = threadIdx.x / 16, x = threadIdx.x % 16;
    a[y][x] = 1.0f;
    b[y][x] = 2.0f;
    __syncthreads();
    out[threadIdx.x] = a[y][x] + b[y][x];
}
"""


@pytest.mark.parametrize("size", [(330, 420), (400, 366), (920, 866)])
def test_an_array_that_begins_inside_a_row_of_words_is_named_beside_it_and_its_beginning_is_marked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """`a` takes 272 words, eight rows and a half: `b` begins in the middle of the ninth."""
    shown = picture_of(record_of(_TWO_ARRAYS, 256, {"out": np.zeros(256, np.float32)}), 0, 0.2)
    assert isinstance(shown, GpuPicture)
    view, turns = view_of(qtbot, shown, size), list[list[QPointF]]()
    draw = QPainter.drawPolyline

    def noted(painter: QPainter, points: list[QPointF]) -> None:
        turns.append(list(points))
        draw(painter, points)

    monkeypatch.setattr(QPainter, "drawPolyline", noted)
    first = view.place(shown).word(272)
    assert first is not None
    said = gutter_of(qtbot, monkeypatch, shown, size)
    (name,) = (area for text, area in said if text == "b")
    assert first.top() - 1 <= name.top() <= first.bottom()
    areas = sorted((area for text, area in said), key=lambda area: area.top())
    assert all(one.bottom() - 1 <= other.top() for one, other in pairwise(areas))
    assert any({round(point.x() - first.left()) for point in points[1:3]} == {0} for points in turns)


@pytest.mark.parametrize("width", [300, 412, 500, 560, 576, 620, 900])
def test_lane_13_is_found_in_a_view_of_any_width(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Each lane has its number in its token, or every fourth one above it and none within."""
    shown = picture("gpu.transpose-shared", 74)
    view, drawn = view_of(qtbot, shown, (width, 420)), list[tuple[QRectF, str]]()
    draw = QPainter.drawText

    def noted(painter: QPainter, area: QRectF, *given: Any) -> Any:
        drawn.append((area, given[-1]))
        return draw(painter, area, *given)

    with monkeypatch.context() as patched:
        patched.setattr(QPainter, "drawText", noted)
        image(view)
    place = view.place(shown)
    within = [text for area, text in drawn if isinstance(area, QRectF) and abs(area.height() - place.token) < 0.01 and area.top() == 0]
    above = [(text, area.center().x()) for area, text in drawn if isinstance(area, QRectF) and area.top() == place.lane_line]
    if place.lane_line is None:
        assert set(map(str, range(32))) <= set(within)
    else:
        assert within == []
        assert above == [(str(lane), place.middle(lane)) for lane in range(0, 32, 4)]
        assert place.lane_line + 12 <= place.token_line - place.token / 2


def test_lanes_of_the_step_before_the_one_that_is_asked_about_are_not_drawn(qtbot: QtBot) -> None:
    shown = picture("gpu.transpose-shared", 73)
    view = view_of(qtbot, shown)
    assert view.banks(shown).groups
    view.model.ahead.value = 73
    banks = view.banks(shown)
    assert (banks.groups, banks.words, banks.access, view.verdict(shown), view.detail(shown)) == ((), (), None, None, None)
    assert view._reason(shown, banks) == NEXT_ASKED
    view.model.ahead.value = 74
    assert view.banks(shown).groups


def test_contested_banks_have_their_numbers_where_not_all_have_room() -> None:
    assert numbered_banks(frozenset()) == set(range(0, 32, 4))
    assert numbered_banks(frozenset({11, 17})) == {0, 4, 8, 11, 17, 20, 24, 28}
    assert numbered_banks(frozenset({0, 1, 16, 17})) == {*range(0, 32, 4), 1}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_on_a_slide_wavefronts_have_their_label(qtbot: QtBot, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    look, shown, said = Look(theme("light"), Translator(language)), picture(*CONFLICT), list[str]()
    view = launch_view(View.SHARED_MEMORY, look, StageModel())
    qtbot.addWidget(view)
    fit(view, QSizeF(1000, 680), 2.9)
    view.show_picture(shown)
    monkeypatch.setattr(shared_text, "_write", lambda _painter, text, *_place: said.append(text))
    view.grab()
    assert look.text(shared_text.WAVEFRONT) in said
