"""The chart on a screen: curves that grow, marks for points without a time, crosshair and names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QTransform
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.results.curves import Provenance
from app.core.results.labels import quantity_text, unit_of
from app.core.results.quantities import Quantity, Smallest
from app.core.session.session import SIZE_AXIS, Session, TimingChoice
from app.core.timing.model import Scales, TimingModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.content import RunningPoint, content_of
from app.qt.charts.lines import _Line
from app.qt.charts.overlay import LABEL_GAP, centres
from app.qt.charts.style import colour_of
from kernels.base.messages import message
from kernels.base.spec import Operation
from kernels.measure.disturbance_sentences import DISTURBED_BY, DISTURBED_NAMES, DISTURBED_SHARE
from kernels.measure.results import Result, Status
from kernels.measure.rows import row_of, unevenness
from tests.measured.timing_results import measured, refused

NAIVE = tuple(measured("cpu.naive", n, n**3 / 1e6) for n in (128, 256, 512))
BLOCKED = tuple(measured("cpu.blocked", n, n**3 / 2e7) for n in (128, 256, 512))
NUMPY = tuple(measured("cpu.numpy", n, n**3 / 1e8) for n in (128, 256, 512))


@pytest.fixture
def choice() -> TimingChoice:
    return replace(Session().timing.value, sizes=(128, 256, 512))


@pytest.fixture(params=["light", "dark"])
def chart(qtbot: QtBot, request: pytest.FixtureRequest) -> Chart:
    made = Chart(Look(theme(request.param), Translator("en")), "Chart")
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    return made


def show(chart: Chart, choice: TimingChoice, *results: Result, quantity: Quantity = Quantity.RATE, scales: Scales = Scales.LOG_LOG) -> None:
    model = TimingModel()
    model.scales.value = scales
    model.add(Provenance.MEASURED, results)
    chart.show_content(content_of(model, choice, SIZE_AXIS, quantity))


def colours(chart: Chart) -> set[str]:
    """Every colour in the picture of the chart."""
    picture = chart.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_a_curve_fills_in_point_by_point(chart: Chart, choice: TimingChoice) -> None:
    chart.hide()
    for count in (1, 2, 3):
        show(chart, choice, *NAIVE[:count])
        assert [point.x for point in chart.content.series[0].drawn] == [128, 256, 512][:count]
        assert [label.x for label in chart.overlay.end_labels()] == [(128, 256, 512)[count - 1]]


def test_shapes_in_pixels_are_found_once_for_a_place(chart: Chart, choice: TimingChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[int, int]] = []
    fit = _Line.fit

    def counted(line: _Line, to_pixels: QTransform) -> None:
        fit(line, to_pixels)
        found.append((line.points.size(), len(line.spots)))

    monkeypatch.setattr(_Line, "fit", counted)
    disturbed = replace(NAIVE[1], conditions={**NAIVE[1].conditions, DISTURBED_SHARE: 0.5})
    show(chart, choice, NAIVE[0], disturbed, *BLOCKED)
    chart.grab()
    assert (2, 2) in found
    found.clear()
    chart.grab()
    assert not found
    show(chart, choice, NAIVE[0], disturbed, NAIVE[2], *BLOCKED)
    chart.grab()
    assert found == [(3, 3)], "the one that has changed; its axes have not"


def test_each_line_is_drawn_in_its_own_colour(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE, *BLOCKED)
    drawn = colours(chart)
    own = [series.key.variant for series in chart.content.series]
    assert {colour_of(chart._look.theme, variant).name() for variant in own} <= drawn


def test_names_stand_inside_the_chart_and_apart(chart: Chart, choice: TimingChoice) -> None:
    same = tuple(measured("cpu.loop-order", n, n**3 / 2e7) for n in (128, 256, 512))
    show(chart, choice, *NAIVE, *BLOCKED, *same, *NUMPY)
    boxes = chart.overlay.label_boxes()
    assert len(boxes) == 4
    for i, one in enumerate(boxes):
        assert one.y >= 0
        assert one.x + one.width <= chart.width()
        assert one.y + one.height <= chart.height()
        for other in boxes[i + 1 :]:
            assert one.y >= other.y + other.height - 1e-6 or other.y >= one.y + one.height - 1e-6


@pytest.mark.parametrize("compact", [False, True])
def test_names_of_lines_that_end_early_stay_inside_a_narrow_chart(qtbot: QtBot, choice: TimingChoice, *, compact: bool) -> None:
    chart = Chart(Look(theme("light"), Translator("en")), "Chart", compact=compact)
    qtbot.addWidget(chart)
    chart.resize(400, 180)
    chart.show()
    choice = replace(choice, sizes=(128, 256, 512, 1024))
    show(chart, choice, *NAIVE, *BLOCKED, *NUMPY[:2])
    boxes = chart.overlay.label_boxes()
    assert all(box.x + box.width <= chart.width() for box in boxes)
    assert len({box.x for box in boxes}) == 1
    assert min(box.x for box in boxes) > chart.overlay._area().right()


def test_the_machine_is_named_only_where_there_are_several(chart: Chart, choice: TimingChoice) -> None:
    model = TimingModel()
    model.add(
        Provenance.RECORDED, (measured("cpu.blocked", 128, 2.0, machine="One", tile=64), measured("cpu.naive", 128, 3.0, machine="One"))
    )
    chart.show_content(content_of(model, choice, SIZE_AXIS, Quantity.RATE))
    assert [label.detail for label in chart.overlay.end_labels()] == ["", "tile 64"]
    model.add(Provenance.RECORDED, (measured("cpu.naive", 256, 3.0, machine="Other"),))
    chart.show_content(content_of(model, choice, SIZE_AXIS, Quantity.RATE))
    assert [label.detail for label in chart.overlay.end_labels()] == ["One", "Other", "tile 64, One"]


def test_the_crosshair_snaps_to_measured_sizes_under_the_mouse(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE)
    for x in (128, 512, 256):
        place = chart.overlay._locate(x, 1.0)
        at = QPointF(place.x() + 9, place.y())
        QApplication.sendEvent(
            chart.overlay,
            QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier),
        )  # fmt: skip
        assert chart.crosshair == x
    QApplication.sendEvent(chart.overlay, QEvent(QEvent.Type.Leave))
    assert chart.crosshair is None


def mouse_to(chart: Chart, at: QPointF) -> None:
    event = QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(chart.overlay, event)


def test_the_crosshair_snaps_to_sizes_of_the_line_that_is_pointed_at(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE, measured("cpu.blocked", 500, 500**3 / 2e7))
    at = chart.overlay._locate(500, NAIVE[2].rate or 0.0)
    mouse_to(chart, at)
    readout = chart.overlay.readout()
    assert readout is not None
    assert (chart.crosshair, [row.name for row in readout[0].rows]) == (512, ["Naive, ijk"])
    for key, place in ((Qt.Key.Key_Left, 256), (Qt.Key.Key_End, 512), (Qt.Key.Key_Right, 512), (Qt.Key.Key_Home, 128)):
        QTest.keyClick(chart, key)
        assert chart.crosshair == place
    chart.point_at(lambda key: key.variant_id == "cpu.blocked")
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.overlay.readout() is None, "no box without a row"
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.crosshair == 500


def test_the_keyboard_moves_the_crosshair_and_keeps_its_keys(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE)
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Escape):
        QTest.keyClick(chart, key)
        seen.append(chart.crosshair)
    assert seen == [128, 256, 512, 512, 256, 128, None]
    override = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier)
    override.ignore()
    chart.event(override)
    assert override.isAccepted()


def test_the_box_lists_every_series_with_value_range_and_share(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE, *NUMPY)
    chart._set_crosshair(256)
    readout = chart.overlay.readout()
    assert readout is not None
    box, place = readout
    assert box.heading == "n = 256"
    assert box.columns[-1] == "of library", "a rung may be faster than the library: of the best nothing is more than 100 %"
    (naive, numpy) = box.rows
    assert naive.cells == ("2.00", "16.8", "13.4–25.2", "1.0 %")
    assert numpy.cells[-1] == "100 %"
    assert chart.rect().contains(place.toRect())
    assert "16.8" in chart.accessibleDescription()


@pytest.mark.parametrize("quantity", [Quantity.RATE, Quantity.SPEED_UP])
@pytest.mark.parametrize("width", [240, 300, 400, 560])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_box_stays_inside_a_narrow_chart(qtbot: QtBot, choice: TimingChoice, language: str, width: int, quantity: Quantity) -> None:
    chart = Chart(Look(theme("light"), Translator(language)), "Chart")
    qtbot.addWidget(chart)
    chart.resize(width, 400)
    chart.show()
    conditions = {**NAIVE[1].conditions, DISTURBED_SHARE: 0.5, DISTURBED_BY: "programs,steal", DISTURBED_NAMES: "python,other"}
    show(chart, choice, NAIVE[0], replace(NAIVE[1], conditions=conditions), NAIVE[2], *NUMPY, *BLOCKED, quantity=quantity)
    for x in (128, 256, 512):
        chart._set_crosshair(x)
        readout = chart.overlay.readout()
        assert readout is not None
        box, place = readout
        assert place.left() >= 0
        assert place.right() <= chart.width()
        assert place.width() == box.width, "what is painted in it is not cut"
        assert box.shown, "at least one column of times"
    chart._set_crosshair(256)
    assert "13.4–25.2" in chart.accessibleDescription(), "readers of the screen hear all columns"


@pytest.mark.parametrize("height", [160, 200])
def test_the_box_keeps_its_heading_inside_a_low_chart(qtbot: QtBot, choice: TimingChoice, height: int) -> None:
    chart = Chart(Look(theme("light"), Translator("en")), "Chart", compact=True)
    qtbot.addWidget(chart)
    chart.resize(360, height)
    chart.show()
    conditions = {**NAIVE[1].conditions, DISTURBED_SHARE: 0.5, DISTURBED_BY: "programs,scheduler,steal", DISTURBED_NAMES: "python,other"}
    show(chart, choice, NAIVE[0], replace(NAIVE[1], conditions=conditions), NAIVE[2], *NUMPY, *BLOCKED)
    chart._set_crosshair(256)
    readout = chart.overlay.readout()
    assert readout is not None
    _, place = readout
    assert place.top() >= 0
    assert place.bottom() <= height


def test_speeds_of_transpositions_are_compared_with_a_copy(chart: Chart, choice: TimingChoice) -> None:
    ids = ("gpu.transpose-shared", "gpu.transpose-copy")
    transposed = replace(choice, operation=Operation.TRANSPOSE, ticked=frozenset(ids))
    show(chart, transposed, *(measured(each, 256, 1.0) for each in ids), quantity=Quantity.PERCENT)
    chart._set_crosshair(256)
    readout = chart.overlay.readout()
    assert readout is not None
    assert readout[0].columns[-1] == "of copy"
    said = {str(unit_of(transposed, Quantity.PERCENT, Smallest("n"))), str(quantity_text(Quantity.PERCENT, Operation.TRANSPOSE))}
    assert said == {"% of the copy", "% of copy"}


def test_the_box_leaves_when_another_page_is_shown(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert chart.crosshair is not None
    chart.hide()
    chart.show()
    still_told = (chart.crosshair is not None, len(chart.emphasis))
    assert still_told == (False, 0)


def test_the_box_leaves_with_the_focus(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE)
    for reason, stays in ((Qt.FocusReason.PopupFocusReason, True), (Qt.FocusReason.TabFocusReason, False)):
        QTest.keyClick(chart, Qt.Key.Key_Down)
        QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusOut, reason))
        assert (chart.crosshair is not None, bool(chart.emphasis)) == (stays, stays)


def test_a_refused_point_is_marked_with_its_reason_and_never_plotted(chart: Chart, choice: TimingChoice) -> None:
    bad = {theme(name).bad.name() for name in ("light", "dark")}
    show(chart, choice, *NAIVE[:2])
    assert not bad & colours(chart)
    show(chart, choice, *NAIVE[:2], refused("cpu.naive", 512, message("It takes minutes."), status=Status.WRONG))
    assert bad & colours(chart)
    assert [point.x for point in chart.content.series[0].drawn] == [128, 256]
    chart._set_crosshair(512)
    readout = chart.overlay.readout()
    assert readout is not None
    assert readout[0].rows[0].cells == ("It takes minutes.",)


def test_pointing_at_the_sign_of_a_disturbed_point_tells_in_full_by_whom_whatever_line_lies_nearer(
    chart: Chart, choice: TimingChoice
) -> None:
    names = "firefox, Xorg, gnome-shell, code, python3"
    causes: dict[str, str | int | float] = {DISTURBED_SHARE: 0.5, DISTURBED_BY: "programs,steal", DISTURBED_NAMES: names}
    watched = replace(BLOCKED[1], conditions={**BLOCKED[1].conditions, **causes})
    near = tuple(measured("cpu.simd", n, n**3 / 2.4e7) for n in (128, 256, 512))
    show(chart, replace(choice, ticked=choice.ticked | {"cpu.simd"}), *NAIVE, *BLOCKED[::2], watched, *near)
    line = next(series for series in chart.content.series if series.key.variant_id == "cpu.blocked")
    chart._mouse_at(chart.overlay._locate(256, line.drawn[1].value or 0.0) - QPointF(0, 14))
    assert chart.emphasis == {line.key}
    readout = chart.overlay.readout()
    assert readout is not None
    assert readout[0].notes == [f"Blocked: {unevenness(row_of(watched))}"], "in the words of the table"
    assert " ".join(readout[0].note_lines) == readout[0].notes[0]
    font = QFontMetricsF(chart._look.theme.font("small"))
    assert all(font.horizontalAdvance(line) <= 520 for line in readout[0].note_lines)


def test_refused_points_of_one_size_share_a_cross_and_wrong_results_stand_apart(chart: Chart, choice: TimingChoice) -> None:
    late = message("It takes minutes.")
    show(chart, choice, *NAIVE[:2], refused("cpu.naive", 512, late), refused("cpu.numpy", 512, late))
    assert chart.overlay.crosses() == {512: {False: 2}}
    show(chart, choice, *NAIVE[:2], refused("cpu.naive", 512, late), refused("cpu.numpy", 512, late, status=Status.WRONG))
    assert chart.overlay.crosses() == {512: {False: 1, True: 1}}


@pytest.mark.parametrize("size", [(560, 300), (1000, 500)])
@pytest.mark.parametrize("running", [(128,), (256,), (512,), (128, 256, 512), (256, 256)])
def test_names_of_what_is_measured_give_way_to_crosses(
    chart: Chart, choice: TimingChoice, size: tuple[int, int], running: tuple[int, ...]
) -> None:
    chart.resize(*size)
    late, sizes = message("It takes minutes."), (128, 160, 200, 256, 300, 400, 512)
    wrong = [refused("cpu.naive", n, late) for n in sizes] + [refused("cpu.numpy", n, late) for n in sizes]
    wrong += [refused("cpu.blocked", n, late, status=Status.WRONG) for n in sizes]
    show(chart, replace(choice, sizes=sizes), *wrong)
    chart.show_content(replace(chart.content, running=tuple(RunningPoint(x, message("Register blocking")) for x in running)))
    overlay = chart.overlay
    marks = [QRectF(centre.x() - 5, centre.y() - 5, 10, 10) for centre, _, _ in centres(overlay.crosses(), overlay._at_edge)]
    assert len(marks) == 2 * len(sizes)
    places = [place for place, _ in overlay.running_names()]
    assert len(places) == len(running)
    for number, place in enumerate(places):
        others = [*marks, *places[:number], *(QRectF(ring.x() - 5, ring.y() - 5, 10, 10) for ring, _ in overlay.rings())]
        assert not any(place.intersects(each) for each in others)
        assert 0 <= place.left() < place.right() <= overlay.width()
        assert place.top() > overlay._area().top()


@pytest.mark.parametrize("size", [(560, 300), (1000, 500)])
def test_names_of_what_is_measured_give_way_to_signs_of_disturbed_points(chart: Chart, choice: TimingChoice, size: tuple[int, int]) -> None:
    chart.resize(*size)
    sizes, late = (128, 160, 200, 256, 300, 400, 512), message("It takes minutes.")
    wrong = [refused("cpu.numpy", n, late) for n in sizes] + [refused("cpu.blocked", n, late, status=Status.WRONG) for n in sizes]
    fast, low = [measured("cpu.loop-order", n, n**3 / 2e7) for n in sizes], [measured("cpu.naive", n, n**3 / 1e6) for n in sizes]
    low = [replace(each, conditions={**each.conditions, DISTURBED_SHARE: 0.5}) for each in low]
    show(chart, replace(choice, sizes=sizes), *low, *fast, *wrong)
    overlay = chart.overlay
    signs = [QRectF(spot.x() - 4.5, spot.y() - 4.5, 9, 9) for _, spot in overlay.disturbed()]
    assert len(signs) == len(sizes)
    for x in sizes:
        chart.show_content(replace(chart.content, running=(RunningPoint(x, message("Register blocking")),) * 7))
        assert not any(place.intersects(each) for place, _ in overlay.running_names() for each in signs), x


def test_the_name_of_what_is_measured_stands_beside_its_ring_where_there_is_room(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, refused("cpu.naive", 512, message("It takes minutes.")))
    chart.show_content(replace(chart.content, running=(RunningPoint(128, message("Naive")),)))
    ((ring, _),), ((place, _),) = chart.overlay.rings(), chart.overlay.running_names()
    assert place.center().y() == pytest.approx(ring.y())
    assert place.left() == pytest.approx(ring.x() + LABEL_GAP)


def test_the_name_of_what_is_measured_stands_over_no_number_of_the_axis(chart: Chart, choice: TimingChoice) -> None:
    """Of a small chart, where names stand at its right: the name stood over the numbers at its left."""
    chart.resize(400, 300)
    show(chart, choice, *NAIVE, *NUMPY)
    overlay = chart.overlay
    for letters in range(6, 36, 2):
        chart.show_content(replace(chart.content, running=(RunningPoint(512, message("{name}", name="n" * letters)),)))
        ((place, _),) = overlay.running_names()
        assert place.left() >= overlay._area().left(), letters
        assert not any(place.intersects(QRectF(box.x, box.y, box.width, box.height)) for box in overlay.label_boxes()), letters


def test_the_crosshair_leaves_when_its_results_do(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice, *NAIVE)
    chart._set_crosshair(512)
    show(chart, choice, *NAIVE[:1])
    assert chart.crosshair is None


@pytest.mark.parametrize("scales", list(Scales))
@pytest.mark.parametrize("quantity", list(Quantity))
def test_ticks_are_plain_numbers(chart: Chart, choice: TimingChoice, quantity: Quantity, scales: Scales) -> None:
    show(chart, choice, *NAIVE, *NUMPY, quantity=quantity, scales=scales)
    chart.grab()
    axes = {side: [text for _, text in chart._plot.axes[side]._tickLevels[0]] for side in ("left", "bottom")}
    assert axes["bottom"][-1] == "512"
    assert len(axes["left"]) >= 2
    assert not any("e" in text or "^" in text for texts in axes.values() for text in texts)


def test_an_empty_chart_has_axes_for_what_is_asked(chart: Chart, choice: TimingChoice) -> None:
    show(chart, choice)
    assert [text for _, text in chart._plot.axes["bottom"]._tickLevels[0]] == ["128", "256", "512"]
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.crosshair is None


def test_a_ring_says_that_the_keys_go_to_the_chart(chart: Chart) -> None:
    pictures = []
    for kind in (QEvent.Type.FocusOut, QEvent.Type.FocusIn, QEvent.Type.FocusOut):
        QApplication.sendEvent(chart, QFocusEvent(kind))
        pictures.append(chart.grab().toImage())
    before, focused, after = (each.pixelColor(1, chart.height() // 2) for each in pictures)
    assert focused != before == after
