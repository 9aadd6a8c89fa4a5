"""The matrices of a CPU kernel as a picture: the same each time, dimmed under a notice, and with words for what is under the pointer."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, QSizeF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.cpu_view.index import TraceIndex
from app.core.frames.matrix import Arrangement
from app.core.frames.views import CpuView
from app.core.stage.controller import LIBRARY_NOTICE
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.refresh import REST_MS
from app.qt.base.theme import theme
from app.qt.matrix.cells import readable_on, role_colour, value_texts
from app.qt.matrix.geometry import GAPS_FROM, Layout, lay_out
from app.qt.stage.panel import StagePanel
from kernels.base.spec import Device, Problem, Variant
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace

CPU_VARIANTS = [variant for variant in catalogue.VARIANTS if variant.device is Device.CPU]
LOOK = Look(theme("light"), Translator("en"))
VALUE_TEXTS = [
    (0.5, ("0.5", "0.5", ".5", ".5")), (-0.853, ("−0.853", "−0.85", "−.85", "−.9")), (0.96, ("0.96", "0.96", ".96")),
    (-26.25, ("−26.2", "−26")), (0.0, ("0", "0")), (float("nan"), ()),
]  # fmt: skip


def model_of(variant_id: str, n: int = 8, **parameters: int) -> StageModel:
    variant = catalogue.by_id(variant_id)
    model = StageModel()
    values = {name: 4 if name == "tile" else 1 for name in variant.defaults} | parameters
    model.shown.value = TraceIndex(trace(variant, Problem.square(variant.operation, n), values, seed=1))
    return model


def panel_of(qtbot: QtBot, model: StageModel, look: Look = LOOK, size: tuple[int, int] = (640, 560)) -> StagePanel:
    panel = StagePanel(look, model)
    qtbot.addWidget(panel)
    model.alone.value = CpuView.MATRICES
    panel.resize(QSize(*size))
    panel.grab()  # gives every part its place
    return panel


def said(panel: StagePanel, point: QPointF) -> str | None:
    """What the canvas says of a point."""
    picture = panel.canvas.picture
    assert picture is not None
    words = panel.canvas.tip_at(point, picture)
    return None if words is None else str(words)


def layout_of(panel: StagePanel) -> Layout:
    assert panel.canvas.picture is not None
    return panel.canvas.layout_of(panel.canvas.picture)


def image(panel: StagePanel) -> QImage:
    return panel.canvas.grab().toImage()


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_frame_drawn_twice_is_the_same_picture(qtbot: QtBot, variant: Variant, name: str) -> None:
    model = model_of(variant.id)
    panel = panel_of(qtbot, model, Look(theme(name), Translator("en")))
    model.timeline.scrub(model.timeline.extent.value.steps * 0.4 + 0.3)
    once = image(panel)
    model.timeline.to_end()
    model.timeline.scrub(model.timeline.extent.value.steps * 0.4 + 0.3)
    assert image(panel) == once


def test_each_point_of_a_step_has_its_own_picture(qtbot: QtBot) -> None:
    model = model_of("cpu.blocked")
    panel = panel_of(qtbot, model)
    pictures = []
    for time in (10, 10.3, 10.5, 11):
        model.timeline.scrub(time)
        pictures.append(image(panel))
    assert all(one != other for number, one in enumerate(pictures) for other in pictures[:number])


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
def test_what_was_drawn_before_leaves_no_trace(qtbot: QtBot, variant: Variant) -> None:
    model = model_of(variant.id)
    panel = panel_of(qtbot, model)
    steps = model.timeline.extent.value.steps
    for time in (0, steps * 0.7, steps * 0.2 + 0.5, int(steps * 0.2) + 0.9, steps, 1):
        model.timeline.scrub(time)
        assert image(panel) == image(panel_of(qtbot, model))


def test_while_playing_fast_nothing_travels() -> None:
    model = model_of("cpu.blocked")
    model.timeline.set_speed(4)
    model.timeline.play()
    model.timeline.advance(0.9)
    picture = model.picture.value
    assert picture is not None
    assert model.timeline.position.value.fraction > 0
    assert picture.frame.fraction == 0


def test_without_a_trace_the_notice_stands_alone(qtbot: QtBot) -> None:
    model = StageModel()
    panel = panel_of(qtbot, model)
    empty = image(panel)
    model.notice.value = LIBRARY_NOTICE
    assert image(panel) != empty
    assert panel.canvas.accessibleDescription() == str(LIBRARY_NOTICE)


def test_a_refusal_dims_the_last_picture(qtbot: QtBot) -> None:
    model = model_of("cpu.blocked")
    panel = panel_of(qtbot, model)
    layout = layout_of(panel)
    corner = (layout.matrices["C"].area.bottomRight() - QPointF(4, 4)).toPoint()
    clear = image(panel).pixelColor(corner)
    model.notice.value = LIBRARY_NOTICE
    dimmed = image(panel).pixelColor(corner)
    paper = LOOK.theme.bg2
    assert abs(dimmed.red() - (0.4 * clear.red() + 0.6 * paper.red())) < 3


def test_while_busy_a_violet_line_stands_under_the_header(qtbot: QtBot) -> None:
    model = model_of("cpu.blocked")
    panel = panel_of(qtbot, model)
    assert image(panel).pixelColor(5, 1) != LOOK.theme.now
    model.busy.value = True
    assert image(panel).pixelColor(5, 1) == LOOK.theme.now


def test_the_pointer_gets_name_value_and_reads(qtbot: QtBot) -> None:
    model = model_of("cpu.naive", n=4)
    panel = panel_of(qtbot, model)
    model.timeline.to_end()
    layout = layout_of(panel)
    place = layout.matrices["A"]
    point = place.origin + QPointF(2.5 * place.cell, 1.5 * place.cell)
    assert isinstance(model.shown.value, TraceIndex)
    value = float(model.shown.value.trace.inputs["A"][1, 2])
    text = said(panel, point)
    assert text is not None
    assert text.replace("−", "-") == f"A[1][2] = {value:g}. Read so far: 4"
    assert said(panel, QPointF(1, 1)) is None


def test_an_element_without_a_value_says_so(qtbot: QtBot) -> None:
    model = model_of("cpu.naive", n=4)
    panel = panel_of(qtbot, model)
    layout = layout_of(panel)
    assert said(panel, layout.matrices["C"].origin + QPointF(3, 3)) == "C[0][0]: no value yet. Read so far: 0"


def test_the_description_for_readers_follows_the_step_but_not_while_playing(qtbot: QtBot) -> None:
    model = model_of("cpu.blocked")
    panel = panel_of(qtbot, model)
    model.timeline.scrub(2)
    assert model.picture.value is not None
    told = str(model.picture.value.description.sentence)
    qtbot.waitUntil(lambda: panel.canvas.accessibleDescription() == told)
    model.timeline.play()
    model.timeline.advance(5.0)
    qtbot.wait(2 * REST_MS)
    assert panel.canvas.accessibleDescription() == told
    model.timeline.pause()
    qtbot.waitUntil(lambda: panel.canvas.accessibleDescription() != told)


def test_another_tile_size_keeps_the_progress_and_another_kernel_does_not() -> None:
    model = model_of("cpu.blocked")
    model.timeline.scrub(model.timeline.extent.value.steps / 2)
    model.shown.value = model_of("cpu.blocked", tile=2).shown.value
    assert model.timeline.progress == pytest.approx(0.5, abs=0.01)
    model.shown.value = model_of("cpu.naive").shown.value
    assert model.timeline.progress == 0
    model.shown.value = None
    assert model.picture.value is None


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("size", [(860, 830), (870, 520), (560, 440), (1350, 1150)])
@pytest.mark.parametrize(
    "shapes", [{"A": (16, 16), "B": (16, 16), "C": (16, 16)}, {"A": (9, 30), "C": (30, 9)}, {"A": (4, 300), "B": (300, 32), "C": (4, 32)}]
)
def test_everything_lies_on_the_canvas_and_cells_that_have_gaps_in_whole_device_pixels(
    size: tuple[int, int], ratio: float, shapes: dict[str, tuple[int, int]]
) -> None:
    layout = lay_out(QSizeF(*size), ratio, Arrangement(tuple(shapes.items())), loops=True)
    areas = [place.area for place in layout.matrices.values()]
    for place in layout.matrices.values():
        assert place.cell < GAPS_FROM or place.cell * ratio == pytest.approx(round(place.cell * ratio))
        assert place.origin.x() * ratio == pytest.approx(round(place.origin.x() * ratio))
        assert place.area.left() >= 0
        assert place.area.top() >= 0
        assert place.area.right() <= size[0]
        assert place.area.bottom() <= size[1]
    rectangles = [*areas, layout.corner, *([layout.loops] if layout.loops else [])]
    assert not any(one.intersects(other) for number, one in enumerate(rectangles) for other in rectangles[:number])


def test_matrices_larger_than_the_canvas_are_aggregated(qtbot: QtBot) -> None:
    model = model_of("cpu.numpy", n=300)
    panel = panel_of(qtbot, model, size=(400, 340))
    layout = layout_of(panel)
    assert layout.matrices["A"].factor > 1
    assert layout.matrices["A"].area.right() <= panel.canvas.width()
    assert image(panel).width() == 400


@pytest.mark.parametrize(("value", "texts"), VALUE_TEXTS)
def test_values_in_cells(value: float, texts: tuple[str, ...]) -> None:
    assert value_texts(value) == texts


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("matrix", ["A", "B", "C"])
@pytest.mark.parametrize("role", range(9))
def test_digits_stand_out_from_every_fill(name: str, matrix: str, role: int) -> None:
    fill = role_colour(role, matrix, theme(name))
    text = readable_on(fill, theme(name))
    assert contrast(text, fill) >= 4.5


@pytest.mark.usefixtures("qapp")
def test_a_destroyed_panel_is_told_nothing_more() -> None:
    model = model_of("cpu.naive", n=4)
    panel = StagePanel(LOOK, model)
    panel.deleteLater()
    QCoreApplication.sendPostedEvents(panel, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(panel)
    model.timeline.forward()
    model.notice.value = LIBRARY_NOTICE


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of relative luminances (WCAG 2)."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour: QColor) -> float:
    channels = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
