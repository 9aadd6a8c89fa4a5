"""The ladder with all of its rungs: what is in sight, what its groups say, and what ticks many at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import escape

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.results.quantities import Share
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.theme import theme
from app.qt.ladder.group_heading import GroupBox, GroupHeading
from app.qt.ladder.rung_button import RAIL, RungButton
from app.qt.ladder.rung_list import LadderPanel
from app.qt.shell.application import Desktop
from app.qt.shell.menus import Chosen
from app.qt.widgets.stops import stops_of
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.catalogue import VARIANTS, by_id, of
from tests.qt.open_window import while_open
from tests.screens.text_fits import painted_cut

WIDE, NARROW = (1920, 1080), (1280, 720)


@pytest.fixture(params=(WIDE, NARROW), ids=("wide", "narrow"))
def desktop(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.tiled", request.param), None, Settings(None)), qtbot)


def ladder(desktop: Desktop) -> LadderPanel:
    found = desktop.window.findChild(LadderPanel)
    assert found is not None
    return found


def ticks(desktop: Desktop) -> list[str]:
    return [variant.id for variant in of(Operation.MATMUL) if variant.id in desktop.session.timing.value.ticked]


def heading(desktop: Desktop, begins: str) -> GroupHeading:
    return next(each for each in ladder(desktop).findChildren(GroupHeading) if each.accessibleName().startswith(begins))


def press(desktop: Desktop, qtbot: QtBot, text: str) -> None:
    button = next(each for each in ladder(desktop).findChildren(QToolButton) if each.text() == text)
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("workspace", Workspace)
def test_the_rung_that_is_shown_is_in_sight_and_nothing_is_cut_off(desktop: Desktop, workspace: Workspace) -> None:
    desktop.session.show_workspace(workspace)
    panel = ladder(desktop)
    rungs = of(Operation.MATMUL)
    for variant in (rungs[-1], rungs[0], rungs[len(rungs) // 2]):
        desktop.session.choose_variant(variant)
        desktop.process_events()
        shown = [rung for rung in panel.findChildren(RungButton) if rung.isChecked()]
        assert [rung.text() for rung in shown] == [variant.title.template]
        assert is_in_sight(shown[0])
    parts = [*panel.findChildren(QCheckBox), *panel.findChildren(RungButton)]
    for part in (part for part in parts if part.isVisible()):
        left = part.mapTo(panel, part.rect().topLeft()).x()
        assert 0 <= left <= left + part.width() <= panel.width()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("variant", ["gpu.split-k", "gpu.async"])
def test_the_rung_that_a_window_begins_with_is_in_sight(qtbot: QtBot, size: tuple[int, int], variant: str) -> None:
    """Names take other lines once the bar that scrolls is there, in the same height together."""
    for desktop in while_open(Desktop(WindowArguments("en", "light", variant, size), None, Settings(None)), qtbot):
        shown = ladder(desktop).shown_rung
        assert shown is not None
        qtbot.waitUntil(partial(is_in_sight, shown))


def is_in_sight(part: QWidget) -> bool:
    return bool(part.visibleRegion().boundingRect() == part.rect())


def test_every_name_has_room_in_the_rail(qtbot: QtBot) -> None:
    for language in LANGUAGES:
        look = Look(theme("light"), Translator(language))
        for variant in VARIANTS:
            rung = RungButton(look, str(variant.rung), look.text(variant.title), (variant.id, ""), rail=True)
            qtbot.addWidget(rung)
            width = RAIL - 26  # a box, or the bar that scrolls
            lines = rung._lines(width - 28)
            assert "".join(lines).replace(" ", "") == look.text(variant.title).replace(" ", "")
            assert len(lines) * rung._metrics.height() <= rung.heightForWidth(width)
            assert all(rung._metrics.horizontalAdvance(line) <= width - 28 for line in lines), lines


def test_a_rung_with_a_share_that_is_about_so_much_says_why(qtbot: QtBot) -> None:
    rung = RungButton(Look(theme("light"), Translator("en")), "1", "Naive", ("cpu.naive", "Idea"), rail=False)
    qtbot.addWidget(rung)
    rung.explain("<p>More</p>")
    rung.show_share(Share(73.0, about=True))
    assert "≈: from a time that was disturbed or scatters" in rung.toolTip()
    rung.show_share(Share(73.0))
    assert "≈" not in rung.toolTip()
    assert "More" in rung.toolTip()


def test_a_copy_has_room_in_the_rail_for_its_number_and_the_name_of_its_file(qtbot: QtBot) -> None:
    look = Look(theme("light"), Translator("en"))
    rung = RungButton(look, "50a", "Copy of matmul_mma_swizzled_bf16.cu", ("", ""), rail=True)
    qtbot.addWidget(rung)
    width = RAIL - 26
    rung.resize(width, rung.heightForWidth(width))
    rung.setChecked(True)
    assert painted_cut(rung) == []
    assert len(rung._lines(width - 34)) > 2
    rung.show_title("averyveryverylongname.cu")
    assert rung._lines(width - 34)[0].endswith("…")
    assert painted_cut(rung) == []


def test_a_rung_says_what_it_adds_and_groups_come_in_the_order_of_the_ladder(desktop: Desktop) -> None:
    panel = ladder(desktop)
    numbers = {rung.mapTo(panel, rung.rect().topLeft()).y(): rung.accessibleName().split()[0] for rung in panel.findChildren(RungButton)}
    assert [numbers[y] for y in sorted(numbers)] == [str(variant.rung) for variant in of(Operation.MATMUL)]
    hints = {rung.toolTip() for rung in panel.findChildren(RungButton)}
    assert all(any(escape(variant.idea.template) in hint and variant.id in hint for hint in hints) for variant in of(Operation.MATMUL))


def test_all_none_and_a_group_are_ticked_by_one_press(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    press(desktop, qtbot, "None")
    assert ticks(desktop) == []
    box = heading(desktop, "GPU").box
    states = [box.checkState()]
    qtbot.keyClick(box, Qt.Key.Key_Space)
    states.append(box.checkState())
    assert ticks(desktop) == [variant.id for variant in of(Operation.MATMUL) if variant.device is Device.GPU]
    desktop.session.tick(of(Operation.MATMUL)[-1], ticked=False)
    states.append(box.checkState())
    qtbot.keyClick(box, Qt.Key.Key_Space)
    qtbot.keyClick(box, Qt.Key.Key_Space)
    states.append(box.checkState())
    assert states == [Qt.CheckState.Unchecked, Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked]
    press(desktop, qtbot, "All")
    ready = {device for device, status in desktop.workbench.devices.value.items() if status.ready}
    assert ticks(desktop) == [variant.id for variant in of(Operation.MATMUL) if variant.device in ready]


def test_boxes_of_groups_are_there_only_while_timing(desktop: Desktop) -> None:
    boxes = ladder(desktop).findChildren(GroupBox)
    assert len(boxes) == 3
    assert not any(box.isVisible() for box in boxes)
    desktop.session.show_workspace(Workspace.TIMING)
    assert all(box.isVisibleTo(ladder(desktop)) for box in boxes)


def test_a_group_says_that_its_device_is_not_there_and_why(desktop: Desktop) -> None:
    devices = desktop.workbench.devices
    absent = DeviceStatus(Device.MPI, Availability.NO_PACKAGE, "", reason=message("No <mpi4py> here."))
    devices.value = {**devices.value, Device.MPI: absent}
    group = heading(desktop, "MPI")
    assert group.accessibleName() == "MPI not installed"
    assert "No &lt;mpi4py&gt; here." in group.toolTip()
    devices.value = {**devices.value, Device.MPI: DeviceStatus(Device.MPI, Availability.READY, "MPICH", details={"cores": 1})}
    assert group.accessibleName() == "MPI ranks: 2, cores: 1"


def named(widget: QWidget | None) -> str:
    assert widget is not None
    return widget.accessibleName()


def test_the_rungs_are_one_stop_of_the_tab_key_and_arrows_go_through_them(desktop: Desktop, qtbot: QtBot) -> None:
    panel, step = ladder(desktop), desktop.workbench.stage.timeline.position.value
    assert [named(stop) for stop in stops_of(panel)] == ["Find a rung", "25 Shared-memory tiled"]
    stops_of(panel)[1].setFocus()
    seen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Up):
        qtbot.keyClick(QApplication.focusWidget(), key)
        seen.append(named(QApplication.focusWidget()).split()[0])
        assert stops_of(panel)[1:] == [QApplication.focusWidget()]
    last = str(of(Operation.MATMUL)[-1].rung)
    assert seen == ["26", last, last, "1", "1"]
    assert desktop.workbench.stage.timeline.position.value == step
    assert desktop.session.stage.value.variant.id == "gpu.tiled", "to look for one is not to choose it"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert desktop.session.stage.value.variant is of(Operation.MATMUL)[0]


def test_a_page_of_rungs_goes_with_the_focus_which_stays_in_sight(desktop: Desktop, qtbot: QtBot) -> None:
    panel, stage = ladder(desktop), desktop.workbench.stage.timeline.position.value
    stops_of(panel)[1].setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    rungs = [named(rung) for rung in panel.findChildren(RungButton) if rung.isVisible()]
    seen = [0]
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
        qtbot.keyClick(QApplication.focusWidget(), key)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert is_in_sight(focused)
        seen.append(rungs.index(named(focused)))
    assert seen[0] + 1 < seen[1] < seen[2]
    assert seen[3] < seen[2]
    assert desktop.workbench.stage.timeline.position.value == stage


def test_tab_comes_to_a_rung_that_is_in_sight_and_to_the_one_that_is_shown(desktop: Desktop) -> None:
    panel = ladder(desktop)
    panel.filter.setText("packed")
    assert [named(stop) for stop in stops_of(panel)] == ["Find a rung", "11 Packed panels"]
    panel.filter.clear()
    desktop.session.move_rung(1)
    assert [named(stop) for stop in stops_of(panel)] == ["Find a rung", "26 Tiled, B transposed"]


def test_what_no_rung_is_called_is_said_and_another_operation_has_all_its_rungs(desktop: Desktop) -> None:
    panel = ladder(desktop)
    said = next(each for each in panel.findChildren(QLabel) if each.text() == "No rung of this operation is called so.")
    assert said.isHidden()
    panel.filter.setText("bank conflict")
    assert said.isVisible()
    desktop.session.choose_operation(Operation.TRANSPOSE)
    assert (panel.filter.text(), said.isVisible()) == ("", False)
    assert panel.shown_rung is not None
    assert panel.shown_rung.isVisible()


def test_a_rung_that_is_chosen_elsewhere_is_in_the_list_and_escape_leaves_the_field(desktop: Desktop, qtbot: QtBot) -> None:
    panel, window = ladder(desktop), desktop.window
    panel.filter.setFocus()
    panel.filter.setText("naive")
    window._choose_rung(by_id("gpu.outer-product"))  # as the palette does
    assert panel.filter.text() == ""
    assert panel.shown_rung is not None
    assert panel.shown_rung.isVisible()
    now = QApplication.focusWidget()
    assert now is not None
    assert window._stage.stage.isAncestorOf(now), "letters are keys again, and go into no field"
    panel.filter.setFocus()
    panel.filter.setText("tiled")
    for text, focused in (("", panel.filter), ("", panel.shown_rung)):
        qtbot.keyClick(panel.filter, Qt.Key.Key_Escape)
        assert (panel.filter.text(), QApplication.focusWidget()) == (text, focused)


def test_what_clears_the_field_stands_within_its_frame(desktop: Desktop) -> None:
    field = ladder(desktop).filter
    field.setText("packed")
    clears = next(iter(field.findChildren(QToolButton)))
    assert (field.x(), field.geometry().right()) == (8, ladder(desktop).width() - 9)
    assert field.rect().adjusted(1, 1, -1, -1).contains(clears.geometry())


def test_tab_comes_from_the_field_to_the_rungs_whenever_their_boxes_and_the_edited_text_were_made(desktop: Desktop) -> None:
    def chain() -> list[QWidget]:
        found, widget = list[QWidget](), ladder(desktop).filter.nextInFocusChain()
        while widget is not None and widget is not ladder(desktop).filter:
            found.append(widget)
            widget = widget.nextInFocusChain()
        return [
            each for each in found if isinstance(each, QCheckBox | RungButton) and each.isVisible() and ladder(desktop).isAncestorOf(each)
        ]

    def by_place() -> list[QWidget]:
        boxes = [*ladder(desktop).findChildren(RungButton), *ladder(desktop).findChildren(QCheckBox)]
        shown = [each for each in boxes if each.isVisible()]
        return sorted(shown, key=lambda each: (each.mapTo(ladder(desktop), each.rect().center()).y(), each.x()))

    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    assert chain() == by_place()
    desktop.session.choose_operation(Operation.TRANSPOSE)
    desktop.session.draft_editor.edit_copy()
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.process_events()
    assert chain() == by_place()
    after = ladder(desktop).filter.nextInFocusChain()
    while after is not None and not (after.isVisible() and after.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus):
        after = after.nextInFocusChain()
    assert after is not None
    assert ladder(desktop).isAncestorOf(after), "nothing else of the window comes between"


def test_boxes_of_what_is_measured_are_one_stop_and_space_ticks(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    panel = ladder(desktop)
    assert [type(stop) for stop in stops_of(panel)][3:] == [QCheckBox, RungButton]
    box = stops_of(panel)[3]
    assert named(box) == "Measure Shared-memory tiled"
    before = ticks(desktop)
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert named(QApplication.focusWidget()) == "Measure Uncoalesced"
    assert set(ticks(desktop)) ^ set(before) == {"gpu.uncoalesced"}
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    assert named(QApplication.focusWidget()) == "Measure every rung of CPU"


def test_space_plays_after_a_rung_was_clicked_and_still_presses_another(desktop: Desktop, qtbot: QtBot) -> None:
    playing = desktop.workbench.stage.timeline.playing
    rungs = [rung for rung in ladder(desktop).findChildren(RungButton) if rung.isVisible()]
    tiled = next(rung for rung in rungs if rung.isChecked())
    other = rungs[rungs.index(tiled) + 1]
    tiled.setFocus()
    qtbot.mouseClick(tiled, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    for played in (True, False):
        qtbot.keyClick(tiled, Qt.Key.Key_Space)
        assert playing.value is played
    qtbot.keyClick(other, Qt.Key.Key_Space)
    assert (other.isChecked(), playing.value) == (True, False)


def test_what_is_looked_for_stays_while_the_shown_rung_is_set(desktop: Desktop) -> None:
    rungs = ladder(desktop)
    rungs.filter.setText("strassen")
    case = desktop.session.stage.value
    desktop.session.stage.value = replace(case, problem=Problem.square(case.problem.operation, 2 * case.problem.n))
    assert rungs.filter.text() == "strassen"


def test_what_is_looked_for_stays_when_the_window_is_built_anew(desktop: Desktop) -> None:
    before = ladder(desktop)
    before.filter.setText("strassen")
    desktop.window.show_look(Look(theme("dark"), Translator("en")), Chosen("dark"))
    now = desktop.window._ladder
    assert now is not before
    assert now.filter.text() == "strassen"


def test_the_rungs_of_an_operation_that_is_come_back_to_are_those_that_were_left(desktop: Desktop) -> None:
    listed = [rung for rung in ladder(desktop).findChildren(RungButton) if rung.isVisible()]
    for operation in (Operation.TRANSPOSE, Operation.HELLO, Operation.MATMUL):
        desktop.session.choose_operation(operation)
    assert [rung for rung in ladder(desktop).findChildren(RungButton) if rung.isVisible()] == listed


def test_a_text_that_is_edited_stands_below_its_rung_and_only_among_those_of_its_operation(desktop: Desktop) -> None:
    def numbers() -> list[str]:
        desktop.process_events()
        rungs = [rung for rung in ladder(desktop).findChildren(RungButton) if rung.isVisible()]
        return [rung.accessibleName().split()[0] for rung in sorted(rungs, key=lambda rung: rung.mapTo(ladder(desktop), QPoint()).y())]

    every, session, own = numbers(), desktop.session, str(by_id("gpu.tiled").rung)
    session.choose_variant(by_id("gpu.tiled"))
    session.draft_editor.edit_copy()
    with_copy = numbers()
    assert with_copy == [*every[: every.index(own) + 1], f"{own}a", *every[every.index(own) + 1 :]]
    session.choose_operation(Operation.TRANSPOSE)
    assert all(number.isdigit() for number in numbers())
    session.choose_operation(Operation.MATMUL)
    assert numbers() == with_copy
    session.draft_editor.close()
    assert numbers() == every
