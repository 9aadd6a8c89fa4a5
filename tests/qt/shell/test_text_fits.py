"""At every zoom, in both languages, no text of any panel is cut that is not meant to be shortened, and in every theme none is faint."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES
from app.core.challenges.challenge import Challenge
from app.core.challenges.library import challenges
from app.core.export.choice import What
from app.core.lessons.lesson import Lesson
from app.core.lessons.library import named, shipped_ids
from app.core.session.session import Workspace
from app.core.timing.model import TimingPage
from app.core.workbench.window_arguments import THEMES, WindowArguments
from app.qt.base.settings import Settings
from app.qt.challenges.feature import ChallengesFeature
from app.qt.export.feature import Exporting
from app.qt.sharing.feature import Sharing
from app.qt.shell.application import Desktop
from app.qt.source.folding import long_comments
from kernels.catalogue.catalogue import VARIANTS
from tests.screens.contrasts import faint
from tests.screens.features import feature
from tests.screens.text_fits import SLACK, cut
from tests.waiting import until

LOOKS, REST_S = 3, 0.15
"""How often what seems cut is looked at again, and after how long: charts draw anew at most ten times a second."""

Found = dict[str, list[str]]


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 720


@pytest.fixture
def desktop(zoom: int, size: tuple[int, int], qtbot: QtBot, look_restored: None, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(WindowArguments("en", "light", "gpu.tiled", size, zoom), None, Settings(tmp_path / "settings.ini"))
    made.start()
    until(lambda: made.workbench.stage_ready, made.process_events)
    yield made
    made.window.close()
    made.window.deleteLater()


def settled(desktop: Desktop, window: QWidget | None = None) -> list[str]:
    """What is cut, once everything has its place."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # the panels of the look before
    found: list[str] = []
    for _ in range(LOOKS):
        for _ in range(3):
            desktop.process_events()
        found = cut(window or desktop.window)
        if not found:
            break
        time.sleep(REST_S)  # a text that has just come gets its place in the next round
    return found


def wordiest_step(language: str) -> tuple[Lesson, int]:
    """The step that says most, in the lesson that says most."""
    texts = {name: files("resources").joinpath("lessons", name, f"{language}.md") for name in shipped_ids()}
    lesson = named(max(texts, key=lambda name: len(texts[name].read_text(encoding="utf-8"))))
    assert isinstance(lesson, Lesson)
    steps = [lesson.step_text(number, language) for number in range(len(lesson.steps))]
    lengths = [sum(len(each.text) for each in (*step.narration, *step.answer)) for step in steps]
    return lesson, lengths.index(max(lengths))


def wordiest_challenge(language: str) -> Challenge:
    return max(challenges(), key=lambda each: sum(len(part.text) for step in each.text(language).steps.values() for part in step.narration))


def workspaces(desktop: Desktop) -> Found:
    found = {}
    desktop.session.show_workspace(Workspace.STAGE)
    found["stage"] = settled(desktop)
    desktop.session.show_workspace(Workspace.TIMING)
    for drawing in TimingPage:
        desktop.workbench.timing.page.value = drawing
        found[drawing.value] = settled(desktop)
    desktop.session.show_workspace(Workspace.STAGE)
    return found


def overlays(desktop: Desktop) -> Found:
    """Everything that can lie over the window."""
    found = {}
    exporting, sharing, keys = feature(desktop, Exporting), feature(desktop, Sharing), desktop.window._over.help()
    exporting.toggle()
    for what in What:
        exporting.panel.options._choose_what(what)
        found[f"export {what.value}"] = settled(desktop)
    exporting.toggle()
    for name, states in (("no recent states", ()), ("recent states", (desktop.workbench.states.now(),))):
        desktop.workbench.states.recent.states.value = states
        sharing._toggle_recent()
        found[name] = settled(desktop)
        sharing._toggle_recent()
    desktop.window._over.table().toggle()
    found["table"] = settled(desktop)
    desktop.window._over.table().toggle()
    keys.toggle()
    found["keys"] = settled(desktop)
    keys.show_page(keys.pages[0].id)
    found["help"] = settled(desktop)
    keys.toggle()
    return found


def lessons(desktop: Desktop, language: str) -> Found:
    """The step that says most, and the same presented with notes."""
    player, presenting = desktop.workbench.lesson_controller.player, desktop.presenting
    player.open(*wordiest_step(language))
    player.reveal()
    found = {"step": settled(desktop)}
    if language == "en" and desktop.window._stage.source.isVisible():
        found["statements in a lesson"] = partly_seen(desktop)
    slides, notes = presenting.make_window(), presenting.make_notes()
    slides.resize(1280, 720)
    for window in (slides, notes):
        window.show()
        found[type(window).__name__] = settled(desktop, window)
    presenting.toggle_notes()
    slides.close()
    player.close()
    found["lessons"] = settled(desktop)
    return found


def tried(desktop: Desktop, language: str) -> Found:
    """A challenge that is tried, checked, with its hints, and the list of them."""
    practice = desktop.workbench.practice
    feature(desktop, ChallengesFeature).open(wordiest_challenge(language))
    for _ in range(2):
        practice.show_hint()
    until(lambda: practice.settled, desktop.process_events)
    practice.check()
    until(lambda: practice.settled, desktop.process_events)
    found = {"challenge": settled(desktop)}
    practice.close()
    found["challenges"] = settled(desktop)
    feature(desktop, ChallengesFeature)._host.side.value = None  # gone with the next look
    return found


def partly_seen(desktop: Desktop) -> list[str]:
    """The statements of shipped kernels that are not whole in sight while they execute; of each kernel every ninth line and the longest."""
    view, found = desktop.window._stage.source.view, []
    before = view.text, view.line
    for source, text in {each.source: each.source_text for each in VARIANTS}.items():
        cuda = source.endswith(".cu")
        view.show_source(text, cuda)
        comments = {line for comment in long_comments(text, cuda) for line in comment}
        lines = text.split("\n")
        code = [number for number, line in enumerate(lines, start=1) if line.strip() and number not in comments]
        for number in (*code[::9], max(code, key=lambda number: len(lines[number - 1]))):
            view.show_line(number)
            place = view.blockBoundingGeometry(view.document().findBlockByNumber(number - 1)).translated(view.contentOffset())
            if place.top() < -SLACK or place.bottom() > view.viewport().height() + SLACK:
                found.append(f"{source}:{number}: {place.top():.0f} to {place.bottom():.0f} of {view.viewport().height()}")
    view.show_source(before[0], cuda=True)
    view.show_line(before[1])
    return found


def faint_in_themes(desktop: Desktop, *themes: str) -> Found:
    """Both workspaces in each of these themes; the last one stays."""
    found = {}
    for name in themes:
        desktop.choose_theme(name)
        for workspace in (Workspace.TIMING, Workspace.STAGE):
            desktop.session.show_workspace(workspace)
            settled(desktop)
            found[f"{name} {workspace.value}"] = faint(desktop.window)
    return found


@pytest.mark.parametrize("zoom", [100, 150, 200])
def test_no_text_is_cut_or_faint(desktop: Desktop, zoom: int) -> None:
    found: Found = {}
    for language in LANGUAGES:
        if language != "en":  # which it has begun with
            desktop.choose_language(language)
        parts = workspaces(desktop)
        if zoom > 100 and language == "en":
            parts["statements"] = partly_seen(desktop)
        parts |= lessons(desktop, language)
        if zoom != 150:  # between the two nothing is drawn otherwise
            parts |= overlays(desktop) | tried(desktop, language)
        parts |= faint_in_themes(desktop, *(THEMES if zoom == 100 else THEMES[:2]))
        found |= {f"{language} {place}": texts for place, texts in parts.items() if texts}
    assert found == {}


SIZES = ((960, 600), (960, 1040), (1366, 768), (1920, 1080))
"""A small screen, half of a large one, a laptop's, a large one."""
ZOOMS = (100, 150, 200)
"""With two languages at three zooms, each size meets all themes."""
BETWEEN = 175
"""The zoom between them at which a window of 1280 pixels has other rows below each other than at 150 %."""


@pytest.mark.parametrize(("size", "zoom"), [(size, zoom) for size in SIZES for zoom in ZOOMS])
def test_no_text_is_cut_or_faint_in_half_a_screen_or_on_a_small_one(desktop: Desktop, size: tuple[int, int], zoom: int) -> None:
    found: Found = {}
    upright = size[0] < size[1]
    for language in LANGUAGES:
        if language != "en":
            desktop.choose_language(language)
        parts = workspaces(desktop)
        if upright and language == "en":
            parts["statements"] = partly_seen(desktop)
        desktop.window._over.palette().toggle()
        parts["palette"] = settled(desktop)
        desktop.window._over.palette().toggle()
        turn = 2 * ZOOMS.index(zoom) + list(LANGUAGES).index(language)
        parts |= faint_in_themes(desktop, THEMES[turn % len(THEMES)])
        found |= {f"{language} {place}": texts for place, texts in parts.items() if texts}
    assert found == {}


def crowded(desktop: Desktop, language: str) -> Found:
    """What has the least room: two launches and settings, a challenge and settings, the options of an export, curves beside a lesson."""
    stage, comparison, player = desktop.window._stage, desktop.workbench.comparison, desktop.workbench.lesson_controller.player
    assert comparison.toggle() is None
    until(lambda: comparison.pair.value is not None, desktop.process_events)
    found = {"compared": settled(desktop)}
    stage.settings.setChecked(True)
    found["compared beside settings"] = settled(desktop)
    comparison.leave()
    found["settings"] = settled(desktop)
    stage.settings.setChecked(False)
    exporting = feature(desktop, Exporting)
    exporting.toggle()
    for what in (What.CLIP, What.REPORT):
        exporting.panel.options._choose_what(what)
        found[f"export {what.value}"] = settled(desktop)
    exporting.toggle()
    player.open(*wordiest_step(language))
    desktop.session.show_workspace(Workspace.TIMING)
    desktop.workbench.timing.page.value = TimingPage.CURVES
    found["curves beside a lesson"] = settled(desktop)
    player.close()
    desktop.session.show_workspace(Workspace.STAGE)
    return found | tried(desktop, language)


CROWDED = (((960, 1040), 200), ((1280, 720), 125), ((1280, 720), 200), ((1366, 768), 150), ((1920, 1080), 125))


@pytest.mark.parametrize(("size", "zoom"), CROWDED)
def test_no_text_is_cut_or_faint_where_there_is_least_room(desktop: Desktop, size: tuple[int, int], zoom: int) -> None:
    found: Found = {}
    for language in LANGUAGES:
        desktop.choose_language(language)
        parts = crowded(desktop, language) | faint_in_themes(desktop, THEMES[language == "en"])
        found |= {f"{language} {place}": texts for place, texts in parts.items() if texts}
    assert found == {}


@pytest.mark.parametrize("zoom", [BETWEEN])
def test_no_text_is_cut_between_the_zooms(desktop: Desktop, zoom: int) -> None:
    found: Found = {}
    for language in LANGUAGES:
        desktop.choose_language(language)
        found |= {f"{language} {place}": texts for place, texts in workspaces(desktop).items() if texts}
    assert found == {}


def test_what_no_scroll_bar_reaches_is_found(qtbot: QtBot) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    inner = QWidget()
    inner.setMinimumSize(400, 400)
    for place in ((300, 0), (0, 300)):
        QPushButton("beyond", inner).move(*place)
    area.setWidget(inner)
    area.resize(200, 200)
    area.show()
    assert cut(area) == []
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    assert len(cut(area)) == 1
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    assert len(cut(area)) == 2


def test_a_text_that_is_cut_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("a text that is long", window)
    label.setFixedWidth(30)
    button = QToolButton(window)
    button.setText("beyond the edge")
    button.move(window.width() - 10, 0)
    window.show()
    assert len(cut(window)) == 2


def test_a_text_that_is_faint_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet("background: #ffffff; color: #808080")
    for number, colour in enumerate(("#808080", "#707070")):
        label = QLabel(f"a text in {colour}", window)
        label.setStyleSheet(f"color: {colour}")
        label.move(0, 30 * number)
    window.resize(200, 80)
    window.show()
    assert [each.split(":")[0] for each in faint(window)] == ["'a text in #808080'"]


def test_what_lies_over_another_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    parts = [QWidget(), QWidget()]
    for part in parts:
        part.setMinimumSize(100, 100)
        column.addWidget(part)
    window.show()
    assert cut(window) == []
    column.setEnabled(False)
    parts[1].move(0, 60)
    assert len(cut(window)) == 1
