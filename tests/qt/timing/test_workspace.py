"""The timing workspace: what a user sees while measuring, and what they can type and press."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QKeySequence, QMouseEvent, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.job_queues import JobState
from app.core.insights.rules import Insight, insights
from app.core.ladder.model import LadderModel
from app.core.results.curves import Provenance
from app.core.results.measuring import Progress, QueueProgress
from app.core.results.quantities import Quantity
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import TimingModel, points_of
from app.qt.base.commands import Command
from app.qt.base.look import Look
from app.qt.base.refresh import ASKED_MS, INTERVAL_MS
from app.qt.base.theme import theme
from app.qt.charts.content import ChartContent
from app.qt.charts.style import line_style
from app.qt.shell.timing_workspace import TimingWorkspace
from app.qt.timing.points_table import QUANTITY, REASON, TIME, VARIANT
from app.qt.timing.side_panel import PercentBars
from app.qt.widgets.fields import NumberField
from app.qt.widgets.stops import stops_of
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.measure.sampler import SamplingState
from tests.measured.idle_tuner import idle_tuning
from tests.measured.idle_use_timer import idle_uses
from tests.measured.timing_results import EARLY, LATE, disturbed, measured, refused

MIB = 1 << 20


@dataclass
class Actions:
    """Remembers what was asked for."""

    asked: list[object] = field(default_factory=list)
    refusal: Message | None = None

    def measure(self) -> None:
        self.asked.append("measure")

    def cancel(self) -> None:
        self.asked.append("cancel")

    def export(self, path: Path) -> Message | None:
        self.asked.append(path)
        return self.refusal


@dataclass
class Scene:
    session: Session
    model: TimingModel
    actions: Actions
    workspace: TimingWorkspace
    path: list[Path | None]


@pytest.fixture(params=["light", "dark"])
def scene(qtbot: QtBot, request: pytest.FixtureRequest) -> Scene:
    session, model, actions = Session(), TimingModel(), Actions()
    path: list[Path | None] = [Path("points.csv")]
    limits = Limits(memory_bytes=64 * MIB)
    look = Look(theme(request.param), Translator("en"))
    workspace = TimingWorkspace(
        look,
        session,
        model,
        idle_tuning(session, model),
        LadderModel(session, model),
        idle_uses(session, model),
        actions,
        lambda _device: limits,
        lambda _suffix: path[0],
        1230,
    )
    qtbot.addWidget(workspace)
    workspace.resize(1230, 620)
    workspace.show()
    return Scene(session, model, actions, workspace, path)


def running(done: int, state: JobState = JobState.RUNNING, samples: int = 0) -> Progress:
    point = Case("cpu.blocked", Problem.square(Operation.MATMUL, 512), {"tile": 64})
    ended = state.ended
    return Progress(
        (
            QueueProgress(
                Device.CPU, 1, total=16, state=state, done=done, not_possible=1, point=None if ended else point,
                phase=None if ended else SamplingState.SAMPLING, samples=samples, samples_at_most=11, seconds_left=None if ended else 41.0,
            ),
        )
    )  # fmt: skip


def test_one_button_measures_what_is_ticked_and_says_how_long(scene: Scene, qtbot: QtBot) -> None:
    button = scene.workspace.side.inputs.measure
    scene.session.tick(by_id("cpu.simd"), ticked=True)
    qtbot.waitUntil(lambda: button.text().startswith("Measure the ticked rungs, about "))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert scene.actions.asked == ["measure"]
    qtbot.waitUntil(scene.workspace.panel.measure.isHidden)
    scene.model.progress.value = running(1)
    qtbot.waitUntil(lambda: button.text() == "Measure the ticked rungs")


def test_recorded_curves_are_there_before_the_first_measurement(scene: Scene, qtbot: QtBot) -> None:
    scene.model.add(Provenance.RECORDED, [measured("gpu.tiled", 256, 0.1), measured("gpu.tiled", 512, 0.2)])
    qtbot.waitUntil(lambda: len(scene.workspace.panel.chart.content.series) == 1)
    assert scene.workspace.panel.chart.content.series[0].key.provenance is Provenance.RECORDED
    assert not scene.workspace.panel.measure.isHidden()


def test_a_curve_that_nobody_ticked_is_there_only_with_words_that_say_why(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    scene.model.add(Provenance.RECORDED, [measured("gpu.tiled", 256, 0.1), measured("gpu.naive", 256, 0.2)])
    scene.model.add(Provenance.MEASURED, [measured("cpu.naive", 256, 9.0), measured("cpu.simd", 256, 1.0)])

    def shown() -> set[str]:
        return {series.key.variant_id for series in panel.chart.content.series}

    qtbot.waitUntil(lambda: {"gpu.tiled", "gpu.naive"} <= shown())
    assert panel.standing_in.isVisible()
    assert panel.standing_in.text().startswith("Not ticked: 2 curves, recorded elsewhere.")
    for hidden, says in ((True, "Show them"), (False, "Hide them")):
        qtbot.mouseClick(panel.hide_unticked, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda hidden=hidden: (shown() <= scene.session.timing.value.ticked) == hidden)  # type: ignore[misc]
        assert panel.standing_in.text().startswith("Hidden: " if hidden else "Not ticked: ")
        assert (panel.hide_unticked.text(), panel.hide_unticked.isVisible()) == (says, True)
    scene.session.tick(by_id("gpu.tiled"), ticked=True)
    qtbot.waitUntil(lambda: "gpu.naive" not in shown())
    assert not panel.hide_unticked.isVisible()
    assert shown() <= scene.session.timing.value.ticked
    assert not panel.standing_in.isVisible()
    scene.session.tick(by_id("gpu.tiled"), ticked=False)
    scene.model.shown.value = frozenset((Provenance.MEASURED,))
    qtbot.waitUntil(lambda: "gpu.tiled" not in shown())
    assert shown() <= scene.session.timing.value.ticked
    assert not panel.standing_in.isVisible()


def test_many_results_are_drawn_in_few_pictures(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[int] = []
    chart = scene.workspace.panel.chart
    show = chart.show_content

    def counted(content: ChartContent) -> None:
        pictures.append(1)
        show(content)

    monkeypatch.setattr(chart, "show_content", counted)
    for n in range(1, 101):
        scene.model.add(Provenance.MEASURED, [measured("cpu.naive", n, float(n))])
    qtbot.waitUntil(lambda: bool(chart.content.series) and len(chart.content.series[0].points) == 100)
    assert len(pictures) <= 3


def test_progress_shows_phase_point_counts_and_time_left(scene: Scene) -> None:
    progress = scene.workspace.side.progress
    assert progress.isHidden()
    scene.model.progress.value = running(7)
    assert progress.chip.text() == "measuring"
    assert progress.point.text() == "Blocked, tile 64, n = 512"
    assert (progress.counts.text(), progress.refused.text(), progress.left.text()) == (
        "7 of 16 points",
        "1 not possible",
        "about 41 s left",
    )


def test_cancel_is_asked_once_and_seen_until_it_is_done(scene: Scene, qtbot: QtBot) -> None:
    progress = scene.workspace.side.progress
    scene.model.progress.value = running(7)
    QTest.mouseClick(progress.cancel, Qt.MouseButton.LeftButton)
    assert scene.actions.asked == ["cancel"]
    scene.model.progress.value = running(7, JobState.CANCELLING)
    assert progress.chip.text() == "cancelling"
    assert not progress.cancel.isEnabled()
    scene.model.progress.value = running(7, JobState.CANCELLED)
    assert progress.counts.text() == "Cancelled. 7 of 16 points are kept."
    assert progress.cancel.isHidden()


def test_the_running_point_is_a_ring_with_its_runs(scene: Scene, qtbot: QtBot) -> None:
    chart = scene.workspace.panel.chart
    scene.model.progress.value = running(7, samples=3)
    qtbot.waitUntil(lambda: bool(chart.content.running))
    (point,) = chart.content.running
    assert (point.x, str(point.label)) == (512, "Blocked")
    rings = {theme(name).now.name() for name in ("light", "dark")}
    picture = chart.grab().toImage()
    assert rings & {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("256:x", "is not a range such as"), ("0", "must be at least 1"), ("abc", "is not a whole number"), ("", "is not a whole number"),
        ("128, 8192", "8192 × 8192 needs"),
    ],
)  # fmt: skip
def test_a_bad_list_of_sizes_says_why_and_keeps_the_last_good_one(scene: Scene, text: str, reason: str) -> None:
    sizes = scene.workspace.side.inputs.sizes
    typed(sizes.edit, "64:256:x2")
    assert scene.session.timing.value.sizes == (64, 128, 256)
    assert sizes.reason.isHidden()
    typed(sizes.edit, text)
    assert reason in sizes.reason.text()
    assert not sizes.reason.isHidden()
    assert scene.session.timing.value.sizes == (64, 128, 256)
    QTest.keyClick(sizes.edit, Qt.Key.Key_Escape)
    assert sizes.reason.isHidden()
    assert sizes.edit.text() == "64, 128, 256"


def test_a_refused_list_says_why_until_its_field_is_entered_again(scene: Scene) -> None:
    """Its reason went, and the button below it moved, as soon as a mouse was pressed on that; a menu took the text away."""
    inputs = scene.workspace.side.inputs
    sizes = inputs.sizes
    typed(sizes.edit, "64, 96, l28")
    sizes.eventFilter(sizes.edit, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    assert sizes.edit.text() == "64, 96, l28"
    before = list(scene.session.timing.value.sizes)
    sizes.eventFilter(sizes.edit, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.MouseFocusReason))
    assert sizes.edit.text() == ", ".join(map(str, before))
    assert "is not a whole number" in sizes.reason.text()
    assert not sizes.reason.isHidden()
    sizes.eventFilter(sizes.edit, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    assert sizes.reason.isHidden()


def test_settings_follow_the_sizes_and_come_before_measuring(scene: Scene) -> None:
    inputs = scene.workspace.side.inputs
    chain, at = list[QWidget](), inputs.sizes.edit.nextInFocusChain()
    while at is not None and at is not inputs.sizes.edit:
        chain.append(at)
        at = at.nextInFocusChain()
    fields = [edit for field in inputs._fields.values() for edit in field.findChildren(QLineEdit)]
    assert fields
    assert all(chain.index(field) < chain.index(inputs.measure) for field in fields)


def typed(edit: QLineEdit, text: str) -> None:
    """Replace the field's text at once, as pasting does."""
    edit.selectAll()
    QApplication.clipboard().setText(text)
    if text:
        edit.paste()
    else:
        QTest.keyClick(edit, Qt.Key.Key_Delete)


def test_a_bad_tile_says_why_beside_its_field(scene: Scene) -> None:
    field = scene.workspace.side.inputs.field(by_id("cpu.blocked"), "tile")
    assert isinstance(field, NumberField)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "0")
    assert "tile must be at least 1" in field._reason.text()
    assert scene.session.timing.value.parameters["cpu.blocked"]["tile"] == 64
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "32")
    assert scene.session.timing.value.parameters["cpu.blocked"]["tile"] == 32


def test_several_tiles_in_the_field_of_one_say_where_several_can_be_had_until_it_is_entered_again_or_measured(
    scene: Scene, qtbot: QtBot
) -> None:
    inputs = scene.workspace.side.inputs
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"cpu.blocked"}))
    field = inputs.field(by_id("cpu.blocked"), "tile")
    assert isinstance(field, NumberField)
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "16, 64")
    where = "✕ One value here. For several, choose “over Tile size” above the chart."
    assert field._reason.text() == where
    QTest.keyClick(field.edit, Qt.Key.Key_Tab)
    assert field.edit.text() == "64", "what holds"
    assert scene.session.timing.value.parameters["cpu.blocked"]["tile"] == 64
    scene.session.timing.value = replace(scene.session.timing.value, sizes=(256,))
    assert (field._reason.text(), field._reason.isVisible()) == (where, True)
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    assert field._reason.isHidden()
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "16, 64")
    QTest.keyClick(field.edit, Qt.Key.Key_Tab)
    assert field._reason.isVisible()
    scene.model.progress.value = running(0)
    assert field._reason.isHidden(), "measuring begins with the value that holds"


def test_fields_follow_what_is_ticked_and_the_axis(scene: Scene) -> None:
    inputs = scene.workspace.side.inputs
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"gpu.tiled"}))
    assert list(inputs._fields) == [("gpu.tiled", "tile")]
    scene.session.timing.value = replace(scene.session.timing.value, axis="tile")
    assert inputs._fields == {}
    assert not inputs.values.isHidden()
    inputs.values._edited("8, 100")
    assert "must be at most 64" in inputs.values.reason.text()
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset())
    assert not inputs.measure.isEnabled()


def test_along_a_parameter_the_one_size_that_is_measured_is_said_beside_the_sizes(scene: Scene) -> None:
    inputs, timing = scene.workspace.side.inputs, scene.session.timing
    timing.value = replace(timing.value, ticked=frozenset({"cpu.blocked"}), sizes=(256, 512))
    assert inputs.one_size.isHidden(), "along n all are measured"
    timing.value = replace(timing.value, axis="tile", swept={"tile": (16, 64)})
    assert inputs.one_size.isVisible()
    assert inputs.one_size.text() == "Along a parameter only the largest n is measured: 512."
    assert {point.problem.n for point in points_of(timing.value)} == {512}
    timing.value = replace(timing.value, sizes=(256,))
    assert inputs.one_size.isHidden(), "there is nothing else that one could expect"


def test_the_progress_of_a_point_alone_draws_no_chart(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def content(*given: object) -> ChartContent:
        drawn.append(given)
        return ChartContent()

    monkeypatch.setattr("app.qt.timing.charts_panel.content_of", content)
    scene.model.progress.value = running(7)
    qtbot.waitUntil(lambda: bool(drawn))
    qtbot.wait(3 * INTERVAL_MS)
    before = len(drawn)
    for samples in range(1, 6):
        scene.model.progress.value = running(7, samples=samples)
        qtbot.wait(INTERVAL_MS)
    qtbot.wait(2 * INTERVAL_MS)
    assert len(drawn) == before


def test_over_tiles_the_charts_change_places(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", n, 10.0) for n in (512, 1024)])
    scene.session.timing.value = replace(scene.session.timing.value, axis="tile")
    qtbot.waitUntil(lambda: panel.chart.content.axis == "tile" and panel.small_chart.content.quantity is Quantity.TIME)
    assert panel.small_chart.content.axis == SIZE_AXIS


def test_the_table_gives_numbers_or_the_reason(scene: Scene, qtbot: QtBot) -> None:
    reason = message("{x} × {y} = {threads} threads a block; this GPU allows {limit}.", x=64, y=64, threads=4096, limit=1024)
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"cpu.blocked", "gpu.tiled"}))
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 10.0), refused("gpu.tiled", 512, reason)])
    table, points = scene.workspace.side.table, scene.workspace.side.points
    qtbot.waitUntil(lambda: points.rowCount() == 2)
    assert points.index(0, VARIANT).data() == "✕ Shared-memory tiled, tile 16"
    assert points.index(0, REASON).data() == "64 × 64 = 4096 threads a block; this GPU allows 1024."
    assert table.columnSpan(0, REASON) == 3
    assert [points.index(1, column).data() for column in range(5)] == ["Blocked, tile 64", "512", "10.0", "26.8", "3.0e-7 ✓"]
    assert table.columnSpan(1, TIME) == 1
    assert table.rowHeight(0) > table.rowHeight(1)


def test_a_long_name_takes_a_second_line_rather_than_being_cut(scene: Scene, qtbot: QtBot) -> None:
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"cpu.parallel", "cpu.naive"}))
    scene.model.add(Provenance.MEASURED, [measured("cpu.parallel", 512, 10.0, schedule=2), measured("cpu.naive", 512, 20.0, created=EARLY)])
    table, points = scene.workspace.side.table, scene.workspace.side.points
    table.setFixedWidth(360)
    qtbot.waitUntil(lambda: points.rowCount() == 2)
    named = {points.index(row, VARIANT).data(): table.rowHeight(row) for row in range(2)}
    lines = {name.partition(",")[0]: height for name, height in named.items()}
    assert lines["Multi-threaded"] > lines["Naive"], named


def test_shares_are_of_the_library_at_the_largest_n(scene: Scene, qtbot: QtBot) -> None:
    shares = scene.workspace.side.shares
    assert shares.isHidden()
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 10.0), measured("cpu.numpy", 512, 2.0)])
    qtbot.waitUntil(lambda: not shares.isHidden())
    assert shares.bars.accessibleDescription() == "NumPy = 100 %, n = 512, measured here\nBlocked 20 %"


def test_of_transpositions_shares_are_of_the_copy_and_no_library_is_spoken_of(scene: Scene, qtbot: QtBot) -> None:
    shares, timing = scene.workspace.side.shares, scene.session.timing
    ticked = frozenset({"gpu.transpose-shared", "gpu.transpose-copy"})
    timing.value = replace(timing.value, operation=Operation.TRANSPOSE, ticked=ticked)
    scene.model.add(Provenance.MEASURED, [measured("gpu.transpose-shared", 512, 2.0), measured("gpu.transpose-copy", 512, 1.0)])
    qtbot.waitUntil(lambda: not shares.isHidden())
    assert shares.about.text().startswith("The copy turns nothing")
    assert shares.bars.accessibleName() == "Share of the copy"


def test_nothing_is_faster_than_a_library_that_was_disturbed(scene: Scene, qtbot: QtBot) -> None:
    scene.session.timing.value = replace(scene.session.timing.value, sizes=(512,))
    slow = disturbed(measured("cpu.numpy", 512, 7.0))
    scene.model.add(Provenance.MEASURED, (measured("cpu.blocked", 512, 1.0), measured("cpu.simd", 512, 14.0), slow))
    bars = scene.workspace.side.shares.bars
    qtbot.waitUntil(lambda: "Blocked ?" in bars.accessibleDescription().splitlines(), timeout=5_000)
    assert "700" not in bars.accessibleDescription()
    assert bars.full == 100.0
    unsaid = scene.workspace.side.shares.unsaid
    assert not unsaid.isHidden()
    assert "which says nothing" in unsaid.text()
    scene.model.add(Provenance.MEASURED, (measured("cpu.numpy", 512, 1.0, created=LATE),))
    qtbot.waitUntil(lambda: unsaid.isHidden(), timeout=5_000)


def test_a_share_from_a_disturbed_time_is_about_so_much_and_says_why(scene: Scene, qtbot: QtBot) -> None:
    shares, table = scene.workspace.side.shares, scene.workspace.side.points
    scene.model.quantity.value = Quantity.PERCENT
    scene.model.add(Provenance.MEASURED, (measured("cpu.blocked", 512, 5.0), disturbed(measured("cpu.numpy", 512, 1.0))))
    qtbot.waitUntil(lambda: not shares.isHidden() and table.rowCount() == 2)
    library = "NumPy = 100 %, disturbed or scatters; n = 512, measured here"
    assert shares.bars.accessibleDescription() == f"{library}\nBlocked ≈ 20 %"
    assert shares.bars.toolTip() == "≈: from a time that was disturbed or scatters"
    cells = {table.variant_at(row): table.index(row, QUANTITY) for row in range(2)}
    told = cells["cpu.blocked"].data(), cells["cpu.blocked"].data(Qt.ItemDataRole.ToolTipRole)
    assert told == ("≈ 20.0", shares.bars.toolTip())
    scene.model.quantity.value = Quantity.RATE
    qtbot.waitUntil(lambda: cells["cpu.numpy"].data() != "≈ 100")
    assert [cells[name].data().startswith("≈ ") for name in ("cpu.blocked", "cpu.numpy")] == [False, True]
    scene.model.quantity.value = Quantity.PERCENT
    scene.workspace.panel.chart._set_crosshair(512)
    assert "≈ 20 %" in scene.workspace.panel.chart.accessibleDescription()
    assert shares.bars.toolTip() in scene.workspace.panel.chart.accessibleDescription()


def test_100_percent_is_one_length_in_all_groups_and_what_is_beyond_the_scale_ends_in_a_point(scene: Scene, qtbot: QtBot) -> None:
    bars, timing = scene.workspace.side.shares.bars, scene.session.timing
    timing.value = replace(timing.value, ticked=timing.value.ticked | {"gpu.tiled"})
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 2.0), measured("cpu.numpy", 512, 2.0)])
    scene.model.add(Provenance.MEASURED, [measured("gpu.tiled", 512, 1.0), measured("gpu.cublas", 512, 2.0)])
    qtbot.waitUntil(lambda: len(list(bars.rows())) == 4 and bars.height() == bars.sizeHint().height())
    cpu, gpu = _filled(bars, "cpu.blocked"), _filled(bars, "gpu.tiled")
    assert bars.full == 200.0
    assert abs(gpu - 2 * cpu) <= 2
    scene.model.add(Provenance.MEASURED, [measured("cpu.naive", 512, 0.01)])
    qtbot.waitUntil(lambda: len(list(bars.rows())) == 5 and bars.height() == bars.sizeHint().height())
    assert bars.full == 300.0, "the others keep a length"
    assert 0 < _filled(bars, "cpu.naive", 4) < _filled(bars, "cpu.naive") - 3


def _filled(bars: PercentBars, variant_id: str, above: int = 0) -> int:
    """How many pixels a bar fills, along its middle or `above` it."""
    place = next(place for _, share, place in bars.rows() if share is not None and share.key.variant_id == variant_id)
    colour, image = line_style(bars._look.theme, by_id(variant_id), Provenance.MEASURED).colour, bars.grab().toImage()
    y = round(place.center().y()) - above
    return sum(image.pixelColor(x, y) == colour for x in range(image.width() // 3, image.width()))


def test_sentences_follow_the_results(scene: Scene, qtbot: QtBot) -> None:
    box = scene.workspace.panel.insights
    scene.model.add(Provenance.MEASURED, [measured("cpu.loop-order", 512, 5.0), measured("cpu.blocked", 512, 10.0)])
    qtbot.waitUntil(lambda: any("2.0 times as fast as" in each.text() for each in box.findChildren(QLabel) if not each.isHidden()))


def test_what_is_not_shown_makes_no_sentence_and_no_share(scene: Scene, qtbot: QtBot) -> None:
    def told() -> tuple[set[Provenance], set[Provenance]]:
        return {each.provenance for each in scene.model.insights.value}, {each.provenance for each in scene.model.shares.value}

    timing = scene.session.timing
    timing.value = replace(timing.value, ticked=frozenset({"cpu.naive", "cpu.blocked", "gpu.tiled", "gpu.cublas"}))
    scene.model.add(Provenance.MEASURED, [measured("cpu.naive", 512, 50.0), measured("cpu.blocked", 512, 10.0)])
    scene.model.add(Provenance.RECORDED, [measured("gpu.tiled", 512, 0.2), measured("gpu.cublas", 512, 0.1)])
    both = {Provenance.MEASURED, Provenance.RECORDED}
    qtbot.waitUntil(lambda: told() == (both, {Provenance.RECORDED}))
    scene.model.shown.value = frozenset((Provenance.MEASURED,))
    qtbot.waitUntil(lambda: told() == ({Provenance.MEASURED}, set()))
    assert scene.workspace.side.shares.isHidden()
    scene.model.shown.value = frozenset(both)
    qtbot.waitUntil(lambda: told() == (both, {Provenance.RECORDED}))


def test_times_of_two_machines_at_one_n_make_no_sentence_and_the_box_does_not_promise_one(scene: Scene) -> None:
    times = [measured("cpu.numpy", 1024, 2.0, machine="Xeon"), measured("gpu.cublas", 1024, 0.01, machine="H200")]
    scene.model.add(Provenance.RECORDED, times)
    assert insights(scene.model.results, scene.session.timing.value) == ()
    said = [each.text() for each in scene.workspace.panel.insights.findChildren(QLabel)]
    assert any(text.endswith("at the same n on one machine.") for text in said)


def test_no_line_of_a_sentence_ends_within_a_unit_or_before_a_percent_sign(scene: Scene) -> None:
    box, starts = scene.workspace.panel.insights, list[str]()
    box.show_insights((Insight(message("It reaches 2.9 % of the speed: 33.4 GFLOP/s."), Provenance.MEASURED, "one"),))
    said = next(each for each in box.findChildren(QLabel) if each.text().startswith("It reaches"))
    layout = QTextLayout(said.text(), said.font())
    for width in range(40, 200, 3):
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            starts.append(said.text()[line.textStart() :])
        layout.endLayout()
    assert "It reaches" in starts[0]
    assert not [each for each in starts if each.startswith(("%", "s."))]


def test_a_sentence_is_copied_without_signs_that_are_not_seen(scene: Scene) -> None:
    box = scene.workspace.panel.insights
    box.show_insights((Insight(message("At n = {n} it reaches 33.4 GFLOP/s.", n=16_384), Provenance.MEASURED, "one"),))
    said = next(each for each in box.findChildren(QLabel) if each.text().startswith("At n"))
    QApplication.processEvents()  # it is laid out, and can take the focus
    said.setSelection(0, len(said.text()))
    said.setFocus()
    QTest.keySequence(said, QKeySequence.StandardKey.Copy)
    assert QApplication.clipboard().text() == "At n = 16384 it reaches 33.4 GFLOP/s."


def test_sentences_that_stay_keep_their_labels(scene: Scene) -> None:
    box = scene.workspace.panel.insights

    def said(*sentences: str, machine: str = "one") -> list[QLabel]:
        box.show_insights(tuple(Insight(message(each), Provenance.MEASURED, machine) for each in sentences))
        return [each for each in box.findChildren(QLabel) if each in box._labels]

    first = said("a", "b", "c")
    again = said("a", "other")
    assert [each.text() for each in again] == ["measured here, one", "a", "other"]
    assert again == first[:3]
    assert [each.text() for each in said("a", "other", "d", machine="two")] == ["measured here, two", "a", "other", "d"]


def test_while_something_is_measured_sentences_come_seldom(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(scene.model, "ask_insights", asked.append)
    monkeypatch.setattr(scene.model, "ask_shares", asked.append)
    qtbot.wait(2 * ASKED_MS + 200)
    asked.clear()
    scene.model.under_way.value = (None,)
    scene.model.add(Provenance.MEASURED, [measured("cpu.loop-order", 512, 5.0)])
    qtbot.wait(2 * ASKED_MS + 200)
    assert not asked
    scene.model.under_way.value = ()
    scene.model.revision.value += 1
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=1500)


def test_export_asks_for_a_file_and_shows_why_it_could_not_be(scene: Scene, qtbot: QtBot) -> None:
    side = scene.workspace.side
    assert not side.exports["csv"].isEnabled()
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 10.0)])
    qtbot.waitUntil(side.exports["csv"].isEnabled)
    scene.actions.refusal = message("The disk is full.")
    QTest.mouseClick(side.exports["csv"], Qt.MouseButton.LeftButton)
    assert scene.actions.asked == [Path("points.csv")]
    assert "The disk is full." in side.export_reason.text()
    scene.path[0] = None
    QTest.mouseClick(side.exports["json"], Qt.MouseButton.LeftButton)
    assert scene.actions.asked == [Path("points.csv")]


def test_quantity_axes_and_provenance_are_chosen_in_the_header(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 10.0)])
    QTest.keyClick(panel.header.quantity, Qt.Key.Key_Down)
    QTest.keyClick(panel.header.scales, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: panel.chart.content.quantity is Quantity.TIME and not panel.chart.content.log_x)
    scene.model.shown.value = frozenset()
    qtbot.waitUntil(lambda: panel.chart.content.series == ())


def test_nothing_is_clipped_in_the_smallest_window(scene: Scene, qtbot: QtBot) -> None:
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 512, 10.0), measured("cpu.numpy", 512, 2.0)])
    scene.model.progress.value = running(7, samples=3)
    scene.workspace.resize(1060, 540)
    qtbot.wait(150)
    side = scene.workspace.side
    inner = side.widget()
    assert inner is not None
    assert inner.width() <= side.viewport().width()
    assert inner.minimumSizeHint().width() <= side.viewport().width()


def test_the_button_covers_nothing_of_the_chart(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    scene.model.add(Provenance.RECORDED, [measured("gpu.tiled", n, n / 1000) for n in (128, 1024)])
    scene.model.add(Provenance.PUBLISHED, [measured("cpu.blocked", n, n * 1000) for n in (128, 1024)])
    scene.model.shown.value = frozenset(Provenance)
    qtbot.waitUntil(lambda: len(panel.chart.content.series) == 2)
    assert panel.measure.isVisible()
    assert not panel.chart.geometry().intersects(panel.measure.geometry())


def test_before_anything_was_measured_one_button_measures_six_rungs(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    assert panel.measure.text() == "Measure six rungs here, about 20 s"
    assert panel.notice.text().count("; ") == 5, "names have commas themselves"
    QTest.mouseClick(panel.measure, Qt.MouseButton.LeftButton)
    assert scene.actions.asked == ["measure"]
    assert len(scene.session.timing.value.ticked) == 6
    scene.model.add(Provenance.MEASURED, [measured("cpu.numpy", 128, 10.0)])
    qtbot.waitUntil(panel.measure.isHidden)


def test_tab_comes_to_the_buttons_above_the_points_before_it_comes_to_the_points(scene: Scene) -> None:
    side = scene.workspace.side
    side.add_button("download", Command(message("Lab report"), (), lambda: None))
    QApplication.processEvents()
    stops = stops_of(side)
    report = next(each for each in stops if isinstance(each, QPushButton) and each.text() == "Lab report")
    assert stops.index(report) < stops.index(side.table)


def test_what_cannot_run_here_is_said_once_with_its_remedy(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    reason = message("No NVIDIA GPU found.")
    remedy = message("Install its driver.")
    panel._devices.value = {Device.GPU: DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", reason, remedy)}
    assert panel.missing.isHidden()
    scene.session.tick(by_id("gpu.tiled"), ticked=True)
    scene.model.add(Provenance.MEASURED, [refused("gpu.tiled", n, reason) for n in (128, 256, 512)])
    qtbot.waitUntil(lambda: panel.missing.text() == "GPU variants are not measured here: No NVIDIA GPU found. Install its driver.")
    assert panel.chart.overlay.crosses() == {}
    panel._devices.value = {Device.GPU: DeviceStatus(Device.GPU, Availability.READY, "Toy GPU")}
    qtbot.waitUntil(panel.missing.isHidden)
    assert set(panel.chart.overlay.crosses()) == {128, 256, 512}


def test_the_small_chart_shows_what_there_is_to_see_or_leaves_its_room(scene: Scene, qtbot: QtBot) -> None:
    panel = scene.workspace.panel
    small, room = panel.small_chart, panel._foot.height
    qtbot.waitUntil(panel._small.isHidden)
    without = room()
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"cpu.naive", "cpu.blocked", "cpu.numpy"}))
    for name, ms in (("cpu.naive", 10.0), ("cpu.blocked", 4.0)):
        scene.model.add(Provenance.MEASURED, [measured(name, n, ms) for n in (256, 512)])
    qtbot.waitUntil(lambda: small.content.quantity is Quantity.SPEED_UP)
    assert room() > without
    assert panel._small_title.text() == "Speed-up versus n"
    scene.model.add(Provenance.MEASURED, [measured("cpu.numpy", n, 1.0) for n in (256, 512)])
    scene.model.quantity.value = Quantity.SPEED_UP
    qtbot.waitUntil(lambda: small.content.quantity is Quantity.PERCENT)
    scene.model.add(Provenance.MEASURED, [measured("cpu.blocked", 1024, 10.0, tile=tile) for tile in (8, 16)])
    qtbot.waitUntil(lambda: small.content.axis == "tile")
    assert panel._small_title.text() == "Time versus Tile size, n = 1024"
    scene.model.quantity.value = Quantity.RATE
    scene.session.timing.value = replace(scene.session.timing.value, ticked=frozenset({"cpu.numpy"}))
    qtbot.waitUntil(panel._small.isHidden)  # a library reaches 100 % of itself: nothing to see


def move_over(part: QWidget, where: QPointF) -> None:
    """Move the mouse within a part, wherever the pointer of the system is."""
    buttons = Qt.MouseButton.NoButton
    moved = QMouseEvent(QEvent.Type.MouseMove, where, part.mapToGlobal(where), buttons, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(part, moved)


def test_who_points_at_a_bar_or_a_key_asks_for_its_curves(scene: Scene, qtbot: QtBot) -> None:
    panel, bars = scene.workspace.panel, scene.workspace.side.shares.bars
    scene.model.add(Provenance.MEASURED, [measured(name, 512, 10.0) for name in ("cpu.naive", "cpu.blocked", "cpu.numpy")])
    scene.model.add(Provenance.RECORDED, [measured("cpu.naive", 512, 9.0, machine="Other")])
    qtbot.waitUntil(lambda: len(panel.chart.content.series) == 4 and len(list(bars.rows())) == 3)
    row = next(place for _, share, place in bars.rows() if share is not None and share.key.variant_id == "cpu.blocked")
    move_over(bars, row.center())
    qtbot.waitUntil(lambda: {key.variant_id for key in panel.chart.emphasis} == {"cpu.blocked"})
    QApplication.sendEvent(bars, QEvent(QEvent.Type.Leave))
    assert panel.chart.emphasis == frozenset()
    table = scene.workspace.side.table
    qtbot.waitUntil(lambda: table.model().rowCount() == 3)
    move_over(table.viewport(), QPointF(table.visualRect(table.model().index(1, 0)).center()))
    asked = scene.workspace.side.points.variant_at(1)
    qtbot.waitUntil(lambda: asked != "" and {key.variant_id for key in panel.chart.emphasis} == {asked})
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert panel.chart.emphasis == frozenset()
    panel.header._keys[Provenance.RECORDED].setFocus(Qt.FocusReason.TabFocusReason)
    assert [key.provenance for key in panel.chart.emphasis] == [Provenance.RECORDED]
    panel.header._keys[Provenance.RECORDED].clearFocus()
    assert panel.chart.emphasis == frozenset()
