"""Players of the stage: what painters draw is read back whole, and a browser shows the pixels that the window would."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.cli.export.player import USUAL
from app.core.base.i18n import Translator
from app.core.export.clips.encoding import CANCELLED
from app.core.export.display_list import Fill, Glyphs, Raster, Stroke
from app.core.export.kinds import PictureSize
from app.core.export.picture_text import ExportSubject
from app.core.frames.views import View
from app.core.gpu_view.shared.executed import instructions_at
from app.core.stage.model import GpuPicture, StageModel
from app.core.stage.pointing import Pointed
from app.qt.base.look import Look
from app.qt.export.clip import pixels_of
from app.qt.export.display_recorder import FINE, DisplayRecorder
from app.qt.export.export_view import ExportedStage, export_theme
from app.qt.export.exported_stage import pointing
from app.qt.export.figure import settle
from app.qt.export.played import PlayedStage
from app.qt.export.player_recording import PlayerDrawing
from app.qt.views.view import StageView
from app.qt.widgets.labels import ElidedLabel
from kernels.base.messages import message
from tests.launches.launch_records import launch_of
from tests.screens.browsers import CHROMIUM, Chromium

SIZE = PictureSize(1200, 640)
FIRST = 126
LAUNCHES = {6: ("gpu.mma-bf16", 64), 7: ("gpu.mma-swizzled-bf16", 64), 8: ("gpu.async", 64)}
"""What the views of particular instructions are looked at with."""
CANVAS = "document.querySelector('canvas').getBoundingClientRect()"
LARGE = "document.querySelector('button.large')"


def exported(look: Look, view: int = 0, size: PictureSize = SIZE) -> ExportedStage:
    model, (variant, n) = StageModel(), LAUNCHES.get(view, ("gpu.tiled", 32))
    model.shown.value = launch_of(variant, n)
    return ExportedStage(look, model, ExportSubject(message("Tiled"), ()), view, size.width)


def written(path: Path, last: int, view: int = 0, size: PictureSize = SIZE) -> PlayerDrawing:
    steps, link = range(FIRST, last + 1), "tilescope:abc"
    drawing = PlayerDrawing(path, lambda look: PlayedStage(look, exported(look, view, size)), steps, size, Translator("en"), link)
    while not drawing.done:
        drawing.step()
    return drawing


class Shapes(QWidget):
    """One of each thing that painters draw."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(2, 3, 10, 20, QColor("#123456"))
        painter.setPen(QColor(1, 2, 3, 128))
        painter.drawLine(0, 0, 30, 40)
        painter.setPen(QColor("#000000"))
        painter.drawText(QPoint(5, 30), "il")
        image = QImage(2, 1, QImage.Format.Format_RGBA8888)
        image.setPixelColor(0, 0, QColor("#ff0000"))
        image.setPixelColor(1, 0, QColor(0, 255, 0, 51))
        painter.drawImage(QPoint(7, 8), image)
        painter.fillRect(20, 20, 9, 9, QBrush(QColor("#0000ff"), Qt.BrushStyle.BDiagPattern))
        painter.end()


def test_what_is_drawn_is_told(qtbot: QtBot) -> None:
    shapes = Shapes()
    qtbot.addWidget(shapes)
    shapes.resize(60, 50)
    marks = DisplayRecorder().record(shapes)
    assert Fill("#123456ff", "M2 3h10v20h-10Z", (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), even=False) in [_plain(each) for each in marks]
    strokes = [each for each in marks if isinstance(each, Stroke)]
    assert (strokes[0].colour, strokes[0].width) == ("#01020380", 1.0)
    (text,) = [each for each in marks if isinstance(each, Glyphs)]
    first, second = text.glyphs
    assert first[0] != second[0]
    assert first[1:] == (5.0, 30.0)
    assert second[1] > first[1]
    (image,) = [each for each in marks if isinstance(each, Raster)]
    assert image.pixels.tolist() == [[0xFF0000FF, 0x00FF0033]]
    assert image.place == (7.0, 8.0, 2.0, 1.0)
    (hatched,) = [each for each in marks if isinstance(each, Fill) and each.hatch]
    assert (hatched.colour, hatched.hatch) == ("#0000ffff", "0102040810204080")


def _plain(mark: object) -> object:
    """Which of two ways fills a rectangle is all the same."""
    return replace(mark, even=False) if isinstance(mark, Fill) else mark


def test_a_step_is_written_as_it_differs_from_the_one_before(qtbot: QtBot, tmp_path: Path) -> None:
    few, many = tmp_path / "few.html", tmp_path / "many.html"
    assert written(few, FIRST + 1).reason is None
    drawing = written(many, FIRST + 21)
    assert (drawing.drawn, drawing.total) == (22, 22)
    assert many.stat().st_size < 2.5 * few.stat().st_size


def test_a_player_that_is_cancelled_leaves_no_file(qtbot: QtBot, tmp_path: Path) -> None:
    drawing = PlayerDrawing(tmp_path / "scene.html", lambda look: PlayedStage(look, exported(look)), range(10), SIZE, Translator("en"), "")
    drawing.step()
    drawing.cancel()
    assert drawing.done
    assert drawing.reason == CANCELLED
    assert list(tmp_path.iterdir()) == []


def test_each_step_points_at_the_lane_of_its_own_warp(qtbot: QtBot) -> None:
    made = pointing(exported(Look(export_theme("light"), Translator("en")), View.FRAGMENTS), Pointed(13, "mma"))
    seen = set()
    for step in range(90, 130):
        made.show(float(step))
        picture = made.model.picture.value
        assert isinstance(picture, GpuPicture)
        names = instructions_at(picture.index, picture.frame)
        assert made.model.pinned.value.thread == picture.frame.first_thread + 13
        assert made.model.choices.instruction.value == (names.index("mma.m16n8k16.f32.bf16.bf16.f32") if len(names) == 2 else 0)
        seen.add((len(names), picture.frame.warp))
    assert {names for names, _ in seen} >= {1, 2}
    assert len({warp for _, warp in seen}) > 1
    made.close()


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    browser = Chromium(tmp_path / "browser")
    browser.size(SIZE.width, SIZE.height)
    yield browser
    browser.close()


def opened(browser: Chromium, page: Path, asked: str = "") -> None:
    browser.open(f"{page.as_uri()}#{asked}")
    browser.until("window.player !== undefined")
    browser.rest()


def window(theme: str, step: int, view: int = 0) -> np.ndarray:
    """What the painters draw on a screen."""
    made = exported(Look(export_theme(theme), Translator("en")), view)
    settle(made.widget, QSize(SIZE.width, SIZE.height))
    made.show(float(step))
    for drawn in made.widget.findChildren(StageView):
        drawn.drawn_at = FINE
    image = QImage(SIZE.width * FINE, SIZE.height * FINE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(FINE)
    painter = QPainter(image)
    made.widget.render(painter, QPoint(0, 0))
    painter.end()
    made.close()
    return np.asarray(Image.fromarray(pixels_of(image)).reduce(FINE), np.int16)


@pytest.mark.parametrize(("theme", "view"), [("light", 0), ("dark", 0), *(("light", view) for view in View)])
def test_a_browser_shows_what_the_window_does(qtbot: QtBot, tmp_path: Path, chromium: Chromium, theme: str, view: int) -> None:
    page = tmp_path / "scene.html"
    assert written(page, FIRST + 12, view).reason is None
    chromium.size(SIZE.width, SIZE.height, scale=FINE)
    for step in (FIRST, FIRST + 12):
        opened(chromium, page, f"step={step + 1}&theme={theme}&only=stage")
        with Image.open(BytesIO(chromium.picture())) as image:
            drawn = np.asarray(image.convert("RGB").reduce(FINE), np.int16)
        expected = window(theme, step, view)
        assert drawn.shape == expected.shape
        assert _unlike(drawn, expected) < 0.002
    if view == 0:
        assert _unlike(expected, window(theme, FIRST, view)) > 0.004  # a comparison that tells steps apart


def _unlike(one: np.ndarray, other: np.ndarray) -> float:
    """The share of pixels that differ by more than edges do that are smoothed in another way."""
    return float((np.abs(one - other).max(axis=2) > 96).mean())


def test_the_words_are_elements_of_the_page(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    opened(chromium, page, f"step={FIRST + 2}")
    steps = launch_of("gpu.tiled", 32).steps
    said = f"Steps {FIRST + 1}–{FIRST + 3} of {steps}"
    assert chromium.run(f"document.body.innerText.split('{said}').length - 1") == 1, "once a page"
    assert chromium.run("document.querySelector('.place').textContent") == f"{said} · 128 / {steps}"
    assert chromium.run("document.querySelector('h1').textContent") == "Tiled"
    assert chromium.run("document.querySelectorAll('.now').length") == 1
    assert chromium.run("document.querySelector('.open').href") == f"tilescope:abc?step={FIRST + 2}"
    chromium.press("End")
    assert chromium.run("document.querySelector('.place').textContent") == f"{said} · 129 / {steps}"


def test_of_a_page_with_all_steps_no_range_is_said(qtbot: QtBot) -> None:
    look = Look(export_theme("light"), Translator("en"))
    played = PlayedStage(look, exported(look))
    steps = launch_of("gpu.tiled", 32).steps
    assert [played.facts(shown)["range"] for shown in (range(steps), range(60))] == ["", f"Steps 1–60 of {steps}"]
    played.close()


def test_what_fills_its_frame_shows_the_focus_within_it(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    opened(chromium, page)
    for stop in ("canvas", "pre"):
        chromium.run(f"document.querySelector('{stop}').focus({{focusVisible: true}})")
        style = f"getComputedStyle(document.querySelector('{stop}'))"
        width, offset = (float(chromium.run(f"parseFloat({style}.{part})")) for part in ("outlineWidth", "outlineOffset"))
        assert width == 3.0
        assert width + offset <= 0, f"the frame of {stop} cuts off what lies beyond it"


def test_keys_move_and_each_step_is_read_aloud(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 4)
    opened(chromium, page)
    said = set()
    for key, step in (("End", 4), ("ArrowLeft", 3), ("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        chromium.press(key)
        assert chromium.run("window.player.step") == step
        told = chromium.run("document.querySelector('[aria-live]').textContent")
        assert told == chromium.run("(({place, title, sentence}) => [place, title, sentence].join('. '))(window.player.now)")
        said.add(told)
        label = chromium.run("document.querySelector('canvas').getAttribute('aria-label')")
        assert label.startswith(chromium.run("window.player.now.title"))
    assert len(said) == 5
    chromium.press("Home")
    chromium.press(" ")
    chromium.until("window.player.step === 4 && window.player.since === null")
    focused = []
    for _ in range(12):
        chromium.press("Tab")
        focused.append(chromium.run("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"))
    assert {"Play", "To the first step", "Step", "Speed", "Light or dark", "Open in Tilescope", "Source"} <= set(focused)


def test_a_finger_strokes_from_step_to_step(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 4)
    chromium.size(400, 800, touch=True)
    opened(chromium, page)
    x, y = chromium.run(f"(box => [box.x + box.width / 2, box.y + box.height - 4])({CANVAS})")
    chromium.stroke(x, y, -100)
    chromium.until("window.player.step === 1")
    chromium.stroke(x, y, 100)
    chromium.until("window.player.step === 0")
    assert chromium.run("document.documentElement.scrollWidth") <= 400


def test_on_a_narrow_screen_the_drawing_is_as_large_as_drawn_when_asked(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    chromium.size(400, 800)
    opened(chromium, page)
    assert chromium.run(f"{CANVAS}.width") < 400
    for width, pressed in ((SIZE.width, "true"), (376, "false")):
        chromium.run(f"{LARGE}.click()")
        chromium.until(f"Math.abs({CANVAS}.width - {width}) <= 2")
        assert chromium.run(f"{LARGE}.getAttribute('aria-pressed')") == pressed
        assert chromium.run("document.documentElement.scrollWidth") <= 400
    for width, height, display in ((1280, 720, "block"), (1920, 1080, "none"), (1920, 600, "block")):
        chromium.size(width, height)
        chromium.until(f"getComputedStyle({LARGE}).display === '{display}'")


def test_a_drawing_as_large_as_drawn_is_not_scrolled_where_it_has_room_and_nothing_goes_round_in_circles(
    qtbot: QtBot, tmp_path: Path, chromium: Chromium
) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    chromium.size(1920, 640)
    opened(chromium, page)
    chromium.run("void (window.errors = [], addEventListener('error', ({ message }) => window.errors.push(message)))")
    for width, height in ((1920, 640), (400, 800), (1280, 720), (1920, 640)):
        chromium.size(width, height)
        chromium.run(f"{LARGE}.click()")
        chromium.rest()
    chromium.run(f"{LARGE}.click()")
    chromium.until(f"Math.abs({CANVAS}.width - {SIZE.width}) <= 1")
    assert chromium.run("window.player.stage.scrollWidth - window.player.stage.clientWidth") == 0
    assert chromium.run("window.errors") == []


def test_a_view_alone_names_no_key_that_a_picture_does_not_have(qtbot: QtBot) -> None:
    made = exported(Look(export_theme("light"), Translator("en")), View.THREADS)
    said = [label.text() for label in made.widget.findChildren(ElidedLabel)]
    assert "Threads" in said
    assert not [text for text in said if "Esc" in text]
    settle(made.widget, QSize(SIZE.width, SIZE.height))
    assert "one block, 8 warps" in [label.text() for label in made.widget.findChildren(ElidedLabel)]
    made.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768), (1920, 1080)])
def test_on_a_laptop_drawing_words_and_bar_are_in_sight_and_type_keeps_its_size(
    qtbot: QtBot, tmp_path: Path, chromium: Chromium, width: int, height: int
) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2, View.FRAGMENTS, PictureSize(*map(int, USUAL["scene"].split("x"))))
    chromium.size(width, height)
    opened(chromium, page)
    chromium.until(f"{CANVAS}.width / window.player.scene.size[0] > 0.9")
    chromium.until(f"getComputedStyle({LARGE}).display === 'none'")
    assert chromium.run(
        f"({LARGE}.hidden = false, window.player.fit(), {LARGE}.hidden)"
    )  # told by the layout, not by a frame that comes later
    bar, drawn, card, code = (
        chromium.run(f"(({{ top, bottom }}) => [top, bottom])(document.querySelector('{part}').getBoundingClientRect())")
        for part in (".controls", "canvas", ".step", ".code")
    )
    assert max(drawn[1], card[1]) <= bar[0]
    assert bar[1] <= height
    assert code[1] - code[0] >= 300


_WHOLE = """(() => {
    const [drawn, words] = [window.player.canvas, window.player.card].map(part => part.getBoundingClientRect().bottom);
    const { top, bottom } = window.player.controls.getBoundingClientRect();
    return Math.max(drawn, words) <= top && bottom <= innerHeight;
})()"""
"""Whether the picture, all words and the bar are in the window."""


@pytest.mark.parametrize(("width", "height"), [(1280, 590), (1366, 640), (1000, 640), (400, 800)])
def test_in_a_browser_window_of_a_laptop_nothing_lies_under_the_bar_and_the_line_stays_in_sight(
    qtbot: QtBot, tmp_path: Path, chromium: Chromium, width: int, height: int
) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2, size=PictureSize(*map(int, USUAL["scene"].split("x"))))
    chromium.size(1920, 1080)
    opened(chromium, page)
    chromium.size(width, height)
    chromium.until(f"innerHeight === {height} && {_WHOLE} && {_LIT}[0]")
    chromium.run("window.player.now.sentence = 'A sentence of a step. '.repeat(9); window.player.open(0)")
    longest = chromium.run("window.player.card.offsetHeight")
    assert chromium.run(_WHOLE)
    chromium.run("window.player.go(window.player.end - window.player.step)")
    assert chromium.run("window.player.card.offsetHeight") == longest, "what lies below it moves with the length of a sentence"


_BAR = """(() => {
    const { top, bottom } = window.player.controls.getBoundingClientRect();
    const rows = new Set([...window.player.controls.querySelectorAll('button')].filter(({ offsetParent }) => offsetParent)
        .map(({ offsetTop }) => offsetTop));
    return [top >= 0 && bottom <= innerHeight, rows.size];
})()"""
"""Whether all of the bar is in sight, and in how many rows its buttons are."""


def test_on_a_laptop_the_bar_is_in_sight_however_tall_the_page_is(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    chromium.size(1280, 720)
    opened(chromium, page)
    chromium.run("document.querySelector('.parts').style.minHeight = '900px'")
    assert chromium.run(_BAR) == [True, 1]
    chromium.run("window.scrollTo(0, document.documentElement.scrollHeight)")
    assert chromium.run(_BAR) == [True, 1]


def test_on_a_narrow_screen_the_bar_is_in_sight_in_two_rows(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    chromium.size(400, 800)
    opened(chromium, page)
    chromium.run("window.player.now.place = 'Event 11 of 18 · line 126'; window.player.show(0)")
    assert chromium.run(_BAR) == [True, 2]
    chromium.run("window.player.sentence.textContent = 'A long sentence of a step. '.repeat(40)")
    assert chromium.run(_BAR) == [True, 2]
    chromium.size(400, 300)
    assert not chromium.run(_BAR)[0], "where it would cover all else"


def test_who_wants_little_motion_gets_the_slowest_speed_and_nothing_plays_by_itself(
    qtbot: QtBot, tmp_path: Path, chromium: Chromium
) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    chromium.size(1200, 700, calm=True)
    opened(chromium, page)
    assert chromium.run("window.player.speed.value") == "1"
    assert chromium.run("window.player.since") is None


def test_what_is_pointed_at_says_lane_and_element(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    opened(chromium, page)
    spots = chromium.run(
        "window.player.now.spots.flatMap(view => { const list = window.player.scene.spots[view], found = [];"
        " for (let at = 0; at < list.length; at += 3) found.push(["
        "window.player.scene.places[list[at]], window.player.scene.said[list[at + 1]]]);"
        " return found; })"
    )
    scale = chromium.run(f"{CANVAS}.width") / SIZE.width
    left, top = chromium.run(f"(box => [box.x, box.y])({CANVAS})")
    seen = set()
    for (x, y, width, height), text in (spots[0], spots[len(spots) // 2], spots[-1]):
        chromium.move(left + (x + width / 2) * scale, top + (y + height / 2) * scale)
        assert chromium.run("document.querySelector('.tip.shown').textContent") == text
        seen.add(text)
    assert len(seen) == 3
    said = [text for _, text in spots]
    assert any("In this step: lanes" in text and "A[" in text for text in said)
    assert any(text.startswith("Lane 0 of warp") for text in said)


def test_keys_go_through_what_is_drawn_and_it_is_read_aloud(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 2)
    opened(chromium, page)
    tip, told = "document.querySelector('.tip.shown')?.textContent", "document.querySelector('[aria-live]').textContent"
    chromium.press("ArrowRight")
    assert chromium.run("window.player.step") == 1
    for _ in range(12):
        if chromium.run("document.activeElement.tagName") == "CANVAS":
            break
        chromium.press("Tab")
    assert "arrow keys" in chromium.run(tip)
    chromium.press("Enter")
    seen = [chromium.run(tip)]
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
        chromium.press(key)
        seen.append(chromium.run(tip))
        assert chromium.run(told) == seen[-1]
        ring, scale = "document.querySelector('.ring.shown').getBoundingClientRect()", chromium.run("window.player.scale")
        across, down = chromium.run(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({ring})")
        left, top = chromium.run(f"(({{x, y}}) => [x, y])({CANVAS})")
        x, y, width, height = chromium.run("window.player.chosen.place")
        assert across == pytest.approx(left + (x + width / 2) * scale, abs=0.6)
        assert down == pytest.approx(top + (y + height / 2) * scale, abs=0.6)
    assert len(set(seen)) > 3
    assert chromium.run("window.player.step") == 1
    chromium.press("Escape")
    assert chromium.run("document.querySelector('.ring.shown')") is None
    chromium.press("ArrowRight")
    assert chromium.run("window.player.step") == 2


_LIT = """(() => {
    const code = window.player.lit.firstChild, box = window.player.text.getBoundingClientRect(), range = document.createRange();
    range.selectNodeContents(code);
    const rows = [...range.getClientRects()].filter(({ width }) => width > 0);
    const inside = rows.every(({ left, right, top, bottom }) =>
        left >= box.left && right <= box.left + window.player.text.clientWidth && top >= box.top && bottom <= box.bottom);
    return [inside, rows.length, rows.slice(1).every(({ left }) => left > code.getBoundingClientRect().left)];
})()"""
"""Whether all rows of the executed line are in sight, how many they are, and whether the others hang."""


@pytest.mark.parametrize("width", [400, 1280, 1920])
def test_the_executed_line_is_whole(qtbot: QtBot, tmp_path: Path, chromium: Chromium, width: int) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 1)
    chromium.size(width, 800)
    opened(chromium, page)
    assert chromium.run(_LIT)[0]
    terms = " + ".join(f"As[ty][{number}] * Bs[{number}][tx]" for number in range(8))
    chromium.run(f"void (window.player.chapter.source[window.player.now.line - 1] = '        sum += {terms};')")
    chromium.run("window.player.open(0)")
    inside, rows, hung = chromium.run(_LIT)
    assert (inside, rows > 1, hung) == (True, True, True)


def test_on_a_narrow_screen_the_executed_line_is_not_under_the_bar(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 1)
    chromium.size(400, 800)
    opened(chromium, page)
    chromium.run("void (window.player.scene.steps[0].sentence = 'A sentence of a step. '.repeat(7))")
    chromium.run("void window.player.chapter.source.splice(window.player.now.line)")
    chromium.run("window.player.open(0)")
    under = "window.player.lit.getBoundingClientRect().bottom - window.player.controls.getBoundingClientRect().top"
    assert chromium.run(under) <= 0


def test_the_executed_line_stays_in_sight_when_the_window_changes(qtbot: QtBot, tmp_path: Path, chromium: Chromium) -> None:
    page = tmp_path / "scene.html"
    written(page, FIRST + 1)
    chromium.size(1040, 560)
    opened(chromium, page)
    for width, height in ((1280, 720), (420, 900), (1280, 500)):
        chromium.size(width, height)
        qtbot.waitUntil(lambda: bool(chromium.run(_LIT)[0]))
