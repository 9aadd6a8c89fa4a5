"""A chart of many curves: a few names, one curve at a time, and little work for each change."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.results.curves import Provenance
from app.core.results.quantities import Quantity
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.core.workbench.window_arguments import THEMES
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.content import content_of
from app.qt.charts.labels import MOST_NAMES, Box, name_font, named_series
from app.qt.charts.lines import DIMMED, MOST_MARKERS, QUIET, marked, seen_corners
from app.qt.charts.overlay import CROSS, KEY, centres
from app.qt.charts.style import colour_of
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.measure.results import Result, Status
from tests.measured.timing_results import disturbed, measured, refused
from tests.qt.many_curves import SIZES, content_with, some_variants, times_of

WINDOWS = {"1280 x 720": (828, 300), "1920 x 1080": (1160, 600)}
"""What the main chart has in windows of these sizes."""


def chart_of(
    qtbot: QtBot, size: tuple[int, int] = WINDOWS["1920 x 1080"], language: str = "en", colours: str = "light", zoom: float = 1.0
) -> Chart:
    made = Chart(Look(theme(colours, zoom), Translator(language)), "Chart")
    qtbot.addWidget(made)
    made.resize(*size)
    made.show()
    return made


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    return chart_of(qtbot)


def move_to(chart: Chart, place: QPointF) -> None:
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(chart.overlay, event)


def overlap(one: Box, other: Box) -> bool:
    return min(one.y + one.height, other.y + other.height) - max(one.y, other.y) > 1e-6


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
@pytest.mark.parametrize("count", [2, 6, 12, 24])
def test_few_names_stand_beside_the_axes_and_apart(qtbot: QtBot, count: int, size: tuple[int, int], language: str, zoom: float) -> None:
    chart = chart_of(qtbot, (round(size[0]), round(size[1])), language, zoom=zoom)
    content = content_with(count)
    assert len(content.series) == count
    chart.show_content(content)
    chart.grab()
    area, overlay, boxes = chart.overlay._area(), chart.overlay, chart.overlay.label_boxes()
    assert 2 <= len(boxes) <= MOST_NAMES
    assert all(box.x > area.right() and box.x + box.width <= overlay.width() for box in boxes), "neither on data nor cut"
    if zoom == 1.0:
        assert all(area.top() - 1 <= box.y and box.y + box.height <= area.bottom() + 1 for box in boxes), "not beside the axis"
        assert not any(overlap(one, other) for i, one in enumerate(boxes) for other in boxes[:i])
    ticks = chart._plot.axes["left"]._tickLevels[0]
    assert len(ticks) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_whole_where_details_have_no_room(qtbot: QtBot, language: str) -> None:
    chart = chart_of(qtbot, (368, 196), language)
    chart.show_content(content_with(24))
    overlay, rooms = chart.overlay, []
    for label, box, lines in overlay._placed_labels():
        metrics = QFontMetricsF(name_font(chart._look, overlay.kind, label))
        rooms += [box.width - KEY - metrics.horizontalAdvance(text) for pieces in lines for text, aside in pieces if not aside]
    assert min(rooms) >= 0


def test_the_named_ones_say_most() -> None:
    content = content_with(24)
    named = [series.key for series in named_series(content)]
    assert len(named) == MOST_NAMES
    assert {"cpu.numpy", "gpu.cublas", "cpu.blocked"} <= {key.variant_id for key in named}, "the libraries, and the rung on the stage"
    assert {key.provenance for key in named} == {Provenance.MEASURED, Provenance.RECORDED}, "no published one"
    assert sum(key.provenance is Provenance.MEASURED for key in named) == MOST_NAMES - 1
    assert {key.variant.device for key in named} == {Device.CPU, Device.GPU}


def test_ticked_rungs_are_named_before_lines_that_stand_in_for_them() -> None:
    ids = ("cpu.naive", "cpu.loop-order", "cpu.simd", "cpu.blocked", "gpu.cublas", "gpu.naive", "gpu.tiled", "gpu.outer-product")
    model = TimingModel()
    rates = (1.0, 1.1, 1.2, 1.3, 1000, 300, 100, 30)  # those that are ticked end near each other
    times = zip(ids, rates, strict=True)
    model.add(Provenance.RECORDED, [measured(each, n, n**3 / rate / 1e6) for each, rate in times for n in (128, 256)])
    drawn = content_of(model, replace(Session().timing.value, ticked=frozenset(ids)), SIZE_AXIS, Quantity.RATE)
    assert len(drawn.series) == len(ids)
    named = {series.key.variant_id for series in named_series(replace(drawn, ticked=frozenset(ids[:4])))}
    assert set(ids[:4]) <= named
    assert "gpu.cublas" in named
    assert len(named) == MOST_NAMES


def test_the_fastest_line_of_a_device_is_named_though_none_of_it_is_ticked() -> None:
    """Six ticked CPU rungs take all names; the lines above them, that stand in from a GPU, are not left without one."""
    ticked = ("cpu.naive", "cpu.loop-order", "cpu.simd", "cpu.blocked", "cpu.packed", "cpu.parallel")
    ids = (*ticked, "gpu.naive", "gpu.cublas", "gpu.tiled")
    model = TimingModel()
    times = zip(ids, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100, 1000, 300), strict=True)
    model.add(Provenance.RECORDED, [measured(each, n, n**3 / rate / 1e6) for each, rate in times for n in (128, 256)])
    content = content_of(model, replace(Session().timing.value, ticked=frozenset(ids)), SIZE_AXIS, Quantity.RATE)
    named = {series.key.variant_id for series in named_series(replace(content, ticked=frozenset(ticked), staged=""))}
    assert named == {*ticked, "gpu.cublas"}


def test_what_was_not_measured_here_is_named_by_a_rung_that_has_no_name_yet() -> None:
    content = content_with(24)
    here = tuple(
        series for series in content.series if series.key.provenance is Provenance.MEASURED and series.key.variant.device is Device.CPU
    )
    recorded = [replace(series, key=replace(series.key, provenance=Provenance.RECORDED, machine="Other")) for series in content.series]
    named = [series.key for series in named_series(replace(content, series=(*here, *recorded)))]
    assert {key.variant_id for key in named if key.provenance is Provenance.RECORDED} == {"gpu.cublas"}, "not the rung on the stage again"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_six_that_were_measured_here_are_all_named_beside_recorded_ones(qtbot: QtBot, size: tuple[int, int], language: str) -> None:
    session, model = Session("cpu.blocked"), TimingModel("cpu.blocked")
    here, recorded = session.timing.value.variants, some_variants(12)
    model.add(Provenance.MEASURED, [result for variant in here for result in times_of(variant)])
    model.add(Provenance.RECORDED, [result for variant in recorded for result in times_of(variant, slower=0.6, machine="Other")])
    content = content_of(model, session.timing.value, SIZE_AXIS, Quantity.RATE)
    chart = chart_of(qtbot, size, language)
    chart.show_content(content)
    chart.grab()
    named = [series.key for series in named_series(content)]
    assert {key.variant for key in named if key.provenance is Provenance.MEASURED} == {*here}
    assert len(named) == len(here) + 1
    area, boxes = chart.overlay._area(), chart.overlay.label_boxes()
    assert all(area.top() - 1 <= box.y and box.y + box.height <= area.bottom() + 1 for box in boxes)
    assert not any(overlap(one, other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_type_is_larger_where_a_hall_looks(qtbot: QtBot) -> None:
    small, large = (chart_of(qtbot, size) for size in WINDOWS.values())
    fonts = [chart._look.theme.font(chart.overlay.kind.plain).pixelSize() for chart in (small, large)]
    assert fonts == [12, 16]
    for chart in (small, large):
        chart.window().close()


def test_only_what_has_changed_is_drawn_and_nothing_is_made_anew(chart: Chart) -> None:
    content = content_with(24)
    assert chart.show_content(content) == 24
    items = dict(chart._curves)
    assert chart.show_content(content_with(24)) == 0, "equal is as good as the same"
    first = content.series[0]
    shorter = replace(content, series=(replace(first, points=first.points[1:]), *content.series[1:]))
    assert chart.show_content(replace(shorter, asked=content.xs)) == (1 if shorter.y_scale == content.y_scale else 24)
    assert {key: chart._curves[key] for key in items} == items
    chart.show_content(replace(content, series=content.series[1:]))
    assert first.key not in chart._curves
    assert len(chart._curves) == 23


def test_pointing_at_a_curve_dims_the_others_and_tells_its_times_alone(chart: Chart) -> None:
    chart.show_content(content_with(24))
    told: list[str] = []
    chart.pointed.connect(told.append)
    target = next(series for series in chart.content.series if series.key.variant_id == "cpu.hints")
    point = target.drawn[2]
    items = dict(chart._curves)
    move_to(chart, chart.overlay._locate(point.x, point.value or 0.0) + QPointF(1, 2))
    assert chart.emphasis == {target.key}
    assert chart._curves == items
    assert {key: curve._line.opacity() for key, curve in chart._curves.items()} == {
        key: pytest.approx(1.0 if key == target.key else DIMMED) for key in chart._curves
    }
    readout = chart.overlay.readout()
    assert readout is not None
    assert [row.name for row in readout[0].rows] == ["Compiler hints, Bounds checks off, Contiguous rows on, Sums in any order on"]
    assert "Compiler hints" in [label.name for label in chart.overlay.end_labels()], "named as long as it is pointed at"
    QApplication.sendEvent(chart.overlay, QEvent(QEvent.Type.Leave))
    assert chart.emphasis == frozenset()
    assert told == ["cpu.hints", ""]


def test_a_rung_that_is_pointed_at_elsewhere_is_shown(chart: Chart) -> None:
    chart.show_content(content_with(24))
    chart.point_at(lambda key: key.variant_id == "gpu.tiled")
    assert {key.provenance for key in chart.emphasis} == set(Provenance)
    chart.point_at(lambda key: key.variant_id == "mpi.summa")
    assert chart.emphasis == frozenset(), "what is not in the chart dims nothing"


@pytest.mark.parametrize("colours", [each for each in THEMES if each.startswith("contrast")])
def test_in_high_contrast_no_line_is_pale(qtbot: QtBot, colours: str) -> None:
    chart = chart_of(qtbot, colours=colours)
    chart.show_content(content_with(12))
    assert {items._line.opacity() for items in chart._curves.values()} == {1.0}, "thin dots and small markers tell published ones apart"


def test_the_arrows_go_from_curve_to_curve_by_height(chart: Chart) -> None:
    chart.show_content(content_with(6))
    ends = sorted(chart.content.series, key=lambda series: -(series.drawn[-1].value or 0.0))
    seen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(chart, key)
        (pointed,) = chart.emphasis
        seen.append(pointed)
        assert chart.crosshair in [point.x for series in ends if series.key == pointed for point in series.drawn]
        assert chart._look.text(pointed.variant.title) in chart.accessibleDescription()
    assert seen == [ends[0].key, ends[1].key, ends[0].key, ends[0].key]
    for expected in (4096, None):
        QTest.keyClick(chart, Qt.Key.Key_Escape)
        assert (chart.emphasis, chart.crosshair) == (frozenset(), expected)


def test_published_lines_are_quiet_until_they_are_asked_for(chart: Chart) -> None:
    content = content_with(12)
    chart.show_content(content)
    published = [key for key in chart._curves if key.provenance is Provenance.PUBLISHED]
    assert [chart._curves[key]._line.opacity() for key in published] == pytest.approx([QUIET] * len(published))
    assert not {label.key for label in chart.overlay.end_labels()} & set(published)
    chart.point_at(lambda key: key.provenance is Provenance.PUBLISHED)
    assert {chart._curves[key]._line.opacity() for key in published} == {1.0}
    chart.point_at(None)
    chart.show_content(replace(content, series=tuple(series for series in content.series if series.key in published)))
    assert {chart._curves[key]._line.opacity() for key in published} == {1.0}, "where there is nothing else"
    assert {label.key for label in chart.overlay.end_labels()} == set(published)


def test_where_lines_do_not_fit_the_box_the_others_are_counted(qtbot: QtBot) -> None:
    chart = chart_of(qtbot, WINDOWS["1280 x 720"])
    chart.show_content(content_with(24))
    chart._set_crosshair(1024)
    readout = chart.overlay.readout()
    assert readout is not None
    box, place = readout
    assert 1 <= len(box.rows) < 24
    assert box.notes[-1] == f"{24 - len(box.rows)} more: point at a curve, or press ↑ or ↓, to see its times"
    assert place.height() <= chart.overlay._area().height()


def shown(chart: Chart, *results: Result, missing: frozenset[Device] = frozenset()) -> None:
    session, model = Session(), TimingModel()
    ticked = frozenset(result.point.variant_id for result in results)
    session.timing.value = replace(session.timing.value, ticked=ticked, sizes=SIZES)
    model.add(Provenance.MEASURED, results)
    chart.show_content(content_of(model, session.timing.value, SIZE_AXIS, Quantity.RATE, missing))


@pytest.mark.parametrize("colours", THEMES)
def test_a_disturbed_point_is_filled_as_all_measured_ones_and_has_a_sign_that_says_by_whom(qtbot: QtBot, colours: str) -> None:
    chart = chart_of(qtbot, colours=colours)
    calm = [measured("cpu.blocked", n, n / 10) for n in SIZES]
    shown(chart, *calm)
    before = chart.grab().toImage()
    assert chart.overlay.disturbed() == []
    shown(chart, *calm[:2], disturbed(calm[2]), *calm[3:])
    ((_, spot),) = chart.overlay.disturbed()
    after = chart.grab().toImage()
    place = spot.toPoint() + QPoint(0, 13)
    assert before.pixelColor(place.x(), place.y() + 2) == after.pixelColor(place.x(), place.y() + 2), "hollow ones were recorded"
    above = [(place.x() + dx, place.y() - 13 + dy) for dx in range(-4, 5) for dy in range(-4, 5)]
    assert sum(before.pixelColor(*each) != after.pixelColor(*each) for each in above) > 10, "a sign stands above it"
    assert [items._line.brush.color() for items in chart._curves.values()] == [colour_of(chart._look.theme, calm[0].point.variant)]
    chart._set_crosshair(SIZES[2])
    assert "Blocked: disturbed by other programs (firefox)" in chart.accessibleDescription()


def test_that_a_device_is_missing_is_not_told_at_every_point(chart: Chart) -> None:
    late = message("It takes minutes.")
    refusals = [refused("gpu.tiled", n, message("No NVIDIA GPU found.")) for n in SIZES]
    wrong = refused("cpu.naive", 4096, late, status=Status.WRONG)
    results = [*times_of(some_variants(5)[4]), wrong, *refusals]
    shown(chart, *results)
    assert set(chart.overlay.crosses()) == set(SIZES)
    shown(chart, *results, missing=frozenset((Device.GPU,)))
    assert chart.overlay.crosses() == {4096: {True: 1}}, "what this machine has keeps its marks"
    chart._set_crosshair(4096)
    readout = chart.overlay.readout()
    assert readout is not None
    assert [row.name.split(",")[0] for row in readout[0].rows] == ["Naive", "Blocked"]


@pytest.mark.parametrize("size", [(368, 196), WINDOWS["1280 x 720"]])
def test_crosses_lie_below_the_curves_however_many_decades_these_take(qtbot: QtBot, size: tuple[int, int]) -> None:
    chart = chart_of(qtbot, size)
    times = [measured("cpu.naive", n, 2e-6 * n**3 / rate) for n, rate in zip(SIZES, (0.1, 1, 1e2, 1e3, 1e5, 1e6), strict=True)]
    shown(chart, *times, refused("cpu.blocked", SIZES[0], message("It takes minutes.")))
    ((centre, _, _),) = centres(chart.overlay.crosses(), chart.overlay._at_edge)
    lowest = max(chart._seen_at(point.x, point.value or 0.0).y() for line in chart.content.series for point in line.drawn)
    marker = chart._styles[chart.content.series[0].key].marker_size
    assert lowest + marker / 2 <= centre.y() - CROSS / 2


@pytest.mark.parametrize("width", [280, 340, 1000])
def test_the_note_on_disturbed_points_lies_over_no_caption(qtbot: QtBot, width: int) -> None:
    chart = chart_of(qtbot, (width, 220))
    calm = [measured("cpu.blocked", n, n / 10) for n in SIZES]
    shown(chart, *calm[:2], disturbed(calm[2]), *calm[3:])
    overlay = chart.overlay
    metrics = QFontMetricsF(overlay._look.theme.font(overlay.kind.plain))
    right = overlay._area().left() + metrics.horizontalAdvance(overlay.caption())
    assert right <= chart.width()
    assert ("Bands: from the slowest" in overlay.caption()) is (width == 1000)
    ((start, _, _),) = overlay.notes()
    assert start.y() < overlay.height() / 2 or start.x() > right, "beside it, or in another line"
    assert (start.y() > overlay.height() / 2) is (width == 1000)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(420, 220), (620, 400), (1000, 400)])
def test_signs_are_explained_where_they_are_and_over_nothing_that_is_written(qtbot: QtBot, size: tuple[int, int], language: str) -> None:
    chart = Chart(Look(theme("light"), Translator(language)), "chart")
    qtbot.addWidget(chart)
    chart.resize(*size)
    chart.show()
    calm = [measured("cpu.blocked", n, n / 10) for n in SIZES]
    late = message("It takes minutes.")
    shown(chart, *calm[:2], disturbed(calm[2]), *calm[3:], refused("cpu.naive", 4096, late))
    overlay = chart.overlay
    assert [sign for _, _, sign in overlay.notes()] == [None, False]
    shown(chart, *calm, refused("cpu.naive", 2048, late), refused("cpu.numpy", 2048, late, status=Status.WRONG))
    assert [sign for _, _, sign in overlay.notes()] == [False, True]
    small, plain = (QFontMetricsF(chart._look.theme.font(role)) for role in (overlay.kind.aside, overlay.kind.plain))
    unit = QRectF(10, 0, plain.horizontalAdvance(chart._look.text(overlay.content.unit)), 6 + plain.height())
    caption = QRectF(overlay._area().left(), size[1] - 8 - plain.ascent(), plain.horizontalAdvance(overlay.caption()), plain.ascent())
    places = [QRectF(start.x() - 14, start.y() - 10, 14 + small.horizontalAdvance(text), 10) for start, text, _ in overlay.notes()]
    for one, other in itertools.combinations([unit, caption, *places], 2):
        assert not one.intersects(other)
    assert all(chart.rect().contains(place.toAlignedRect()) for place in places)
    shown(chart, *calm)
    assert overlay.notes() == []


def test_of_many_points_some_that_lie_apart_have_markers_and_all_that_are_disturbed() -> None:
    few = [float(x) for x in range(MOST_MARKERS)]
    assert marked(few, [False] * len(few)) == list(range(len(few)))
    many = [x / 100 for x in range(2001)]
    at = marked(many, [place == 1003 for place in range(len(many))])
    assert {0, 1003, 2000} <= set(at)
    assert len(at) <= MOST_MARKERS + 2
    assert at == sorted(at)
    others = [many[place] for place in at[:-1] if place != 1003]
    assert all(later - earlier >= 20 / MOST_MARKERS for earlier, later in itertools.pairwise(others))


@given(heights=st.lists(st.floats(0, 500, allow_nan=False), min_size=1, max_size=200), apart=st.floats(0.05, 9))
def test_what_is_left_out_of_a_line_is_not_seen(heights: list[float], apart: float) -> None:
    corners = [QPointF(place * apart, height) for place, height in enumerate(heights)]
    kept = seen_corners(corners)
    assert (kept[0], kept[-1]) == (corners[0], corners[-1])
    assert all(each in corners for each in kept)
    assert kept == sorted(kept, key=QPointF.x)
    for corner in corners:
        beside = [each.y() for each in kept if abs(each.x() - corner.x()) < 2]
        assert min(beside) - 0.5 <= corner.y() <= max(beside) + 0.5, "a peak stays"
    assert len(seen_corners([QPointF(place / 10, 7.0) for place in range(1000)])) <= 52, "one of a column where all are level"


def test_float32_is_said_of_the_matrices_where_no_curve_is_of_another_type() -> None:
    for variant_id, said in (("gpu.fastest", "float32"), ("gpu.cublas-bf16", "float32 where a name has no other type")):
        model, session = TimingModel(), Session()
        session.timing.value = replace(session.timing.value, ticked=frozenset({"gpu.fastest", variant_id}))
        model.add(Provenance.MEASURED, [measured(variant_id, n, 1.0) for n in (512, 1024)])
        content = content_of(model, session.timing.value, SIZE_AXIS, Quantity.RATE)
        assert Translator("en").text(content.caption).endswith(said)
        assert ("where" in said) is any(line.key.variant.precision is not None for line in content.series)
