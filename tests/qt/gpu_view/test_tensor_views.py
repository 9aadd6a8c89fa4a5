"""The views of fragments, swizzles and pipelines as a user has them: where they stand, what a pointer and keys do, what is typed in."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.compare.comparison import Comparison
from app.core.frames.views import View
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.selection import Selection
from app.core.gpu_view.shared.executed import instructions_at, next_instruction
from app.core.gpu_view.shared.fragments import FragmentsPicture
from app.core.gpu_view.shared.swizzle import SwizzlePicture
from app.core.gpu_view.step_texts import tell_launch
from app.core.gpu_view.synchronisation.cluster_transfers import Way, place_number
from app.core.gpu_view.synchronisation.clusters import ClustersPicture
from app.core.gpu_view.synchronisation.pipeline import PipelinePicture
from app.core.gpu_view.synchronisation.pipeline_stages import stages_of
from app.core.gpu_view.synchronisation.tracks import Doing
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.export.export_view import copy_of
from app.qt.export.figure import settle
from app.qt.gpu_view.clusters_geometry import LEGEND, lay_out
from app.qt.gpu_view.clusters_view import ClustersView
from app.qt.gpu_view.drawing import write_sentence
from app.qt.gpu_view.fragments_painter import inked, numbers_of
from app.qt.gpu_view.fragments_view import FragmentsView
from app.qt.gpu_view.gpu_stage import GPU_VIEWS, GpuStage
from app.qt.gpu_view.pipeline_geometry import MARGIN
from app.qt.gpu_view.pipeline_view import PipelineView
from app.qt.gpu_view.swizzle_view import LAYOUT, SwizzleView
from app.qt.gpu_view.view import GpuView
from app.qt.presenter.large import as_magnified, fit, launch_view
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of, recorded
from tests.launches.tensor_kernels import product
from tests.oracle.corpus import FOLDER, read
from tests.oracle.instructions import filled
from tests.screens.text_fits import painted_cut

LOOK = Look(theme("light"), Translator("en"))
NEW = (View.FRAGMENTS, View.SWIZZLE, View.PIPELINE)


@cache
def of_corpus(name: str) -> LaunchIndex:
    case = read(FOLDER / "instructions" / f"{name}.cu")
    return recorded(case.text, filled(case.kernel, case.request))


def multicast() -> LaunchIndex:
    return of_corpus("cluster-multicast")


def stage_of(
    qtbot: QtBot, index: LaunchIndex, step: int, alone: int = 0, look: Look = LOOK, size: tuple[int, int] = (1200, 800)
) -> GpuStage:
    model = StageModel()
    stage = GpuStage(look, model, compact=False)
    qtbot.addWidget(stage)
    stage.resize(*size)
    stage.show()
    model.shown.value = index
    model.alone.value = alone
    model.timeline.scrub(step)
    return stage


def view_of(stage: GpuStage, number: View) -> GpuView:
    view = stage.frames[number - 1].view
    assert isinstance(view, GpuView)
    return view


def shown(view: GpuView) -> GpuPicture:
    assert view.picture is not None
    return view.picture


def product_step() -> int:
    index = product()
    return next(step for step in range(index.steps) if len(instructions_at(index, frame_at(index, step))) == 2)


def texts_of(view: GpuView, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, QRectF, QFontMetricsF, bool]]:
    """What is written into places of a view, with these, how it is written, and whether it is cut off outside."""
    found, draw = list[tuple[str, QRectF, QFontMetricsF, bool]](), QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        if isinstance(given[0], QRectF) and isinstance(given[-1], str):
            flags = int(getattr(given[1], "value", given[1]))
            found.append((given[-1], given[0], QFontMetricsF(painter.font()), not flags & Qt.TextFlag.TextDontClip.value))
        return draw(painter, *given)

    with monkeypatch.context() as patch:
        patch.setattr(QPainter, "drawText", noted)
        view.grab()
    return found


def has(image: QImage, colour: QColor) -> bool:
    return any(image.pixelColor(x, y).rgb() == colour.rgb() for y in range(image.height()) for x in range(0, image.width(), 3))


def has_any(image: QImage, colour: QColor) -> bool:
    return any(image.pixelColor(x, y).rgb() == colour.rgb() for y in range(image.height()) for x in range(image.width()))


@pytest.mark.parametrize(
    ("variant", "n", "expected"),
    [
        ("gpu.tiled", 16, set()),
        ("gpu.async", 64, {View.PIPELINE}),
        ("gpu.wmma-bf16", 64, {View.FRAGMENTS}),
        ("gpu.wgmma-bf16", 128, {View.FRAGMENTS, View.SWIZZLE, View.PIPELINE}),
    ],
)
def test_they_stand_on_the_stage_where_such_instructions_were_executed(qtbot: QtBot, variant: str, n: int, expected: set[View]) -> None:
    stage = stage_of(qtbot, launch_of(variant, n), 0)
    assert {*NEW} & {*stage.shown} == expected
    assert View.MATRICES in stage.shown


def test_a_product_with_ldmatrix_swizzle_and_copies_has_all_three(qtbot: QtBot) -> None:
    assert stage_of(qtbot, product(), 30).shown == (View.MATRICES, *NEW)


def test_pointing_at_an_element_makes_its_lane_stand_out(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.FRAGMENTS)
    view = view_of(stage, View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.model.choices.instruction.value = 1
    picture = view.shown(shown(view))
    assert isinstance(picture, FragmentsPicture)
    place = view.place(picture).operands[0].rect(11, 3)
    assert not has(view.grab().toImage(), LOOK.theme.now)
    view.model.hovered.value = view.selection_at(place.center(), shown(view))
    assert view.model.hovered.value == Selection(thread=13)
    assert str(view.tip_at(place.center(), shown(view))) == "A[11][3]: lane 13, element a3, register 1"
    for operand in view.place(picture).operands:
        at = next(piece for piece in operand.operand.of_lanes if piece.lane == 13)
        assert view.grab().toImage().pixelColor(operand.piece(at).topLeft().toPoint() + QPointF(3, 3).toPoint()) == LOOK.theme.now


def test_elements_and_what_stands_before_them_move_together_where_names_take_room(qtbot: QtBot) -> None:
    index = launch_of("gpu.mma-bf16", 64)
    found = [instructions_at(index, frame_at(index, step)) for step in range(200)]
    alone, named = (found.index(next(each for each in found if len(each) == many and each[0] == "ldmatrix.x4")) for many in (1, 2))
    stage = stage_of(qtbot, index, alone, View.FRAGMENTS)
    view_of(stage, View.FRAGMENTS).grab()
    view_of(stage, View.FRAGMENTS).model.timeline.scrub(named)
    fresh = stage_of(qtbot, index, named, View.FRAGMENTS)
    assert view_of(stage, View.FRAGMENTS).grab().toImage() == view_of(fresh, View.FRAGMENTS).grab().toImage()


def test_a_press_on_a_name_shows_that_instruction_and_v_colours_by_register(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.FRAGMENTS)
    view = view_of(stage, View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    before = view.grab().toImage()
    assert str(view.fact(shown(view))) == "ldmatrix.x4"
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.names[1].center().toPoint())
    assert str(view.fact(shown(view))) == "mma.m16n8k16.f32.bf16.bf16.f32"
    by_lane = view.grab().toImage()
    view.model.choices.turn_fragments()
    assert before != by_lane != view.grab().toImage()


def test_a_step_without_a_matrix_instruction_says_where_one_is_and_a_press_goes_there(qtbot: QtBot) -> None:
    index = product()
    stage = stage_of(qtbot, index, 0, View.FRAGMENTS)
    view = view_of(stage, View.FRAGMENTS)
    first = next(step for step in range(index.steps) if index.site(step).function == "ldmatrix.x4")
    said = str(view.detail(shown(view)))
    assert said == f"This step is no matrix instruction. The next one is step {first + 1}: ldmatrix.x4."
    assert str(view.tip_at(QPointF(50, 50), shown(view))) == f"a press goes to step {first + 1}"
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPointF(50, 50).toPoint())
    assert shown(view).frame.step == first
    view.model.timeline.scrub(index.steps - 1)
    assert "The last one was step" in str(view.detail(shown(view)))


def test_the_key_of_the_next_instruction_goes_to_a_step_that_is_one() -> None:
    """At the first step, which is none, the key did nothing at all, and then at one with no other instruction."""
    model = StageModel()
    model.shown.value = index = launch_of("gpu.mma-bf16", 64, tile=64, tile_rows=64)
    model.next_instruction()
    assert model.timeline.position.value.step == next_instruction(index, 0)
    assert model.choices.instruction.value == 0
    first = model.timeline.position.value.step
    model.next_instruction()
    assert (model.timeline.position.value.step, model.choices.instruction.value) == (next_instruction(index, first + 1), 0)


def test_keys_go_from_lane_to_lane(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.FRAGMENTS)
    view = view_of(stage, View.FRAGMENTS)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(view, key)
    assert view.model.pinned.value == Selection(thread=13)


def test_a_layout_is_typed_in_beside_the_traced_one(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.SWIZZLE)
    view = view_of(stage, View.SWIZZLE)
    assert isinstance(view, SwizzleView)
    box = view.findChild(QLineEdit)
    assert box is not None
    titles = []
    for text in ("", "Sw<2,3,3> o (16,64):(64,1)", "(16,64"):
        box.clear()
        if text:
            qtbot.keyClicks(box, text)
        else:
            view.model.choices.layout.value = ""
        picture = view.shown(shown(view))
        assert isinstance(picture, SwizzlePicture)
        titles.append((str(picture.other.title), picture.refused))
        view.grab()
    assert titles == [("Without a swizzle", False), ("Sw<2,3,3> o (16,64):(64,1)", False), ("Without a swizzle", True)]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize(
    "text", ["布局", "(((((", "9" * 600, "(1048576,1048576):(1,1)", "0:0", "composition(", "Sw<9,9,9> o 8", "\x00", "logical_divide(8,)"]
)
def test_what_is_no_layout_is_refused_beside_the_box(qtbot: QtBot, language: str, text: str) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.SWIZZLE, Look(theme("dark"), Translator(language)))
    view = view_of(stage, View.SWIZZLE)
    assert isinstance(view, SwizzleView)
    view.model.choices.layout.value = text
    picture = view.shown(shown(view))
    assert isinstance(picture, SwizzlePicture)
    assert picture.refused
    assert picture.typed is not None
    assert not view.grab().isNull()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_example_of_a_layout_can_be_typed_and_is_readable_in_the_smallest_window(qtbot: QtBot, language: str) -> None:
    index = launch_of("gpu.mma-swizzled-bf16", 64)
    step = next(step for step in range(index.steps) if index.site(step).function == "ldmatrix.x4")
    stage = stage_of(qtbot, index, step, View.SWIZZLE, Look(theme("light"), Translator(language)), (678, 538))
    view = view_of(stage, View.SWIZZLE)
    box = view.findChild(QLineEdit)
    assert isinstance(view, SwizzleView)
    assert box is not None
    qtbot.waitUntil(lambda: box.placeholderText().endswith("Sw<3,3,3> o (256,32):(32,1)"))
    qtbot.keyClicks(box, box.placeholderText()[box.placeholderText().index("Sw") :])
    for text in (box.text(), "Sw<3,3,3> o (64,64):(64,1)", "(8,8,4):(8,1,64)"):
        view.model.choices.layout.value = text
        picture = view.shown(shown(view))
        assert isinstance(picture, SwizzlePicture)
        assert picture.refused is (text[0] == "(")
        assert painted_cut(view) == []
    box.clear()
    assert box.fontMetrics().horizontalAdvance(box.placeholderText()) <= box.width() - 12


def test_where_no_tile_is_shown_yet_no_layout_of_another_is_offered(qtbot: QtBot) -> None:
    """The box was empty there, or still named the layout of the kernel before."""
    stage = stage_of(qtbot, launch_of("gpu.mma-swizzled-bf16", 64), 0, View.SWIZZLE, LOOK, (678, 538))
    view = view_of(stage, View.SWIZZLE)
    box = view.findChild(QLineEdit)
    assert isinstance(view, SwizzleView)
    assert box is not None
    box.setPlaceholderText("Try Sw<3,3,3> o (256,32):(32,1)")
    assert not isinstance(view.shown(shown(view)), SwizzlePicture)
    view.grab()
    assert box.placeholderText() == str(LAYOUT)


def test_into_a_file_no_box_is_drawn_that_nobody_can_type_in(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.SWIZZLE)
    apart = GpuStage(LOOK, copy_of(stage.frames[View.SWIZZLE - 1].view.model, View.SWIZZLE), compact=False)
    qtbot.addWidget(apart)
    settle(apart, QSize(1200, 800))
    for made, typed in ((stage, True), (apart, False)):
        view = view_of(made, View.SWIZZLE)
        box = view.findChild(QLineEdit)
        assert box is not None
        assert box.isVisibleTo(view) is typed


@pytest.mark.parametrize(("size", "said"), [((1200, 800), {"7 = 0", "8 = 1"}), ((678, 540), {"7=0", "8=1"})])
def test_a_bit_s_number_and_its_value_are_told_apart(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], said: set[str]
) -> None:
    """With a colon between them they would be a range of bits; they have room."""
    index = launch_of("gpu.mma-swizzled-bf16", 64)
    step = next(step for step in range(index.steps) if index.site(step).function.startswith("ldmatrix"))
    view = view_of(stage_of(qtbot, index, step, View.SWIZZLE, size=size), View.SWIZZLE)
    view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + 13)
    found, draw = dict[str, QRectF](), QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
        if "=" in text:
            needed = QFontMetricsF(painter.font()).horizontalAdvance(text)
            assert needed <= place.width(), (text, needed, place)
            found[text] = place
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    view.grab()
    assert set(found) == said


@pytest.mark.parametrize("size", [(678, 540), (1200, 800)])
def test_what_an_operand_holds_is_written_within_the_frame_of_its_place(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    steps = [step for step in range(index.steps) if index.site(step).function.startswith("wgmma.m64")]
    view = view_of(stage_of(qtbot, index, steps[0], View.SWIZZLE, size=size), View.SWIZZLE)
    assert isinstance(view, SwizzleView)
    picture = view.shown(shown(view))
    assert isinstance(picture, SwizzlePicture)
    grid = view.place(picture).grids[0]
    written, draw = dict[str, QRectF](), QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
        if painter.font().bold() and ":" in text and text.replace(":", "").isdigit():
            needed = QFontMetricsF(painter.font()).tightBoundingRect(text)
            frame = QSizeF(grid.unit, grid.row)
            assert needed.width() <= min(frame.width(), place.width()) - 5, (text, needed, place)
            assert needed.height() <= min(frame.height(), place.height()) - 5, (text, needed, place)
            written[text] = place
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    for step in (steps[0], steps[-1]):
        view.model.timeline.scrub(step)
        view.grab()
    assert any(text.index(":") == 3 for text in written), written


@pytest.mark.parametrize("size", [(1174, 440), (1761, 660)])
def test_in_a_hall_all_lanes_of_a_phase_and_the_bits_of_an_address_are_in_sight(qtbot: QtBot, size: tuple[int, int]) -> None:
    index, model = launch_of("gpu.wgmma-bf16", 128), StageModel()
    model.shown.value = index
    model.timeline.scrub(next(step for step in range(index.steps) if index.site(step).function.startswith("wgmma.m64")))
    view = as_magnified(launch_view(View.SWIZZLE, LOOK, model))
    assert isinstance(view, SwizzleView)
    qtbot.addWidget(view)
    fit(view, QSizeF(*size), size[1] / 440 * 24 / view.smallest)
    seen = model.picture.value
    assert isinstance(seen, GpuPicture)
    view.show_picture(seen)
    picture = view.shown(shown(view))
    assert isinstance(picture, SwizzlePicture)
    place = view.place(picture)
    assert place.bits is not None
    for grid in place.grids:
        assert {lane for (row, _), lanes in grid.side.lanes.items() if row in grid.rows for lane in lanes} == set(range(8))
        assert grid.area.bottom() < place.bits.top()
    assert "XOR bits 7, 8, 9" in str(view.heading(shown(view)))
    assert not view.grab().isNull()


@pytest.mark.parametrize(("variant", "n", "places"), [
    ("gpu.wgmma-bf16", 128, 64), ("gpu.mma-swizzled-bf16", 64, 64), ("gpu.mma-padded-bf16", 64, 64), ("gpu.transpose-swizzled", 64, 8),
])  # fmt: skip
@pytest.mark.parametrize("size", [(1174, 440), (1174, 560)])
def test_in_a_hall_the_numbers_of_a_swizzle_are_read_from_the_back_row(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, variant: str, n: int, places: int, size: tuple[int, int]
) -> None:
    """Of a screen 720 high 14 pixels; of 32 lanes in half of its width, where no larger number has room, 12."""
    index, model = launch_of(variant, n), StageModel()
    model.shown.value = index
    model.timeline.scrub(next(step for step in index.steps_in(Space.SHARED).tolist() if index.site(step).operation == "load"))
    view = as_magnified(launch_view(View.SWIZZLE, LOOK, model))
    assert isinstance(view, SwizzleView)
    qtbot.addWidget(view)
    scale = 24 / view.smallest
    fit(view, QSizeF(*size), scale)
    seen = model.picture.value
    assert isinstance(seen, GpuPicture)
    view.show_picture(seen)
    written, draw = list[tuple[str, float]](), QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        written.append((given[-1], painter.font().pixelSize() * scale))
        return draw(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", noted)
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.paint(painter, shown(view))
    painter.end()
    narrow = variant == "gpu.transpose-swizzled"
    assert min(units for text, units in written if text) >= (12 if narrow else 14)
    assert min(units for text, units in written if not text.isdigit() and text) >= 14
    assert sum(text.isdigit() or text.replace(":", "").isdigit() for text, _ in written) > places


def test_the_numbers_of_turns_are_whole(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one bank is asked 32 times its neighbours are not, and lend it their room."""
    view = view_of(stage_of(qtbot, launch_of("gpu.transpose-shared", 64, tile=32), 96, View.SWIZZLE, size=(700, 540)), View.SWIZZLE)
    found = [(at, metrics, clipped) for text, at, metrics, clipped in texts_of(view, monkeypatch) if text == "32"]
    assert found
    for at, metrics, clipped in found:
        assert not clipped
        assert metrics.horizontalAdvance("32") <= 2 * at.width()
        assert metrics.height() >= QFontMetricsF(LOOK.theme.font("label")).height()


def test_the_lane_that_gives_a_row_stands_out_beside_those_that_hold_it(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.FRAGMENTS)
    view = view_of(stage, View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + 13)
    picture = view.shown(shown(view))
    assert isinstance(picture, FragmentsPicture)
    place, image = view.place(picture), view.grab().toImage()
    places = [each.before_row(row, place.before).toAlignedRect() for each in place.operands for row in range(8)]
    assert [number for number, area in enumerate(places) if has(image.copy(area), LOOK.theme.now_bg)] == [13]


def last_instruction(qtbot: QtBot, index: LaunchIndex, size: tuple[int, int], *, by_register: bool) -> FragmentsView:
    """The fragments of the last of the instructions that the first step with any shows."""
    step = next(step for step in range(index.steps) if len(instructions_at(index, frame_at(index, step))))
    view = view_of(stage_of(qtbot, index, step, View.FRAGMENTS, size=size), View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.model.choices.by_register.value = by_register
    view.model.choices.instruction.value = len(instructions_at(index, shown(view).frame)) - 1
    return view


@pytest.mark.parametrize("by_register", [False, True])
@pytest.mark.parametrize("size", [(420, 300), (520, 400), (678, 540), (1200, 800)])
def test_names_of_a_lane_cover_no_part_of_a_number(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], *, by_register: bool
) -> None:
    """What stands of a number that a name lies over reads as another one: it is whole, or not there."""
    for index in (product(), of_corpus("mma-m16n8k32-s8"), launch_of("gpu.mma-tf32", 64)):
        view = last_instruction(qtbot, index, size, by_register=by_register)
        for lane in (0, 13, 31):
            view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + lane)
            picture, image = view.shown(shown(view)), view.grab().toImage()
            assert isinstance(picture, FragmentsPicture)
            with monkeypatch.context() as patch:
                patch.setattr("app.qt.gpu_view.fragments_view.paint_own", lambda *_, **__: None)
                plain = view.grab().toImage()
            for each in view.place(picture).operands:
                for piece in each.operand.of_registers if by_register else each.operand.of_lanes:
                    if piece.lane != lane:
                        area = each.piece(piece).adjusted(1, 1, -2, -2).toRect()
                        points = [(x, y) for x in range(area.left(), area.right() + 1) for y in range(area.top(), area.bottom() + 1)]
                        figures = [at for at in points if plain.pixelColor(*at).rgb() != LOOK.theme.cell.rgb()]
                        assert len({image.pixelColor(*at) == plain.pixelColor(*at) for at in figures}) < 2, (piece, size)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("size", [(1090, 572), (1174, 660), (1500, 900)])
def test_addresses_and_numbers_of_rows_have_room(qtbot: QtBot, size: tuple[int, int], language: str) -> None:
    """The last stage has addresses of five digits; of 32 columns of bytes the elements are the smallest."""
    look = Look(theme("light"), Translator(language))
    rung, bytes_ = launch_of("gpu.mma-swizzled-bf16", 64), of_corpus("mma-m16n8k32-s8")
    last = max(step for step in range(rung.steps) if rung.site(step).function == "ldmatrix.x4")
    for index, step in ((rung, last), (bytes_, next_instruction(bytes_, 0))):
        assert step is not None
        view = view_of(stage_of(qtbot, index, step, View.FRAGMENTS, look, size), View.FRAGMENTS)
        view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + 13)
        assert painted_cut(view) == []


def test_a_place_in_either_layout_selects_its_element(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.SWIZZLE)
    view = view_of(stage, View.SWIZZLE)
    assert isinstance(view, SwizzleView)
    picture = view.shown(shown(view))
    assert isinstance(picture, SwizzlePicture)
    found = []
    for grid, unit in zip(view.place(picture).grids, (2, 2 ^ 5), strict=True):
        cell = grid.cell(5, unit)
        assert cell is not None
        found.append(view.selection_at(cell.center(), shown(view)))
    assert found[0] == found[1]
    assert str(view.tip(found[0], shown(view))).startswith("B[5][16]")
    view.model.pinned.value = found[0]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.model.pinned.value != found[0]
    view.grab()


def test_a_press_on_a_stretch_of_the_pipeline_goes_there(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, launch_of("gpu.async", 128), 1006, View.PIPELINE)
    view = view_of(stage, View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    bar = next(bar for bar in picture.tracks[1].bars if bar.start > picture.start)
    place = view.rect_of(picture, 1, bar)
    assert str(view.tip_at(place.center(), shown(view))).startswith("stage 1: As[1], Bs[1], filling")
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert shown(view).frame.step == bar.start


def test_the_title_of_a_pipeline_does_not_call_stages_filled_whose_copies_are_on_their_way(qtbot: QtBot) -> None:
    """It said "3 stages filled" in the first step, where nothing had come."""
    view = view_of(stage_of(qtbot, launch_of("gpu.async", 64), 0, View.PIPELINE), View.PIPELINE)
    assert str(view.fact(shown(view))).startswith("3 stages, steps 1 to")


def test_few_tracks_of_a_pipeline_take_the_height_of_a_large_window(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, launch_of("gpu.async", 64), 300, View.PIPELINE, size=(700, 860))
    view = view_of(stage, View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    assert view.place(picture).bottom > 0.8 * view.height()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("size", [(678, 538), (960, 640), (1174, 440)])
def test_many_tracks_of_a_pipeline_stand_together_under_names_that_can_be_read(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], language: str
) -> None:
    """Eight stages, sixteen barriers, eight warps: in a small window and a player a row for each would be 11 pixels high."""
    look, index = Look(theme("light"), Translator(language)), launch_of("gpu.wgmma-clusters-bf16", 512)
    view = view_of(stage_of(qtbot, index, 2521, View.PIPELINE, look, size), View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    place = view.place(picture)
    assert len(place.rows) == len(picture.tracks) == 33
    assert [number for _, group in place.names for number in range(group.first, group.stop)] == [*range(33)]
    assert len(place.names) == 14
    assert min(box.height() for box, _ in place.names) >= 12
    assert all(one.bottom() <= other.top() + 0.01 for one, other in pairwise(place.rows))
    boxes = {box.getRect(): {look.text(group.short), look.text(group.long)} for box, group in place.names}
    written = [(text, metrics.height()) for text, at, metrics, _ in texts_of(view, monkeypatch) if text in boxes.get(at.getRect(), ())]
    assert len(written) == 14
    assert min(height for _, height in written) >= QFontMetricsF(look.theme.font("small")).height()
    guarding = [group for _, group in place.names if picture.tracks[group.first].guard is not None]
    guards = [{look.text(group.long), look.text(group.short)} for group in guarding]
    told = [text for text, _ in written if any(text in each for each in guards)]
    assert len(guards) == len(told) == 2
    assert all("0–7" in text.rpartition("：" if "：" in text else ":")[2] for text in told), "the stages"
    assert not [text for text, *_ in texts_of(view, monkeypatch) if "wait_group" in text and "wgmma.wait_group" not in text]
    number, bar = next((number, bar) for number, track in enumerate(picture.tracks) if track.guard for bar in track.bars)
    assert view.bar_at(view.rect_of(picture, number, bar).center(), picture) == (picture.tracks[number], bar)


def test_with_room_each_track_of_a_pipeline_has_a_row_of_its_own(qtbot: QtBot) -> None:
    view = view_of(stage_of(qtbot, launch_of("gpu.wgmma-clusters-bf16", 512), 2521, View.PIPELINE, size=(1200, 860)), View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    assert len(view.place(picture).names) == len(picture.tracks)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_barriers_guard_is_named_in_a_small_window(qtbot: QtBot, language: str) -> None:
    look = Look(theme("light"), Translator(language))
    index = launch_of("gpu.wgmma-bf16", 512)
    view = view_of(stage_of(qtbot, index, index.steps // 2, View.PIPELINE, look, size=(960, 620)), View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    assert 480 <= view.width() < 760
    guarding = [track for track in picture.tracks if track.guard is not None]
    assert len(guarding) == 8
    for track in guarding:
        text = look.text(track.long)
        assert QFontMetricsF(look.theme.font("small")).horizontalAdvance(text) <= view.place(picture).left - MARGIN - 8, text


@pytest.mark.parametrize("height", [380, 440, 500, 700])
def test_letters_below_the_line_end_within_stretches_of_the_pipeline(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, height: int) -> None:
    index = launch_of("gpu.wgmma-bf16", 256)
    step = next(step for step in range(index.steps) if index.site(step).operand)
    view = view_of(stage_of(qtbot, index, step, View.PIPELINE), View.PIPELINE)
    assert isinstance(view, PipelineView)
    view.resize(1174, height)
    picture = view.shown(shown(view))
    assert isinstance(picture, PipelinePicture)
    bars = [view.rect_of(picture, number, bar) for number, track in enumerate(picture.tracks) for bar in track.bars]
    checked = 0
    for text, at, metrics, clipped in texts_of(view, monkeypatch):
        box = next((bar for bar in bars if bar.contains(at.center()) and bar.width() >= at.width()), None)
        if box is not None and any(letter in text for letter in "gpqy_"):
            ink = metrics.tightBoundingRect(text)
            line = metrics.ascent() + metrics.descent()
            below = at.center().y() - line / 2 + metrics.ascent() + ink.bottom()
            assert below <= (at.bottom() if clipped else box.bottom() + 1), text
            checked += 1
    assert checked > 1


@pytest.mark.parametrize("width", [240, 300, 420, 700])
def test_the_sentence_of_a_cluster_ends_with_a_word(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    index = launch_of("gpu.wgmma-clusters-bf16", 256)
    step = next(step for step in range(index.steps) if index.site(step).operand)
    view = view_of(stage_of(qtbot, index, step, View.CLUSTERS), View.CLUSTERS)
    assert isinstance(view, ClustersView)
    view.resize(width, 500)
    said = [text for text, *_ in texts_of(view, monkeypatch)]
    (sentence,) = (text for text in said if "bytes go to" in text)
    assert sentence.endswith(".")
    assert "stages + 81920" in sentence


def test_a_sentence_without_room_is_cut_behind_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    said, image = list[str](), QImage(200, 60, QImage.Format.Format_ARGB32)
    monkeypatch.setattr(QPainter, "drawText", lambda _, *given: said.append(given[-1]))
    painter = QPainter(image)
    write_sentence(
        painter, QRectF(0, 0, 190, 40), LOOK.theme, "Block (0, 0) has asked for T[448..463][0..127]: 8192 bytes go to stages + 81920."
    )
    painter.end()
    assert said == ["Block (0, 0) has asked for T[448..463][0..127]: 8192 …"]


@pytest.mark.parametrize("name", ["light", "dark", "contrast-light", "contrast-dark"])
def test_a_stage_that_is_overwritten_too_early_is_drawn_over_its_filling(qtbot: QtBot, name: str) -> None:
    """In a frame and with a sign, in the lower part of the track: what is read stays in sight above it."""
    index, look = of_corpus("defect-stage-in-use"), Look(theme(name), Translator("en"))
    clash = next(each.clash for each in stages_of(index, 0).fillings if each.clash is not None)
    view = view_of(stage_of(qtbot, index, clash.first, View.PIPELINE, look), View.PIPELINE)
    assert isinstance(view, PipelineView)
    picture, image = view.shown(shown(view)), view.grab().toImage()
    assert isinstance(picture, PipelinePicture)
    number, bar = next((number, each) for number, track in enumerate(picture.tracks) for each in track.bars if each.doing is Doing.CLASH)
    lower = view.rect_of(picture, number, bar)
    filling = next(each for each in picture.tracks[number].bars if each.start <= bar.start < each.stop and each is not bar)
    upper = view.rect_of(picture, number, filling).adjusted(0, 0, 0, -lower.height() - 2)
    assert lower.width() > 8
    assert has(image.copy(lower.toAlignedRect()), look.theme.bad)
    assert not has(image.copy(upper.toAlignedRect()), look.theme.bad)
    other = next(each for each in range(len(picture.tracks)) if picture.tracks[each].stage not in (None, picture.tracks[number].stage))
    assert not has(image.copy(view.rect_of(picture, other, bar).toAlignedRect()), look.theme.bad)
    assert "fills stage 0 again while line 40 still reads it" in str(view.tip_at(lower.center(), shown(view)))
    assert "copies on their way" in str(view.tip_at(QPointF(lower.center().x(), upper.center().y()), shown(view)))


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("name", ["light", "dark", "contrast-light", "contrast-dark"])
def test_they_are_drawn_in_all_themes_and_sizes(qtbot: QtBot, language: str, name: str) -> None:
    look = Look(theme(name), Translator(language))
    for number in NEW:
        for size in ((240, 180), (420, 300), (1300, 900)):
            stage = stage_of(qtbot, product(), product_step(), number, look, size)
            assert not stage.grab().isNull()
            picture = shown(view_of(stage, number))
            assert view_of(stage, number).table(picture).rows


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("name", ["light", "dark", "contrast-light", "contrast-dark"])
def test_clusters_are_drawn_in_all_themes_and_sizes(qtbot: QtBot, language: str, name: str) -> None:
    look = Look(theme(name), Translator(language))
    for size in ((240, 180), (420, 300), (1300, 900)):
        stage = stage_of(qtbot, multicast(), 309, View.CLUSTERS, look, size)
        assert has(stage.grab().toImage(), look.theme.now)
        assert view_of(stage, View.CLUSTERS).table(shown(view_of(stage, View.CLUSTERS))).rows


@pytest.mark.parametrize("size", [(660, 500), (1300, 900)])
def test_blocks_of_a_cluster_with_few_places_use_the_room(qtbot: QtBot, size: tuple[int, int]) -> None:
    view = view_of(stage_of(qtbot, of_corpus("cluster-neighbours-memory"), 20, View.CLUSTERS), View.CLUSTERS)
    assert isinstance(view, ClustersView)
    picture = view.shown(shown(view))
    assert isinstance(picture, ClustersPicture)
    place = lay_out(*size, picture)
    assert place.tracks is not None
    above, below = place.head.top(), place.sentence.top() - LEGEND - place.tracks.bottom()
    assert place.tracks.bottom() - above >= min(0.75 * size[1], 350)
    assert abs(above - below) <= 12


@pytest.mark.parametrize("way", [Way.READ, Way.COPY])
def test_words_of_low_rows_of_a_cluster_have_room(qtbot: QtBot, way: Way) -> None:
    index = launch_of("gpu.split-k", 64) if way is Way.READ else multicast()
    view = view_of(stage_of(qtbot, index, 0, View.CLUSTERS, size=(1000, 400)), View.CLUSTERS)
    assert isinstance(view, ClustersView)
    picture = view.shown(shown(view))
    assert isinstance(picture, ClustersPicture)
    view.model.timeline.scrub(next(each.start for each in picture.cluster.transfers if each.way is way))
    height = next(height for height in range(100, 400) if lay_out(1000, height, picture).row < 22.5)
    view.setFixedSize(1000, height)
    assert painted_cut(view) == []


@pytest.mark.parametrize("size", [(420, 540), (678, 540), (1200, 800)])
def test_where_a_place_of_a_cluster_begins_is_written_whole(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    index = launch_of("gpu.wgmma-clusters-bf16", 128)
    view = view_of(stage_of(qtbot, index, 1000, View.CLUSTERS, size=size), View.CLUSTERS)
    written, draw = dict[str, int](), QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        written[str(given[-1])] = painter.font().pixelSize()
        return draw(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", noted)
    view.grab()
    assert [text for text in written if text.endswith("…")] == []
    assert {text[text.find("+") :] for text in written} >= {"+ 0", "+ 8192", "+ 16384", "+ 40960"}
    heights = {high for text, high in written.items() if text.removeprefix("stages").strip(" +").isdigit() and "+" in text}
    assert len(heights) == 1, "a larger one would seem chosen"


@pytest.mark.parametrize("size", [(240, 277), (266, 277), (266, 200), (700, 820)])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_words_in_cells_of_a_cluster_are_whole_and_clear_of_arrow_heads(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, language: str, size: tuple[int, int]
) -> None:
    """Where there is little room, the rows alone; the numbers of a block stay in one line of the sentence."""
    look, index = Look(theme("light"), Translator(language)), launch_of("gpu.wgmma-clusters-bf16", 64)
    view = view_of(stage_of(qtbot, index, 387, View.CLUSTERS, look), View.CLUSTERS)
    view.setFixedSize(*size)
    heads, written, texts, draw = list[QRectF](), list[QRectF](), list[str](), QPainter.drawText

    def noted(painter: QPainter, place: QRectF, flags: Any, text: str) -> None:
        texts.append(text)
        written.append(QFontMetricsF(painter.font()).boundingRect(place, int(getattr(flags, "value", flags)), text))
        draw(painter, place, flags, text)

    monkeypatch.setattr(QPainter, "drawText", noted)
    monkeypatch.setattr(QPainter, "drawPolygon", lambda _, polygon: heads.append(polygon.boundingRect()))
    view.grab()
    assert [text for text in texts if text.endswith("…")] == []
    assert len(heads) == 2
    assert [text for head in heads for text, at in zip(texts, written, strict=True) if at.intersects(head)] == []
    if size not in ((240, 277), (266, 200)):
        assert sum("128..191" in text for text in texts[:-1]) == 2, texts
    assert "(0,\u00a00)" in texts[-1]
    assert "(0, " not in texts[-1]


def test_clusters_stand_on_the_stage_of_a_launch_that_has_them(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, multicast(), 309)
    assert View.CLUSTERS in stage.shown
    stage.grab()
    alone = stage_of(qtbot, launch_of("gpu.tiled", 16), 0, View.CLUSTERS)
    view = view_of(alone, View.CLUSTERS)
    assert not view.table(shown(view)).rows
    assert str(view.detail(shown(view))).startswith("The launch has no clusters")
    alone.grab()


def test_a_press_on_a_place_of_a_cluster_goes_to_what_filled_it(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, multicast(), 309, View.CLUSTERS)
    view = view_of(stage, View.CLUSTERS)
    assert isinstance(view, ClustersView)
    picture = view.shown(shown(view))
    assert isinstance(picture, ClustersPicture)
    cell = view.place(picture).cell(0, 1)
    assert cell is not None
    assert str(view.tip_at(cell.center(), shown(view))).startswith("Block (0, 0) has asked for A[0][0..127]: 512 bytes")
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=cell.center().toPoint())
    first = picture.held[0, 1]
    assert shown(view).frame.step == first.start
    later = next(each for each in picture.cluster.transfers if each.start > 309)
    place = view.place(picture)
    at = QPointF(place.x(later.start + 0.5), place.track(0).center().y())
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert abs(shown(view).frame.step - later.start) <= 8


def test_places_without_room_are_said_to_be_there(qtbot: QtBot) -> None:
    said = []
    for height in (900, 330):
        view = view_of(stage_of(qtbot, multicast(), 309, View.CLUSTERS, size=(900, height)), View.CLUSTERS)
        assert isinstance(view, ClustersView)
        picture = view.shown(shown(view))
        assert isinstance(picture, ClustersPicture)
        place, image = view.place(picture), view.grab().toImage()
        said.append((str(place.part), has(image.copy(place.above.toAlignedRect()), LOOK.theme.t2)))
    assert said[0] == ("None", False)
    words, written = said[1]
    assert words.endswith(" of 9")
    assert written


def test_the_way_of_a_read_ends_at_the_block_that_reads_and_of_a_copy_in_shared_memory(qtbot: QtBot) -> None:
    """What is read goes to registers; in the reading block's shared memory nothing is stored."""
    found = []
    for index, way in ((launch_of("gpu.split-k", 64), Way.READ), (multicast(), Way.COPY)):
        view = view_of(stage_of(qtbot, index, 0, View.CLUSTERS), View.CLUSTERS)
        assert isinstance(view, ClustersView)
        picture = view.shown(shown(view))
        assert isinstance(picture, ClustersPicture)
        transfer = next(each for each in picture.cluster.transfers if each.way is way)
        view.model.timeline.scrub(transfer.start)
        picture = view.shown(shown(view))
        assert isinstance(picture, ClustersPicture)
        place, number = view.place(picture), place_number(picture.cluster.places, transfer.address)
        image, asks, rank = (
            view.grab().toImage(),
            place.column(transfer.sender),
            transfer.sender if way is Way.READ else transfer.receivers[-1],
        )
        cell = place.cell(number, rank)
        assert cell is not None
        assert cell.height() > 20
        tips = QRectF(cell.left() + 4, cell.top() + 4, 12, 6), QRectF(asks.left() + 5, asks.bottom() - 13, 6, 6)
        found.append([has_any(image.copy(area.toRect()), LOOK.theme.now) for area in tips])
    assert found == [[False, True], [True, False]]


def test_keys_go_from_place_to_place_of_a_cluster(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, multicast(), 309, View.CLUSTERS)
    view = view_of(stage, View.CLUSTERS)
    said = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(view, key)
        said.append(str(view.detail(shown(view))).partition(" holds")[0].partition(":")[0])
    assert said == ["As[0][0..7]", "As[0][8..15]", "As[0][0..7]", "empty"]
    view.grab()


def test_every_view_has_its_number() -> None:
    assert list(GPU_VIEWS) == list(View)


def test_the_header_names_the_instruction_that_is_drawn(qtbot: QtBot) -> None:
    stage = stage_of(qtbot, product(), product_step(), View.FRAGMENTS)
    view, frame = view_of(stage, View.FRAGMENTS), stage.frames[View.FRAGMENTS - 1]
    assert isinstance(view, FragmentsView)
    view.grab()
    for number, name in ((1, "mma.m16n8k16.f32.bf16.bf16.f32"), (0, "ldmatrix.x4")):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.names[number].center().toPoint())
        picture = view.shown(shown(view))
        assert isinstance(picture, FragmentsPicture)
        assert name == picture.instruction
        assert name in [label.accessibleName() or label.text() for label in frame.findChildren(QLabel)]


def test_what_is_chosen_in_a_view_is_exported_and_stands_on_both_sides_of_a_comparison() -> None:
    live = StageModel()
    live.shown.value = product()
    live.choices.by_register.value, live.choices.instruction.value, live.choices.layout.value = True, 1, "(8,8):(8,1)"
    made, beside = copy_of(live).choices, Comparison(live).left.choices
    assert (made.by_register.value, made.instruction.value, made.layout.value) == (True, 1, "(8,8):(8,1)")
    assert beside is live.choices


@pytest.mark.parametrize("by_register", [False, True])
@pytest.mark.parametrize("size", [(330, 250), (285, 537), (420, 300), (678, 540), (1200, 800)])
def test_a_frame_goes_round_exactly_the_elements_of_the_selected_lane(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], *, by_register: bool
) -> None:
    for index in (product(), of_corpus("mma-m16n8k32-s8"), launch_of("gpu.mma-tf32", 64)):
        view = last_instruction(qtbot, index, size, by_register=by_register)
        view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + 13)
        picture, image = view.shown(shown(view)), view.grab().toImage()
        assert isinstance(picture, FragmentsPicture)
        with monkeypatch.context() as patch:
            patch.setattr("app.qt.gpu_view.fragments_view.paint_own", lambda *_, **__: None)
            plain = view.grab().toImage()
        for each in view.place(picture).operands:
            own = {(row, column) for row, column in zip(*(each.operand.lane == 13).nonzero(), strict=True)}
            area, changed = each.area.toAlignedRect(), set()
            around = area.adjusted(-4, -4, 4, 4) & image.rect()  # beside it stands which row the lane gives
            for x in range(around.left(), around.right() + 1):
                for y in range(around.top(), around.bottom() + 1):
                    if image.pixelColor(x, y) != plain.pixelColor(x, y):
                        changed.add(each.at(QPointF(x + 0.5, y + 0.5)))
            assert changed == own, (each.operand.name, size)


@pytest.mark.parametrize("by_register", [False, True])
@pytest.mark.parametrize("size", [(285, 537), (330, 400), (420, 300), (678, 540), (900, 700), (1200, 800)])
def test_numbers_of_elements_never_touch(qtbot: QtBot, size: tuple[int, int], *, by_register: bool) -> None:
    written = 0
    for index in (product(), of_corpus("mma-m16n8k32-s8"), launch_of("gpu.mma-tf32", 64)):
        step = next(step for step in range(index.steps) if len(instructions_at(index, frame_at(index, step))))
        view = view_of(stage_of(qtbot, index, step, View.FRAGMENTS, size=size), View.FRAGMENTS)
        assert isinstance(view, FragmentsView)
        view.model.choices.instruction.value = len(instructions_at(index, shown(view).frame)) - 1
        picture = view.shown(shown(view))
        assert isinstance(picture, FragmentsPicture)
        for each in view.place(picture).operands:
            pieces = each.operand.of_registers if by_register else each.operand.of_lanes
            numbers = numbers_of(each, pieces, by_register=by_register, apart=False)
            ink = [inked(*number).adjusted(-0.5, 0, 0.5, 0) for number in numbers]
            assert not [(one, other) for one, other in combinations(ink, 2) if one.intersects(other)]
            written += len(ink)
    assert written > 100 or size[0] < 330


@pytest.mark.parametrize("width", [240, 300, 420, 1200])
def test_the_names_of_a_step_s_instructions_end_within_the_view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    view = view_of(stage_of(qtbot, product(), product_step(), View.FRAGMENTS), View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.resize(width, 500)
    said = texts_of(view, monkeypatch)
    assert len(view.names) == 2
    assert view.names[0].right() < view.names[1].left()
    assert view.names[1].right() <= width
    (name,) = (each for each, *_ in said if each.startswith("mma"))
    assert name.endswith("…") is (width < 420)


def test_all_numbers_beside_few_lanes_are_whole_and_lane_0_has_its_own(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(stage_of(qtbot, product(), product_step(), View.FRAGMENTS), View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.resize(240, 500)
    picture = view.shown(shown(view))
    assert isinstance(picture, FragmentsPicture)
    lanes = view.place(picture).lanes
    texts = [each for each, at, *_ in texts_of(view, monkeypatch) if lanes.adjusted(-8, -4, 8, 4).contains(at)]
    assert [each for each in texts if each.isdigit()] == [str(number) for number in range(0, 32, 4)]
    image = view.grab().toImage()
    for number in (12, 16, 20, 24):
        after = view.place(picture).lane(number + 1).toRect()
        near = [(x, y) for x in range(after.left(), after.left() + 3) for y in range(after.top() + 2, after.bottom() - 1)]
        colours = {image.pixelColor(*at).rgb() for at in near}
        assert len(colours) > 2, number


def test_names_that_do_not_fit_into_places_are_said_where_one_points(qtbot: QtBot) -> None:
    view = view_of(stage_of(qtbot, product(), product_step(), View.FRAGMENTS, size=(330, 250)), View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.model.choices.instruction.value = 1
    picture = view.shown(shown(view))
    assert isinstance(picture, FragmentsPicture)
    b = view.place(picture).operands[1]
    assert str(view.tip_at(b.rect(2, 3).center(), shown(view))) == "B[2][3]: lane 13, element b0, register 0"
    assert "b0 [2][3], b1 [3][3]" in str(view.tip_at(view.place(picture).lane(13).center(), shown(view)))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_by_register_the_selected_lane_s_elements_have_its_registers_colours(qtbot: QtBot, name: str) -> None:
    look = Look(theme(name), Translator("en"))
    view = view_of(stage_of(qtbot, product(), product_step(), View.FRAGMENTS, look), View.FRAGMENTS)
    assert isinstance(view, FragmentsView)
    view.model.choices.instruction.value, view.model.choices.by_register.value = 1, True
    view.model.pinned.value = Selection(thread=shown(view).frame.first_thread + 13)
    image, picture = view.grab().toImage(), view.shown(shown(view))
    assert isinstance(picture, FragmentsPicture)
    for each in view.place(picture).operands:
        for piece in (piece for piece in each.operand.of_registers if piece.lane == 13):
            area = each.piece(piece).toAlignedRect().adjusted(1, 1, -1, -1)
            colours = [register for register in range(4) if has(image.copy(area), look.theme.warps[register][1])]
            assert colours == [piece.register]


def test_a_step_in_another_blocks_shared_memory_says_so() -> None:
    index = launch_of("gpu.split-k", 64)
    steps = len(index.record.order.row)
    said = {str(tell_launch(index, frame_at(index, step)).sentence) for step in range(steps // 2, steps)}
    assert "Warp 0 reads shared memory of another block of the cluster: rank 0." in said
    assert not any("beyond" in each for each in said)
