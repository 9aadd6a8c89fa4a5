"""Charts over any parameter: the choosers of the header, names on the axis, reference lines, and published times beside measured ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.observable import Field
from app.core.results.curves import Provenance
from app.core.results.published import published
from app.core.results.quantities import Quantity
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.content import content_of
from app.qt.charts.style import line_style
from app.qt.inspector.parameters import ParameterControl
from app.qt.timing.charts_panel import TimingPanel
from app.qt.timing.inputs import InputsSection
from app.qt.timing.points_table import QUANTITY
from app.qt.timing.side_panel import TimingSide
from app.qt.widgets.choice_box import ChoiceField
from app.qt.widgets.fields import NumberField
from kernels.base.limits import Limits
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import find, of
from kernels.measure.results import Result
from tests.measured.timing_results import measured
from tests.named_variant import NAMED, ORDER, add_to_catalogue


class Actions:
    """Does nothing."""

    def measure(self) -> None: ...

    def cancel(self) -> None: ...

    def export(self, _path: object) -> None: ...


@pytest.fixture
def look() -> Look:
    return Look(theme("light"), Translator("en"))


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    add_to_catalogue(monkeypatch)
    session = Session()
    session.timing.value = replace(session.timing.value, ticked=frozenset({NAMED.id, "cpu.naive", "cpu.numpy"}))
    return session


@pytest.fixture
def model() -> TimingModel:
    return TimingModel()


@pytest.fixture
def panel(qtbot: QtBot, look: Look, session: Session, model: TimingModel) -> TimingPanel:
    panel = TimingPanel(look, session, model, Actions(), Field({}))
    qtbot.addWidget(panel)
    panel.resize(840, 640)
    panel.show()
    return panel


def over_orders(*milliseconds: float) -> list[Result]:
    return [measured(NAMED.id, 1024, ms, letters=letter) for letter, ms in enumerate(milliseconds)]


def add(model: TimingModel, *results: Result) -> None:
    model.add(Provenance.MEASURED, results)


def texts(chart: Chart) -> list[str]:
    """What stands under the horizontal axis."""
    return [text for level in chart._plot.axes["bottom"]._tickLevels for _, text in level]


def test_what_runs_along_the_axis_is_chosen_by_keyboard(panel: TimingPanel, session: Session) -> None:
    axis = panel.header.axis
    assert [axis.itemText(i) for i in range(axis.count())] == ["over n", "over Threads", "over Order of the loops", "over Depth"]
    axis.setFocus()
    QTest.keyClick(axis, Qt.Key.Key_End)
    assert session.timing.value.axis == "depth"
    QTest.keyClick(axis, Qt.Key.Key_Home)
    assert session.timing.value.axis == SIZE_AXIS


def test_the_baseline_is_offered_for_speed_ups_alone(panel: TimingPanel, model: TimingModel, session: Session) -> None:
    box = panel.header.baseline
    assert box.isHidden()
    model.quantity.value = Quantity.SPEED_UP
    assert not box.isHidden()
    assert box.currentText() == "over Naive, ijk"
    session.timing.value = replace(session.timing.value, axis="threads")
    assert box.currentText() == "over the smallest value"
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert model.baseline.value == "cpu.naive"


def test_named_values_stand_apart_under_their_names(panel: TimingPanel, model: TimingModel, session: Session, qtbot: QtBot) -> None:
    session.timing.value = replace(session.timing.value, axis="letters")
    add(model, *over_orders(9.0, 3.0, 8.0, 20.0, 4.0, 21.0))
    qtbot.waitUntil(lambda: len(panel.chart.content.measured_xs) == 6)
    assert texts(panel.chart) == ["ijk", "ikj", "jik", "jki", "kij", "kji"]
    assert not panel.chart.content.x_scale.log
    panel.chart._set_crosshair(4)
    assert panel.chart.accessibleDescription().startswith("Order of the loops: kij\n")


def test_all_names_stand_under_an_axis_that_has_room_for_them(
    panel: TimingPanel, model: TimingModel, session: Session, qtbot: QtBot
) -> None:
    session.timing.value = replace(session.timing.value, axis="letters")
    add(model, *over_orders(9.0, 3.0, 8.0, 20.0, 4.0, 21.0))
    panel.chart.setFixedWidth(430)
    qtbot.waitUntil(lambda: texts(panel.chart) == ["ijk", "ikj", "jik", "jki", "kij", "kji"])
    panel.chart.setFixedWidth(240)
    qtbot.waitUntil(lambda: 0 < len(texts(panel.chart)) < 6)


def test_growth_is_seen_against_the_work(panel: TimingPanel, model: TimingModel, qtbot: QtBot) -> None:
    model.quantity.value = Quantity.GROWTH
    add(model, measured("cpu.naive", 128, 1.0), measured("cpu.naive", 256, 9.0))
    qtbot.waitUntil(lambda: bool(panel.chart.content.reference_lines))
    assert "(n / 128)³" in [label.name for label in panel.chart.overlay.end_labels()]


def test_a_comparison_that_cannot_be_made_says_why(panel: TimingPanel, model: TimingModel, session: Session, qtbot: QtBot) -> None:
    session.timing.value = replace(session.timing.value, ticked=frozenset({"cpu.naive"}))
    model.quantity.value = Quantity.EFFICIENCY
    add(model, measured("cpu.naive", 128, 1.0))
    qtbot.waitUntil(lambda: panel.notice.text() == "It has neither threads nor ranks.")


def test_published_times_are_shown_on_demand_with_their_source(panel: TimingPanel, model: TimingModel, qtbot: QtBot) -> None:
    row = {
        "source": "some-report", "machine": "not stated (Windows PC)", "table": "sizes", "operation": "matmul", "variant": "cpu.naive",
        "n": "128", "tile": "", "metric": "time_ms", "value": "4.83",
    }  # fmt: skip
    model.add(Provenance.PUBLISHED, published([row]))
    add(model, measured("cpu.naive", 128, 1.0))
    key = next(box for box in panel.header.findChildren(QCheckBox) if box.text() == "published")
    qtbot.waitUntil(lambda: len(panel.chart.content.series) == 1)
    assert not key.isChecked()
    QTest.keyClick(key, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(panel.chart.content.series) == 2)
    panel.chart._set_crosshair(128)
    told = panel.chart.accessibleDescription().splitlines()
    assert told[-1] == "published in some-report, table sizes; machine not stated (Windows PC)"
    assert "Naive, ijk, some-report" in told[2]


def test_published_marks_differ_from_measured_ones_in_more_than_colour(look: Look) -> None:
    styles = [line_style(look.theme, of(Operation.MATMUL)[0], provenance) for provenance in Provenance]
    assert len({tuple(style.pen.dashPattern()) for style in styles}) == 3
    assert len({(style.marker_brush.color().name(), style.marker_size) for style in styles}) == 3
    assert len({(style.marker, style.colour.name()) for style in styles}) == 1, "the variant's own"


def test_the_values_of_a_named_parameter_are_typed_by_name(qtbot: QtBot, look: Look, session: Session) -> None:
    session.timing.value = replace(session.timing.value, axis="letters")
    inputs = InputsSection(look, session, Actions(), lambda _device: Limits())
    qtbot.addWidget(inputs)
    assert inputs.values.edit.text() == "ijk, ikj, jik, jki, kij, kji"
    inputs.values._edited("kij, ijk")
    assert session.timing.value.values("letters") == (0, 4)
    inputs.values._edited("kij, kkk")
    assert inputs.values.reason.text() == "✕ Order of the loops: 'kkk' is not one of ijk, ikj, jik, jki, kij, kji."
    assert session.timing.value.values("letters") == (0, 4)


def test_a_named_value_is_chosen_from_its_names(qtbot: QtBot, look: Look, session: Session) -> None:
    inputs = InputsSection(look, session, Actions(), lambda _device: Limits())
    qtbot.addWidget(inputs)
    field = inputs.field(NAMED, "letters")
    assert isinstance(field, ChoiceField)
    assert field.box.currentText() == "ikj"
    QTest.keyClick(field.box, Qt.Key.Key_End)
    assert session.timing.value.parameters[NAMED.id]["letters"] == 5
    assert field.box.currentText() == "kji"


def test_a_refused_name_keeps_the_one_that_holds(qtbot: QtBot, look: Look) -> None:
    field = ChoiceField(look, ORDER, ORDER.title, lambda _value: message("Not today."))
    qtbot.addWidget(field)
    QTest.keyClick(field.box, Qt.Key.Key_End)
    assert field.box.currentText() == "ikj"
    assert field._reason.text() == "✕ Not today."


def test_the_inspector_shows_and_takes_names(qtbot: QtBot, look: Look) -> None:
    proposed: list[int] = []

    def propose(value: int) -> Message | None:
        proposed.append(value)
        return None

    control = ParameterControl(look, ORDER, propose, lambda _value: True)
    qtbot.addWidget(control)
    control.show_value(4)
    assert (control.field.edit.text(), control.slider.accessibleDescription()) == ("kij", "kij")
    control.field._edited("jki")
    assert proposed == [3]
    control.field._edited("jkk")
    assert control._reason.text() == "✕ Order of the loops: 'jkk' is not one of ijk, ikj, jik, jki, kij, kji."


@pytest.mark.parametrize(("language", "titles"), [
    ("en", ["Loop order", "SIMD, Lanes of a vector (0: widest)"]), ("zh_CN", ["循环次序", "SIMD · 向量通道数（0：最宽）"]),
])  # fmt: skip
def test_a_setting_is_named_once_with_what_its_zero_means(qtbot: QtBot, language: str, titles: list[str]) -> None:
    session = Session()
    session.timing.value = replace(session.timing.value, ticked=frozenset({"cpu.loop-order", "cpu.simd"}))
    inputs = InputsSection(Look(theme("light"), Translator(language)), session, Actions(), lambda _device: Limits())
    qtbot.addWidget(inputs)
    names = [(find("cpu.loop-order"), "order"), (find("cpu.simd"), "lanes")]
    assert [_title(inputs.field(variant, name)) for variant, name in names if variant] == titles


def _title(field: NumberField | ChoiceField) -> str:
    return next(each.text() for each in field.findChildren(QLabel) if each.text())


def test_many_settings_are_folded_until_they_are_asked_for(qtbot: QtBot, look: Look, session: Session) -> None:
    inputs = InputsSection(look, session, Actions(), lambda _device: Limits())
    qtbot.addWidget(inputs)
    inputs.show()
    field = inputs.field(NAMED, "depth")
    assert inputs.settings.isHidden()
    assert field.isVisible()
    session.timing.value = replace(session.timing.value, ticked=frozenset(variant.id for variant in of(NAMED.operation)))
    field = inputs.field(NAMED, "depth")
    assert not field.isVisible()
    inputs.settings.setFocus()
    QTest.keyClick(inputs.settings, Qt.Key.Key_Space)
    qtbot.waitUntil(field.isVisible)


def test_the_table_of_points_tells_what_the_chart_tells(qtbot: QtBot, look: Look, session: Session, model: TimingModel) -> None:
    def told() -> tuple[str, list[str]]:
        points = side.points
        column = [points.index(row, QUANTITY).data() for row in range(points.rowCount())]
        return points.headerData(QUANTITY, Qt.Orientation.Horizontal), column

    side = TimingSide(look, session, model, Actions(), lambda _device: Limits(), lambda _suffix: None)
    qtbot.addWidget(side)
    side.show()
    add(model, measured("cpu.numpy", 128, 4.0, threads=1), measured("cpu.numpy", 128, 2.5, threads=2), measured("cpu.naive", 128, 10.0))
    model.quantity.value = Quantity.SPEED_UP
    qtbot.waitUntil(lambda: told() == ("speed-up", ["1.00", "4.00", "2.50"]))
    model.quantity.value = Quantity.EFFICIENCY
    qtbot.waitUntil(lambda: told() == ("efficiency %", ["—", "80.0", "100"]))
    assert side.points.index(0, QUANTITY).data(Qt.ItemDataRole.ToolTipRole) == "It has neither threads nor ranks."
    model.quantity.value = Quantity.TIME
    qtbot.waitUntil(lambda: told()[0] == "GFLOP/s")


def test_a_panel_that_is_made_and_then_shown_draws_once(
    qtbot: QtBot, look: Look, session: Session, model: TimingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[Quantity]()

    def drawing(*given: Any) -> Any:
        drawn.append(given[3])
        return content_of(*given)

    monkeypatch.setattr("app.qt.timing.charts_panel.content_of", drawing)
    panel = TimingPanel(look, session, model, Actions(), Field({}))
    qtbot.addWidget(panel)
    panel.show()
    qtbot.wait(200)
    assert drawn == [Quantity.RATE]
