"""Players of lessons: each question is asked before its answer is shown, and judged as the program does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.export.kinds import PictureSize
from app.core.lessons.lesson import Lesson
from app.core.lessons.read import read_lesson
from app.core.session.session import Session
from app.qt.export import recorded_lesson
from app.qt.export.player_recording import Recording
from app.qt.export.recorded_lesson import LessonRecording
from app.qt.shell.headless import Studio
from tests.lessons.lesson_files import write_lesson
from tests.screens.browsers import CHROMIUM, Chromium

SIZE = PictureSize(640, 400)


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    browser = Chromium(tmp_path / "browser")
    browser.size(1280, 720)
    yield browser
    browser.close()


def page_of(lesson: Lesson, language: str = "en") -> str:
    with Studio(Session(), None) as studio:
        page = LessonRecording(studio.workbench, studio.until, lesson, Recording(SIZE, Translator(language)), lambda _: None).page()
    assert isinstance(page, str), page
    return page


def test_a_question_is_asked_before_it_is_shown(qtbot: QtBot, tmp_path: Path, chromium: Chromium, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_lesson, "AFTER", 3)
    lesson = read_lesson(write_lesson(tmp_path / "own"))
    assert isinstance(lesson, Lesson)
    path = tmp_path / "lesson.html"
    path.write_text(page_of(lesson), encoding="utf-8")
    chromium.open(path.as_uri())
    chromium.until("window.lesson !== undefined")

    def text() -> str:
        return str(chromium.run("document.querySelector('.lesson').innerText"))

    assert "The idea" in text()
    assert "How many?" in text()
    assert "32." not in text()
    apart = "window.lesson.on.getBoundingClientRect().top - [...document.querySelectorAll('.choice')].at(-1).getBoundingClientRect().bottom"
    assert chromium.run(apart) >= 8, "a finger would show the answer"
    assert chromium.run("document.querySelector('.open').offsetHeight") >= 40
    assert chromium.run("window.player.end") == 0  # one picture, that before the step that tells it
    before = chromium.run("window.player.place.textContent")
    chromium.run("document.querySelectorAll('.choice')[0].click()")
    assert "You said 16. It is 32." in text()
    assert "32." in text()
    assert chromium.run("window.player.end") > 0
    assert chromium.run("window.player.place.textContent") != before
    assert chromium.run("document.querySelectorAll('.choice')[1].textContent").startswith("✓")
    chromium.run("window.lesson.on.click()")
    assert "Waiting for you: set Tile size to 16" in text()
    assert chromium.run("[...document.querySelectorAll('.lesson li')].map(each => each.textContent)") == ["one", "two"]
    chromium.run("window.lesson.on.click()")
    assert chromium.run("window.lesson.on.disabled")
    chromium.run("window.lesson.back.click()")
    assert "You said 16. It is 32." in text()
    assert chromium.requests == [path.as_uri()]
    bar = "(({ top, bottom }) => [top >= 0, bottom <= innerHeight])(window.player.controls.getBoundingClientRect())"
    chromium.run("window.lesson.enter(0)")
    for width, height in ((1100, 600), (1280, 720), (1366, 768), (1920, 1080)):  # the source and the step below the stage need more
        chromium.size(width, height)
        chromium.run("window.player.sentence.textContent = 'A long sentence of a step. '.repeat(40)")
        assert chromium.run(bar) == [True, True], (width, height)
    for width in (400, 1280, 1500, 1920):
        chromium.size(width, 1200)
        chromium.open(f"{path.as_uri()}#only=stage")
        chromium.until("window.lesson !== undefined")
        assert chromium.run("window.player.canvas.getBoundingClientRect().width") == width, "the frame is the drawing's alone"
    chromium.size(1280, 720)
    asked = """(text, lane) => {
        const said = [], question = { right: [4], tolerance: 1e-9, lane, said: ["no {given}", "yes {given}"], unknown: "" };
        const refused = {}, asking = { words: window.lesson.words, step: { question }, tell: text => said.push(text) };
        window.lesson.give.call(asking, text, refused);
        return said[0] || refused.textContent;
    }"""
    given = [("4.0", "false"), ("4.0", "true"), ("\uff14", "true"), ("32", "true")]
    said = [str(chromium.run(f"({asked})({text!r}, {lane})")) for text, lane in given]
    assert said == ["yes 4.0", "Write a number.", "yes \uff14", "Write a number."]  # as the program takes lanes: whole, from 0 to 31
