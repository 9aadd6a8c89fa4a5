"""Everything can be reached by typing; keys go where a hand expects them, whatever has the focus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.challenges.library import challenges
from app.core.export.choice import What
from app.core.help.glossary import glossary
from app.core.help.pages import page_ids
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named
from app.core.session.session import Workspace
from app.core.state.written import paste_of
from app.core.timing.model import TimingPage
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.commands import Command
from app.qt.base.feature import Feature, Host
from app.qt.base.settings import Settings
from app.qt.challenges.feature import ChallengesFeature
from app.qt.export.feature import Exporting
from app.qt.shell.application import Desktop
from app.qt.shell.command_bar import CommandBar
from app.qt.shell.palette import Palette
from app.qt.shell.palette_places import SET_NOW
from app.qt.stage.timeline_bar import Transport
from app.qt.timing.chart_header import TimingHeader
from kernels.base.messages import message
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.catalogue.catalogue import VARIANTS
from tests.qt.open_window import while_open
from tests.screens.features import feature


class Keyless(Feature):
    """Has a command that no key calls."""

    def __init__(self, _host: Host) -> None:
        pass

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("A command without a key"), (), lambda: None),)


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("en", "light", "gpu.tiled", (1366, 768)), None, Settings(tmp_path / "settings.ini"), [Keyless]),
        qtbot,
        active=True,
    )


def press(desktop: Desktop, keys: str) -> None:
    QTest.keySequence(desktop.window, QKeySequence(keys))


def palette(desktop: Desktop) -> Palette:
    return desktop.window._over.palette()


def asked(desktop: Desktop, typed: str) -> list[str]:
    """What the palette lists for a text."""
    if palette(desktop).isHidden():
        press(desktop, "Ctrl+K")
    palette(desktop).field.setText(typed)
    return palette(desktop).shown


def test_lessons_that_are_read_while_it_is_open_are_found_without_opening_it_again(desktop: Desktop, qtbot: QtBot) -> None:
    assert "Bank conflicts, padding and swizzling" not in asked(desktop, "bank conflicts, padd")
    qtbot.waitUntil(lambda: palette(desktop).shown == ["Bank conflicts, padding and swizzling"])


def test_what_one_has_gone_to_stays_chosen_where_lessons_are_read_meanwhile(desktop: Desktop) -> None:
    asked(desktop, "")
    made = palette(desktop)
    made.list.setCurrentRow(3)
    chosen = made.list.currentItem().text()
    made.ask_again()
    assert made.list.currentItem().text() == chosen


@pytest.mark.parametrize("typed", ["text", "zoom", "larger"])
def test_the_zoom_is_found_by_what_one_calls_it(desktop: Desktop, typed: str) -> None:
    assert "Larger text and pictures (zoom in)" in asked(desktop, typed)


@pytest.mark.parametrize("typed", ["speed", "速度"])
def test_what_plays_faster_and_slower_is_found_by_speed(desktop: Desktop, typed: str) -> None:
    assert {"Slower", "Faster"} <= set(asked(desktop, typed))


def test_a_lesson_is_left_by_typing(desktop: Desktop) -> None:
    lesson, player = named("roofline"), desktop.workbench.lesson_controller.player
    assert isinstance(lesson, Lesson)
    assert "Leave the lesson" not in asked(desktop, "leave")
    palette(desktop).leave()
    player.open(lesson)
    desktop.process_events()
    assert asked(desktop, "leave")[0] == "Leave the lesson"
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert player.playing.value is None


@pytest.mark.parametrize(
    ("typed", "found", "page"),
    [("tuning", "Tuning", TimingPage.TUNING), ("tune", "Tuning", TimingPage.TUNING), ("ladder", "Ladder", TimingPage.LADDER),
     ("curves", "Curves", TimingPage.CURVES), ("one use", "One use of the GPU", TimingPage.USES)],
)  # fmt: skip
def test_a_page_of_the_times_is_found_first_and_opened(desktop: Desktop, typed: str, found: str, page: TimingPage) -> None:
    desktop.workbench.timing.page.value = TimingPage.USES if page is TimingPage.CURVES else TimingPage.CURVES
    assert asked(desktop, typed)[0] == found
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.session.workspace.value is Workspace.TIMING
    assert desktop.workbench.timing.page.value is page


@pytest.mark.parametrize(
    ("typed", "now"), [("theme", "Theme: Light"), ("language", "Language: English"), ("operation", "Operation: Multiply")]
)
def test_of_a_setting_it_is_told_which_is_chosen_now(desktop: Desktop, typed: str, now: str) -> None:
    asked(desktop, typed)
    kinds = {item.text(): item.data(Qt.ItemDataRole.UserRole).kind
             for item in map(palette(desktop).list.item, range(palette(desktop).list.count()))}  # fmt: skip
    assert [title for title, kind in kinds.items() if kind == SET_NOW and title.startswith(now.split(":")[0])] == [now]


def test_a_text_size_is_found_and_chosen(desktop: Desktop, look_restored: None) -> None:
    assert {"Text size: 100 %", "Text size: 125 %"} <= set(asked(desktop, "text size"))
    marked = [item.text() for row in range(palette(desktop).list.count())
              if (item := palette(desktop).list.item(row)).data(Qt.ItemDataRole.UserRole).kind == SET_NOW]  # fmt: skip
    assert marked == ["Text size: 100 %"]
    assert asked(desktop, "text size 125")[0] == "Text size: 125 %"
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.settings.text("look/zoom") == "125"


def test_a_link_that_is_pasted_is_offered_to_be_shown(desktop: Desktop, qtbot: QtBot) -> None:
    here = paste_of(desktop.workbench.states.now())
    desktop.session.choose_variant(next(each for each in VARIANTS if each.id == "gpu.naive"))
    assert asked(desktop, f" {here}\n") == ["Show the state of this link"]
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.session.stage.value.variant.id == "gpu.tiled"
    asked(desktop, "tilescope:nothing")
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert str(desktop.workbench.activity.value) == "The pasted text is not whole."
    assert asked(desktop, "tilescope:lesson/bank-conflicts?step=2") == ["Open the lesson of this link"]
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    playing = desktop.workbench.lesson_controller.player.playing.value
    assert playing is not None
    assert (playing.lesson.id, playing.number) == ("bank-conflicts", 1)


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def step(desktop: Desktop) -> int:
    return desktop.workbench.stage.timeline.position.value.step


def test_every_command_rung_challenge_page_and_term_is_found_by_its_title_in_both_languages(desktop: Desktop) -> None:
    places = {place.title(desktop.window._made_look.translator) for place in desktop.window._over._places.found(desktop.window._over.help)}
    chinese = Translator("zh_CN")
    for command in desktop.window._commands.every:
        assert str(command.title) in places
        assert str(command.title) in asked(desktop, chinese.text(command.title)), command.title
    for operation in Operation:
        for variant in catalogue.of(operation):
            assert f"{variant.rung} {variant.title}" == asked(desktop, variant.id)[0]
    for challenge in challenges():
        assert challenge.text("en").title in asked(desktop, challenge.text("zh_CN").title)
    for parameter in catalogue.find("gpu.tiled").parameters:  # type: ignore[union-attr]
        assert str(parameter.title) in asked(desktop, parameter.name)
    terms = {entry.term for section in glossary() for entry in section.entries}
    assert terms <= places
    assert all(any(title in places for title in asked(desktop, page)) for page in page_ids())


def test_rungs_of_one_name_are_told_apart_and_what_buttons_do_is_found(desktop: Desktop) -> None:
    asked(desktop, "blocked")
    items = [palette(desktop).list.item(row) for row in range(palette(desktop).list.count())]
    kinds = {str(item.data(Qt.ItemDataRole.UserRole).kind) for item in items}
    assert {"Multiply, CPU: rung", "Transpose, CPU: rung"} <= kinds
    assert asked(desktop, "measure six") == ["Measure six rungs here, about 20 s"]
    assert asked(desktop, "player")[0] == "Export: Player"
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    exporting = feature(desktop, Exporting)
    assert exporting.panel.isVisible()
    assert exporting.controller.choice.value.what is What.PLAYER


def kinds(desktop: Desktop, typed: str) -> list[str]:
    """The kinds of what the palette lists for a text."""
    count = len(asked(desktop, typed))
    return [str(palette(desktop).list.item(row).data(Qt.ItemDataRole.UserRole).kind) for row in range(count)]


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ("lesson simd", "lesson"), ("simd lesson", "lesson"), ("课程 simd", "lesson"), ("rung simd", "Multiply, CPU: rung"),
        ("challenge uncoalesced", "challenge"), ("挑战 uncoalesced", "challenge"), ("gpu uncoalesced", "Multiply, GPU: rung"),
        ("Lesson work per thread", "lesson"), ("rung loop-order", "Multiply, CPU: rung"),
    ],
)  # fmt: skip
def test_of_one_identifier_the_kind_that_was_asked_for_comes_first(desktop: Desktop, qtbot: QtBot, typed: str, kind: str) -> None:
    asked(desktop, "simd")
    qtbot.waitUntil(lambda: "lesson" in kinds(desktop, "simd"))  # they are read in the background
    assert kinds(desktop, typed)[0] == kind


def test_of_one_identifier_rungs_come_first_then_lessons_then_challenges(desktop: Desktop, qtbot: QtBot) -> None:
    asked(desktop, "simd")
    qtbot.waitUntil(lambda: "lesson" in kinds(desktop, "simd"))
    assert kinds(desktop, "simd")[:2] == ["Multiply, CPU: rung", "lesson"]
    assert kinds(desktop, "uncoalesced")[:2] == ["Multiply, GPU: rung", "challenge"]


@pytest.mark.parametrize(("language", "typed"), [("en", "measure"), ("zh_CN", "测量")])
def test_what_measures_comes_before_what_is_read_about_it(desktop: Desktop, language: str, typed: str) -> None:
    desktop.choose_language(language)
    opened = desktop.window._over.palette()  # that of the look before may not be deleted yet
    opened.toggle()
    opened.field.setText(typed)
    first = opened.list.item(0).data(Qt.ItemDataRole.UserRole)
    assert first.title(Translator("en")).startswith("Measure ")
    assert str(first.kind) == "Measuring"


def test_rungs_of_the_shown_operation_come_first(desktop: Desktop) -> None:
    for operation, said in ((Operation.TRANSPOSE, "Transpose"), (Operation.MATMUL, "Multiply")):
        desktop.session.choose_operation(operation)
        asked(desktop, "padded")
        items = [palette(desktop).list.item(row) for row in range(palette(desktop).list.count())]
        rungs = [kind for item in items if (kind := str(item.data(Qt.ItemDataRole.UserRole).kind)).endswith("rung")]
        assert rungs[0].startswith(said)
        assert len({kind.partition(",")[0] for kind in rungs}) == 2
        QTest.keyClick(palette(desktop).field, Qt.Key.Key_Escape)


def test_return_does_what_is_marked_and_the_arrows_mark_another(desktop: Desktop) -> None:
    asked(desktop, "gpu.transpose-shared")
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.session.stage.value.variant.id == "gpu.transpose-shared"
    assert palette(desktop).isHidden()
    first, second, *_ = asked(desktop, "theme")
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Down)
    assert palette(desktop).list.currentItem().text() == second != first
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Escape)
    assert palette(desktop).isHidden()


def test_a_setting_is_gone_to_with_its_value_selected(desktop: Desktop) -> None:
    asked(desktop, "tile size")
    assert palette(desktop).list.currentItem().text() == "Tile size"
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    edit = desktop.window._stage.inspector.parameters["tile"].field.edit
    assert QApplication.focusWidget() is edit
    assert edit.selectedText() == "16"


def test_a_slip_of_the_finger_is_forgiven_and_nothing_is_said_to_be_nothing(desktop: Desktop) -> None:
    assert any("Theme" in title for title in asked(desktop, "thmee"))
    assert asked(desktop, "no such thing at all") == []
    assert palette(desktop)._none.isVisible()
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert palette(desktop).isVisible()


def test_lessons_are_found_once_they_are_read(desktop: Desktop, qtbot: QtBot) -> None:
    asked(desktop, "")
    press(desktop, "Esc")
    read = desktop.workbench.lesson_controller.user_lessons.lessons
    qtbot.waitUntil(lambda: bool(read.value.shipped), timeout=20_000)
    lesson = next(each for each in read.value.shipped if each.id == "bank-conflicts")
    palette(desktop).leave()
    assert asked(desktop, lesson.text("zh_CN").title)[0] == lesson.text("en").title


def test_letters_in_the_help_go_to_its_search_wherever_the_focus_is(desktop: Desktop) -> None:
    inspector = desktop.window._stage.inspector.isVisible()
    shown = desktop.window._over.help()
    for part in (shown.list, shown.text, shown.keyboard):
        press(desktop, "F1")
        shown.show_page("settings" if part is shown.text else "keyboard")
        part.setFocus()
        QTest.keySequence(focused(), QKeySequence("I"))  # alone it shows or hides the settings
        QTest.keySequence(focused(), QKeySequence("D"))
        QTest.keySequence(focused(), QKeySequence("1"))
        assert shown.field.hasFocus()
        assert shown.field.text() == "id1"
        QTest.keyClick(focused(), Qt.Key.Key_Escape)
        assert shown.isHidden()
    assert desktop.window._stage.inspector.isVisible() is inspector


def test_letters_over_the_window_call_nothing_behind_it(desktop: Desktop) -> None:
    inspector = desktop.window._stage.inspector.isVisible()
    feature(desktop, Exporting).toggle()
    QTest.keySequence(focused(), QKeySequence("I"))
    assert desktop.window._stage.inspector.isVisible() is inspector


def test_f10_opens_the_menu_whose_rows_fit_on_the_smallest_screen(desktop: Desktop, qt_warnings: list[str]) -> None:
    press(desktop, "F10")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.activeAction() is menu.actions()[0]
    assert len([action for action in menu.actions() if not action.isSeparator()]) <= 12
    parts = [action.menu() for action in menu.actions() if action.menu() is not None]
    assert all(part.sizeHint().height() < 720 for part in parts if isinstance(part, QMenu))
    menu.close()
    desktop.process_events()
    assert set(qt_warnings) <= {f"This plugin does not support {what}" for what in ("raise()", "grabbing the keyboard")}
    qt_warnings.clear()  # of a display that is not there


@pytest.mark.parametrize("keys", ["Ctrl+K", "Ctrl+Shift+P"])
def test_the_keys_of_the_palette_open_and_close_it(desktop: Desktop, keys: str) -> None:
    press(desktop, keys)
    assert palette(desktop).isVisible()
    press(desktop, keys)
    assert palette(desktop).isHidden()


def test_arrows_step_the_stage_from_buttons_sliders_and_a_text_that_is_read(desktop: Desktop) -> None:
    shell = desktop.window._stage
    transport, bar = shell.findChild(Transport), desktop.window.findChild(CommandBar)
    assert transport is not None
    assert bar is not None
    for widget in (transport.to_end, bar.menu, shell.settings, shell.source.view, shell.tile.findChild(QToolButton) or shell.stage):
        widget.setFocus()
        before = step(desktop)
        QTest.keyClick(widget, Qt.Key.Key_Right)
        assert step(desktop) == before + 1, widget
        QTest.keyClick(widget, Qt.Key.Key_Left)
        assert step(desktop) == before, widget


def test_arrows_with_alt_change_the_tile_from_buttons_too(desktop: Desktop) -> None:
    shell, session = desktop.window._stage, desktop.session
    transport, bar = shell.findChild(Transport), desktop.window.findChild(CommandBar)
    assert transport is not None
    assert bar is not None
    choices = (*transport.findChildren(QAbstractButton), *bar.findChildren(QAbstractButton))
    one_of_several = next(each for each in choices if each.group() is not None and each.group().exclusive())
    for widget in (transport.to_end, bar.menu, shell.settings, one_of_several, shell.stage):
        widget.setFocus()
        before, place = session.stage.value.parameters["tile"], step(desktop)
        QTest.keyClick(widget, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert session.stage.value.parameters["tile"] < before, widget
        QTest.keyClick(widget, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        assert (session.stage.value.parameters["tile"], step(desktop)) == (before, place), widget


def test_a_text_that_is_edited_a_field_and_a_list_keep_their_arrows(desktop: Desktop, qtbot: QtBot) -> None:
    desktop.window._stage.source.edit_copy()
    view = desktop.window._stage.source.view
    view.setFocus()
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready, timeout=20_000)
    before, place = step(desktop), view.textCursor().position()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.textCursor().position() == place + 1
    press(desktop, "F1")
    rows = desktop.window._over.help().list
    QTest.keyClick(rows, Qt.Key.Key_Down)
    assert (rows.currentRow(), step(desktop)) == (1, before)


def test_return_presses_a_button_and_escape_closes_what_lies_over_the_window(desktop: Desktop) -> None:
    exporting = feature(desktop, Exporting)
    exporting.toggle()
    panel = exporting.panel
    for _ in range(24):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        assert panel.isAncestorOf(focused()), "the focus stays in the panel"
    number = panel.options.times["first"].edit
    number.show()
    pressed: list[bool] = []
    button = next(each for each in panel.findChildren(QPushButton) if each.isVisible() and each.isEnabled())
    button.clicked.disconnect()
    button.clicked.connect(lambda: pressed.append(True))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert pressed == [True]
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert panel.isHidden()


def test_the_tabs_of_timing_stay_where_they_are(desktop: Desktop) -> None:
    desktop.session.show_workspace(Workspace.TIMING)
    header = desktop.window.findChild(TimingHeader)
    assert header is not None
    tabs = header.pages
    places = set()
    for button in tabs.buttons:
        button.click()
        desktop.process_events()
        places.add(tabs.mapTo(desktop.window, tabs.rect().topLeft()).toTuple())
    assert len(places) == 1


def test_words_are_found_in_the_source(desktop: Desktop) -> None:
    press(desktop, "Ctrl+F")
    source = desktop.window._stage.source
    bar, view = source.find_bar, source.view
    QTest.keyClicks(bar.field, "syncthreads")
    assert view.textCursor().selectedText() == "syncthreads"
    first = view.textCursor().blockNumber()
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert view.textCursor().blockNumber() > first
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.textCursor().blockNumber() == first
    QTest.keyClicks(bar.field, "xyz")
    assert bar.said.text() == "0 found"
    assert not view.textCursor().hasSelection(), "what was found before is not what is typed now"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert view.hasFocus()


def test_the_search_of_the_help_knows_settings(desktop: Desktop) -> None:
    press(desktop, "F1")
    shown = desktop.window._over.help()
    shown.field.setText("padding")
    titles = [shown.list.item(row).text() for row in range(shown.list.count())]
    assert "Settings" in titles
    shown.show_page("settings")
    assert "--padding" in shown.text.toPlainText()


OWN = """#define TILE 8 // of both
#define UNUSED(x) (void)(x)
constexpr int WIDE = 24;
extern "C" __global__ void own(const float* from, float* to, int count)
{
    const int here = blockIdx.x * TILE + threadIdx.x;
    if (here < count) to[here] = from[here];
}
"""


def test_the_settings_of_ones_own_file_are_found_and_gone_to(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "own.cu").write_text(OWN, encoding="utf-8")
    assert desktop.session.draft_editor.open_file(tmp_path / "own.cu") is None
    draft = desktop.session.draft_editor.draft
    qtbot.waitUntil(lambda: draft.value is not None and bool(draft.value.kernels), timeout=20_000)
    assert asked(desktop, "tile")[0] == "TILE: 8"
    assert not any(title == "Tile size" for title in palette(desktop).shown), "that of the rung behind"
    assert not any("here" in title or "UNUSED" in title for title in asked(desktop, ""))
    assert asked(desktop, "wide")[0] == "WIDE: 24"
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    source = desktop.window._stage.source
    assert source.view.hasFocus()
    assert source.view.textCursor().selectedText() == "24"
    found = (("argument count", "launch"), ("grid", "grid"), ("block", "block"), ("argument count", "count"), ("argument from", "from"))
    for key, typed in found:
        asked(desktop, typed)
        assert palette(desktop).list.currentItem().text().casefold().startswith(typed)
        QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
        assert QApplication.focusWidget() is source.form.fields[key].edit
        assert source.form.fields[key].edit.selectedText() == source.form.fields[key].edit.text() != ""


def test_what_says_it_comes_before_what_is_only_called_so(desktop: Desktop) -> None:
    found = asked(desktop, "bank conf")
    assert found[0] == "bank conflict"
    assert "A column that lies in one bank" in found[1:]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("no gpu", "When there is no GPU"), ("glossary", "Glossary"), ("术语表", "Glossary"), ("chinese", "Language: 简体中文"),
        ("simplified", "Language: 简体中文"), ("english", "Language: English"), ("英语", "Language: English"),
        ("next conflict", "Next bank conflict"), ("bank conflict", "Next bank conflict"),
    ],
)  # fmt: skip
def test_what_was_typed_whole_is_among_the_first(desktop: Desktop, typed: str, found: str) -> None:
    assert found in asked(desktop, typed)[:3]


@pytest.mark.parametrize("typed", ["glossary", "术语表"])
def test_the_glossary_opens_as_a_page_of_the_help(desktop: Desktop, typed: str) -> None:
    asked(desktop, typed)
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.window._over.help().list.currentItem().text() == "Glossary"


@pytest.mark.parametrize(
    ("typed", "identifier"), [("uncoalesced", "gpu.uncoalesced"), ("loop order", "cpu.loop-order"), ("mpi.summa", "mpi.summa")]
)
def test_a_rung_that_is_typed_by_its_identifier_is_first(desktop: Desktop, typed: str, identifier: str) -> None:
    asked(desktop, typed)
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.session.stage.value.variant_id == identifier


def test_a_challenge_begins_from_the_palette_and_ends_a_comparison(desktop: Desktop) -> None:
    names = {variant.id.partition(".")[2] for variant in VARIANTS}
    challenge = next(each for each in challenges() if each.id not in names)
    assert desktop.workbench.comparison.toggle() is None
    asked(desktop, challenge.id)
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    tried = desktop.workbench.practice.trying.value
    assert tried is not None
    assert tried.challenge.id == challenge.id
    assert desktop.workbench.comparison.pair.value is None
    feature(desktop, ChallengesFeature)._host.side.value = None


@pytest.mark.parametrize("opened", ["F1", "Ctrl+K"])
def test_what_lies_over_the_window_keeps_the_keys_that_lead_elsewhere(desktop: Desktop, opened: str) -> None:
    timeline = desktop.workbench.stage.timeline
    timeline.scrub(5)
    before = desktop.session.stage.value, timeline.position.value.step
    press(desktop, opened)
    for keys in ("End", "PgDown", "Right", "Right", "Ctrl+Right", "Home", "PgUp", "Left", "Alt+Right", "Alt+Down", "Ctrl+PgDown", "Ctrl+2"):
        QTest.keySequence(focused(), QKeySequence(keys))
    assert (desktop.session.stage.value, timeline.position.value.step) == before
    assert desktop.session.workspace.value is Workspace.STAGE


def test_what_the_palette_finds_is_not_left_behind_the_help(desktop: Desktop) -> None:
    press(desktop, "F1")
    assert desktop.window._over.help().isVisible()
    asked(desktop, "naive, ijk")
    QTest.keyClick(palette(desktop).field, Qt.Key.Key_Return)
    assert desktop.session.stage.value.variant.id == "cpu.naive"
    assert desktop.window._over.help().isHidden()


def test_the_key_of_the_panes_does_not_lead_behind_the_help(desktop: Desktop) -> None:
    press(desktop, "F1")
    opened = desktop.window._over.help()
    QTest.keySequence(opened.list, QKeySequence("F6"))
    focused = QApplication.focusWidget()
    assert focused is not None
    assert opened.isAncestorOf(focused)
