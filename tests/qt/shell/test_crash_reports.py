"""The line after an error that nobody caught: it says where the report is, shows it and copies it, beside the offer of the last session."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, qWarning
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.base.files.log import last_lines, logging_to
from app.core.crash_reports.report import Reports, note_steps
from app.core.crash_reports.uncaught import Watch
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.crash_reports import CrashReports
from app.qt.shell.running import qt_messages_logged
from kernels.base.messages import Message, message
from kernels.catalogue.catalogue import by_id


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    return Watch(Reports(tmp_path, tmp_path, str, Path("/nobody")))


@pytest.fixture
def desktop(tmp_path: Path, watch: Watch) -> Iterator[Desktop]:
    made = Desktop(
        WindowArguments("en", "light", None, (1280, 720)), None, Settings(None), (partial(CrashReports, watch=watch, logs=tmp_path),)
    )
    made.window.show()
    yield made
    made.window.close()
    made.window.deleteLater()


def fail(text: str) -> None:
    """One of the errors of this test, each from a line of its own."""
    if text == "first":
        raise ValueError(text)
    raise KeyError(text)


def taken(watch: Watch, text: str) -> None:
    try:
        fail(text)
    except (ValueError, KeyError) as error:
        watch.take(error)


def button(desktop: Desktop, name: str) -> QToolButton:
    return next(each for each in desktop.window.findChildren(QToolButton) if each.text() == name and each.isVisible())


def sentences(desktop: Desktop) -> list[str]:
    return [each.text() for each in desktop.window.findChildren(QLabel) if each.isVisible() and "A report was written" in each.text()]


def test_one_report_after_the_other_is_told_shown_and_copied(desktop: Desktop, watch: Watch, qtbot: QtBot) -> None:
    assert sentences(desktop) == []
    thread = threading.Thread(target=partial(taken, watch, "first"))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(sentences(desktop)) == 1)
    taken(watch, "second")
    first = watch.reports[0]
    assert str(first.path) in sentences(desktop)[0]
    qtbot.mouseClick(button(desktop, "Copy it"), Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == first.text
    qtbot.mouseClick(button(desktop, "Show the report"), Qt.MouseButton.LeftButton)
    (text,) = (each for each in desktop.window.findChildren(QPlainTextEdit) if each.accessibleName() == "Report of an error")
    assert text.isVisible()
    assert text.toPlainText() == first.text
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert not text.isVisible()
    qtbot.mouseClick(button(desktop, "Close"), Qt.MouseButton.LeftButton)
    assert str(watch.reports[0].path) in sentences(desktop)[0]
    assert "KeyError: 'second'" in watch.reports[0].text
    qtbot.mouseClick(button(desktop, "Close"), Qt.MouseButton.LeftButton)
    assert sentences(desktop) == []
    assert first.path.exists()


def test_it_is_still_told_in_another_look_and_of_a_crash_otherwise(desktop: Desktop, watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "crash-1.txt").write_text("Fatal Python error", encoding="utf-8")
    watch.look_back(tmp_path)
    desktop.process_events()
    desktop.choose_theme("dark")
    desktop.process_events()
    assert [each[:35] for each in sentences(desktop)] == ["Tilescope ended by itself last time"]


def test_the_place_of_the_log_is_in_the_menu(desktop: Desktop, tmp_path: Path) -> None:
    told: list[Message | None] = []
    desktop.workbench.activity.subscribe(told.append)
    crash_reports = next(each for each in desktop._features if isinstance(each, CrashReports))
    (command,) = crash_reports.commands()
    command.run()
    assert [str(each) for each in told] == [f"The log is {tmp_path / 'tilescope.log'}"]


def test_what_is_shown_is_logged_by_names_and_sizes(desktop: Desktop, tmp_path: Path) -> None:
    with logging_to(tmp_path):
        note_steps(desktop.workbench)
        desktop.session.draft_editor.edit_copy()
        variant = by_id("gpu.tiled")
        desktop.session.choose_variant(variant)
        desktop.workbench.draft_backup.failure.value = message("{path} could not be written: {error}.", path="/home/ada/x", error="no room")
    lines = "\n".join(last_lines(tmp_path, 50))
    assert "stage: gpu.tiled" in lines
    assert "edited text: … could not be written: …." in lines
    assert "ada" not in lines
    assert "__global__" not in lines


def test_what_qt_says_is_in_the_log(tmp_path: Path, qt_warnings: Sequence[str], capfd: pytest.CaptureFixture[str]) -> None:
    with logging_to(tmp_path), qt_messages_logged():
        qWarning("something about Qt")
    assert last_lines(tmp_path, 1)[0].endswith("WARNING tilescope.qt: something about Qt")
    assert list(qt_warnings) == []
    assert capfd.readouterr().err == ""
