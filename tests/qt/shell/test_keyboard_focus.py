"""The whole window without a mouse: Tab goes round all that can be used, in order, and each has a name and a ring that can be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.job_queues import JobState
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.results.measuring import Progress, QueueProgress
from app.core.session.session import Workspace
from app.core.state.last_session import Ended
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.cpu_view.timeline_overview import TimelineOverview
from app.qt.gpu_view.timeline_overview import GpuTimelineOverview
from app.qt.gpu_view.view import GpuView
from app.qt.inspector.panel import InspectorPanel
from app.qt.inspector.parameters import ParametersSection
from app.qt.inspector.section import Section
from app.qt.inspector.tile_row import TileRow
from app.qt.ladder.rung_button import RungButton
from app.qt.ladder.rung_list import LadderPanel
from app.qt.lessons.feature import LessonsFeature
from app.qt.shell.application import Desktop
from app.qt.shell.command_bar import CommandBar
from app.qt.shell.stage_workspace import StageWorkspace
from app.qt.source.panel import SourcePanel
from app.qt.source.program_card import ProgramCard
from app.qt.stage.panel import StagePanel
from app.qt.stage.timeline_bar import TimelineBar
from app.qt.timing.side_panel import TimingSide
from app.qt.widgets.stops import stops_of
from kernels.base.spec import Device
from kernels.catalogue import catalogue
from tests.launches.whole_programs import TWO_LAUNCHES
from tests.qt.open_window import while_open
from tests.screens.features import feature
from tests.unit.core.state.test_state import tiled

T = TypeVar("T", bound=QWidget)
PANES = (CommandBar, LadderPanel, SourcePanel, StagePanel, InspectorPanel, TimelineBar)
"""The inspector lies within the stage: the last that holds a stop is its pane."""
RING_PIXELS = 40
"""A ring of two pixels round the smallest control has twice as many; a text cursor has fewer."""
CONTRAST = 3.0


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", None, (1920, 1080)), None, Settings(None)), qtbot, active=True)


def part(desktop: Desktop, kind: type[T]) -> T:
    """The only widget of a kind; those of the look before may not be deleted yet."""
    central = desktop.window.centralWidget()
    found = central.findChild(kind) if central is not None else None
    assert found is not None
    return found


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def show(desktop: Desktop, qtbot: QtBot, variant_id: str, alone: int = 0) -> None:
    variant = catalogue.by_id(variant_id)
    desktop.session.choose_variant(variant)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    desktop.window.show_view(alone)
    desktop.process_events()


def walk(desktop: Desktop, at: Callable[[QWidget], object] = lambda _stop: None) -> list[QWidget]:
    """All that Tab comes to, until it comes round. `at` is called at each stop while it has the focus, and leaves it there."""
    stops: list[QWidget] = []
    stops_of(part(desktop, CommandBar))[0].setFocus()
    while (stop := focused()) not in stops and len(stops) < 200:
        stops.append(stop)
        at(stop)
        QTest.keyClick(stop, Qt.Key.Key_Tab)
    assert stop is stops[0], f"from {stops[-1]} Tab leads back to {stop}"
    return stops


def pixels(picture: QImage) -> npt.NDArray[np.uint8]:
    """Rows of pixels, each of which is blue, green, red."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.width(), 4)[..., :3].copy()


def luminance(colours: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    parts = colours / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen: npt.NDArray[np.float64] = linear @ np.array([0.0722, 0.7152, 0.2126])
    return seen


def ring(widget: QWidget, edge: int = 1 << 16) -> int:
    """How many pixels the focus, which it has, changes so much that it can be seen; of those no farther than `edge` from the sides."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).intersected(window.rect())
    with_focus = pixels(window.grab(place).toImage())
    widget.clearFocus()
    without = pixels(window.grab(place).toImage())
    widget.setFocus()
    height, width = with_focus.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    apart = np.minimum(np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns))
    changed = (with_focus != without).any(axis=2) & (apart < edge)
    pairs = luminance(with_focus[changed]), luminance(without[changed])
    return int(((np.maximum(*pairs) + 0.05) / (np.minimum(*pairs) + 0.05) >= CONTRAST).sum())


def name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("variant", "alone"), [("cpu.blocked", 0), ("gpu.tiled", 0), ("gpu.tiled", 3), ("gpu.hello", 0)])
def test_all_that_tab_comes_to_has_a_name_and_a_ring(desktop: Desktop, qtbot: QtBot, variant: str, alone: int, theme: str) -> None:
    desktop.choose_theme(theme)
    show(desktop, qtbot, variant, alone)
    rings: list[tuple[str, int]] = []
    stops = walk(desktop, lambda stop: rings.append((f"{type(stop).__name__} {name(stop)!r}", ring(stop))))
    assert [f"{type(stop).__name__} in {type(stop.parent()).__name__}" for stop in stops if not name(stop)] == []
    assert [found for found in rings if found[1] < RING_PIXELS] == []


def test_all_buttons_beside_an_edited_text_have_a_ring(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    source = part(desktop, SourcePanel)
    source.edit_copy()
    qtbot.waitUntil(lambda: source.form.isVisible() and desktop.workbench.stage_ready)
    rings: list[tuple[str, int]] = []
    for stop in stops_of(source):
        if isinstance(stop, QToolButton):
            stop.setFocus()
            rings.append((name(stop), ring(stop, edge=3)))
    assert "Launch" in [said for said, _ in rings]
    assert [found for found in rings if found[1] < RING_PIXELS] == []


def missed(desktop: Desktop, stops: list[QWidget]) -> list[QWidget]:
    """What can be used, and Tab does not come to."""
    tabbed = Qt.FocusPolicy.TabFocus
    return [
        each
        for each in desktop.window.findChildren(QWidget)
        if each.focusPolicy() & tabbed and each.isVisible() and each.isEnabled() and each not in stops
    ]


@pytest.mark.parametrize(("variant", "alone"), [("cpu.blocked", 0), ("gpu.tiled", 0), ("gpu.tiled", 3)])
def test_tab_comes_to_everything_pane_by_pane(desktop: Desktop, qtbot: QtBot, variant: str, alone: int) -> None:
    show(desktop, qtbot, variant, alone)
    stops = walk(desktop)
    order = [max(number for number, pane in enumerate(PANES) if part(desktop, pane).isAncestorOf(stop)) for stop in stops]
    assert order == sorted(order)
    assert set(order) == set(range(len(PANES)))
    assert missed(desktop, stops) == []
    views = [stop for stop in stops if isinstance(stop, GpuView)]
    assert len(views) == (0 if variant == "cpu.blocked" else 1 if alone else 4)
    settings = next(
        number for number, stop in enumerate(stops) if name(stop).startswith("Settings,") and part(desktop, StagePanel).isAncestorOf(stop)
    )
    assert all(settings < stops.index(view) for view in views), "the header is first"
    assert any(isinstance(stop, TimelineOverview if variant == "cpu.blocked" else GpuTimelineOverview) for stop in stops)


@pytest.mark.parametrize("variant", ["cpu.blocked", "gpu.tiled"])
def test_tab_comes_to_the_tile_while_the_settings_are_out_of_sight(desktop: Desktop, qtbot: QtBot, variant: str) -> None:
    show(desktop, qtbot, variant)
    QTest.keySequence(desktop.window, "I")
    stops = walk(desktop)
    assert missed(desktop, stops) == []
    before = [type(stop).__name__ for stop in stops[: next(at for at, stop in enumerate(stops) if isinstance(stop.parent(), TileRow))]]
    assert before[-1] == "SourceView"


def test_down_leads_from_the_field_to_the_rungs_that_were_found(desktop: Desktop) -> None:
    field = part(desktop, LadderPanel).filter
    field.setFocus()
    QTest.keyClicks(field, "packed")
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert name(focused()) == "11 Packed panels"
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_enter_leads_from_the_field_to_the_rung_that_was_found(desktop: Desktop) -> None:
    field, alone = part(desktop, LadderPanel).filter, desktop.workbench.stage.alone
    field.setFocus()
    QTest.keyClicks(field, "packed")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (name(focused()), field.text()) == ("11 Packed panels", "")
    assert desktop.session.stage.value.variant.id == "cpu.packed"
    QTest.keyClick(focused(), Qt.Key.Key_4)
    assert (alone.value, field.text()) == (4, ""), "a digit is a view's again"


def test_the_focus_stays_with_the_rungs_when_a_file_is_opened(desktop: Desktop, tmp_path: Path) -> None:
    ladder = part(desktop, LadderPanel)
    next(each for each in ladder.findChildren(RungButton) if name(each).endswith(" NumPy")).setFocus()
    (tmp_path / "mine.cu").write_text("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n", encoding="utf-8")
    assert desktop.session.draft_editor.open_file(tmp_path / "mine.cu") is None
    desktop.process_events()
    assert name(focused()) == "+ mine.cu"


def test_back_tab_goes_the_same_way_back(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    stops = walk(desktop)
    back = []
    for _ in stops:
        QTest.keyClick(focused(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        back.append(focused())
    assert back == stops[::-1]


def test_the_panes_follow_each_other(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    panes = [part(desktop, pane) for pane in PANES]
    visited = []
    walk(desktop)
    for _ in PANES:
        QTest.keySequence(desktop.window, "F6")
        visited.append(max(number for number, pane in enumerate(panes) if pane.isAncestorOf(focused())))
    assert visited == [1, 2, 3, 4, 5, 0]
    QTest.keySequence(desktop.window, "Shift+F6")
    assert panes[5].isAncestorOf(focused())


@pytest.mark.parametrize("variant", ["gpu.tiled", "cpu.blocked"])
def test_the_settings_begin_with_their_first_field_whatever_was_shown_before(desktop: Desktop, qtbot: QtBot, variant: str) -> None:
    show(desktop, qtbot, "gpu.naive")
    show(desktop, qtbot, variant)
    part(desktop, StagePanel).frames[0].view.setFocus()
    QTest.keySequence(desktop.window, "F6")
    inspector = part(desktop, InspectorPanel)
    assert part(desktop, ParametersSection).isAncestorOf(focused())
    stops = stops_of(inspector)
    assert stops == sorted(stops, key=lambda stop: (stop.mapTo(inspector, QPoint(0, 0)).y() // 24, stop.mapTo(inspector, QPoint(0, 0)).x()))


def test_the_focus_stays_on_the_stage_when_its_views_change(desktop: Desktop, qtbot: QtBot) -> None:
    stage = part(desktop, StagePanel)
    show(desktop, qtbot, "gpu.tiled")
    stage.frames[0].number.setFocus()
    stayed = focused()
    show(desktop, qtbot, "gpu.transpose-shared")
    assert focused() is stayed
    stage.frames[-1].view.setFocus()
    desktop.window.show_view(1)
    assert focused() is stage.frames[0].view
    show(desktop, qtbot, "cpu.blocked")
    assert any(frame.isAncestorOf(focused()) for frame in stage.frames), f"the focus went to {name(focused())!r}"


def test_the_panes_of_the_timing_workspace(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    walk(desktop)
    seen = []
    for _ in range(4):
        QTest.keySequence(desktop.window, "F6")
        seen.append(focused())
    assert len(set(seen)) == 4
    assert any(part(desktop, TimingSide).isAncestorOf(stop) for stop in seen)
    assert not any(isinstance(stop, GpuView) or isinstance(stop.parent(), ParametersSection) for stop in seen)


@pytest.mark.parametrize("variant", ["cpu.blocked", "gpu.tiled"])
def test_the_strip_with_the_focus_takes_arrows(desktop: Desktop, qtbot: QtBot, variant: str) -> None:
    show(desktop, qtbot, variant)
    timeline = desktop.workbench.stage.timeline
    timeline.scrub(10)
    strip = part(desktop, TimelineOverview if variant == "cpu.blocked" else GpuTimelineOverview)
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Right)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    QTest.keyClick(strip, Qt.Key.Key_Left)
    assert timeline.position.value.step == 11


def test_a_part_is_repeated_without_a_mouse(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    timeline = desktop.workbench.stage.timeline
    strip = part(desktop, GpuTimelineOverview)
    strip.setFocus()
    timeline.scrub(20)
    QTest.keyClick(strip, Qt.Key.Key_Return)
    timeline.scrub(30)
    QTest.keyClick(strip, Qt.Key.Key_Return)
    repeated = timeline.range.value
    assert timeline.loop.value
    QTest.keyClick(strip, Qt.Key.Key_Backspace)
    assert (repeated, timeline.range.value) == ((20, 30), None)


def test_settings_that_close_leave_the_focus_to_their_button(desktop: Desktop) -> None:
    stage = part(desktop, StageWorkspace)
    stage.settings.setChecked(True)
    stops_of(stage.inspector)[0].setFocus()
    stage.settings.click()
    assert focused() is stage.settings


def test_tab_brings_all_that_the_settings_say_to_sight(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    desktop.window.resize(1280, 720)
    part(desktop, StageWorkspace).settings.setChecked(True)
    desktop.process_events()
    inspector, seen = part(desktop, InspectorPanel), set()
    stops = stops_of(inspector)
    stops[0].setFocus()
    sections = [each for each in inspector.findChildren(Section) if each.isVisible()]
    for stop in stops:
        assert focused() is stop
        seen |= {
            each for each in sections if not each.visibleRegion().isEmpty() and each.visibleRegion().contains(each.rect().bottomLeft())
        }
        QTest.keyClick(stop, Qt.Key.Key_Tab)
    assert not inspector.isAncestorOf(focused())
    assert inspector.content.counters.table in stops
    assert [type(each).__name__ for each in sections if each not in seen] == []


def test_arrows_of_a_button_stay_in_their_pane(desktop: Desktop, qtbot: QtBot) -> None:
    show(desktop, qtbot, "gpu.tiled")
    for pane in (SourcePanel, StagePanel, TimelineBar):
        for stop in stops_of(part(desktop, pane)):
            if isinstance(stop, QAbstractButton) and stop.isVisible():
                for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                    stop.setFocus()
                    QTest.keyClick(stop, key)
                    assert part(desktop, pane).isAncestorOf(focused()), (name(stop), name(focused()))
    stops = stops_of(part(desktop, SourcePanel))
    stops[-1].setFocus()
    QTest.keyClick(stops[-1], Qt.Key.Key_Tab)
    assert not part(desktop, SourcePanel).isAncestorOf(focused()), "Tab goes on"


class Shown(QObject):
    """Notes every window that appears."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(repr(watched))
        return False


@pytest.mark.parametrize("variant", ["cpu.blocked", "gpu.tiled", "gpu.hello"])
def test_a_look_changes_without_a_window_flashing_up(desktop: Desktop, qtbot: QtBot, qapp: QApplication, variant: str) -> None:
    show(desktop, qtbot, variant)
    shown = Shown()
    qapp.installEventFilter(shown)
    desktop.choose_theme("dark")
    qapp.removeEventFilter(shown)
    assert shown.windows == []
    assert desktop.window.isActiveWindow()


def test_a_look_changes_while_something_is_measured_without_a_window_flashing_up(desktop: Desktop, qapp: QApplication) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    lane = QueueProgress(Device.CPU, 1, total=4, state=JobState.RUNNING, done=1)
    desktop.workbench.timing.progress.value = Progress((lane,))
    shown = Shown()
    qapp.installEventFilter(shown)
    desktop.choose_theme("dark")
    desktop.process_events()
    qapp.removeEventFilter(shown)
    assert shown.windows == []


@pytest.mark.parametrize("lesson", ["bank-conflicts", "cache-blocking"])
def test_a_lesson_opens_from_the_times_without_a_window_flashing_up(
    desktop: Desktop, qtbot: QtBot, qapp: QApplication, lesson: str
) -> None:
    opened = named(lesson)
    assert isinstance(opened, Lesson)
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    shown = Shown()
    qapp.installEventFilter(shown)
    feature(desktop, LessonsFeature).toggle()
    desktop.workbench.lesson_controller.player.open(opened)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready and not desktop.workbench.states.arrival.pending, timeout=20_000)
    desktop.process_events()
    qapp.removeEventFilter(shown)
    assert shown.windows == []


def test_a_program_and_what_is_offered_beside_it_flash_up_no_window(
    desktop: Desktop, qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    path, workbench = tmp_path / "own.cu", desktop.workbench
    path.write_text(TWO_LAUNCHES, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(path) is None
    qtbot.waitUntil(lambda: workbench.program.outcome.value is not None)
    workbench.last_session.offered.value = Ended(tiled(32))
    shown = Shown()
    qapp.installEventFilter(shown)
    desktop.choose_theme("dark")
    desktop.process_events()
    qapp.removeEventFilter(shown)
    assert shown.windows == []
    assert part(desktop, ProgramCard).isVisible()
    assert any(button.text() == "Go on there" and button.isVisible() for button in desktop.window.findChildren(QToolButton))


def test_the_stage_has_the_focus_after_the_timing_where_none_of_its_controls_had_it(desktop: Desktop) -> None:
    window = desktop.window
    rung = part(desktop, LadderPanel).shown_rung
    assert rung is not None
    rung.setFocus()
    desktop.choose_theme("dark")  # all is built anew
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    stops_of(part(desktop, TimingSide))[0].setFocus()
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is part(desktop, StagePanel)
    control = stops_of(part(desktop, SourcePanel))[0]
    control.setFocus()
    desktop.session.show_workspace(Workspace.TIMING)
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is control, "what had it there has it again"
