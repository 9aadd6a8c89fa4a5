"""Sectors in the view of global memory: all are numbered or none is, and the words below agree with each other and with the picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES, Translator
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.sectors import accessed_sectors, sentence
from app.core.gpu_view.selection import NOTHING
from app.core.gpu_view.step_texts import tell_launch
from app.core.stage.model import GpuPicture, StageModel, picture_of
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.sector_lines import EDGE, ROW_NAME
from app.qt.views.frame import ViewFrame
from app.qt.widgets.labels import ElidedLabel
from tests.launches.launch_records import launch_of, record_of


def reading(place: str, block: int = 32) -> LaunchIndex:
    """A warp that reads an element each: which, `place` says of lane `t`."""
    text = f'extern "C" __global__ void f(const float* a, float* b) {{ int t = threadIdx.x; b[t] = a[{place}]; }}'
    return record_of(text, block, {"a": np.zeros(256, np.float32), "b": np.zeros(32, np.float32)})


def painted(view: GlobalView, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that a view paints."""
    found: list[str] = []
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        found.append(given[-1])
        return draw(painter, *given)

    with monkeypatch.context() as patched:
        patched.setattr(QPainter, "drawText", noted)
        view.grab()
    return found


@pytest.mark.parametrize(("place", "numbers", "legend"), [
    ("t", {"0–7", "8–15", "16–23", "24–31"}, "Numbers are lanes."),
    ("t < 28 ? t : 27", {"0–7", "8–15", "16–23", "24–31"}, "Numbers are lanes; hatched bytes move unused."),
    # the even lanes are too many to be written into a sector, lane 1 is not
    ("t % 2 == 0 ? 0 : t == 1 ? 8 : 16", set(), "Hatched bytes move unused. Point at a sector, or press Return, for its lanes."),
    ("t == 1 ? 8 : t % 2 ? 9 + t % 7 : t / 2 % 8", set(), "Point at a sector, or press Return, for its lanes."),
])  # fmt: skip
def test_the_lanes_stand_in_all_sectors_or_in_none_and_the_legend_says_which(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, place: str, numbers: set[str], legend: str
) -> None:
    model = StageModel()
    view = GlobalView(Look(theme("light"), Translator("en")), model)
    qtbot.addWidget(view)
    view.resize(640, 400)
    model.shown.value = reading(place)
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    found = painted(view, monkeypatch)
    assert {text for text in found if "–" in text} == numbers
    assert found.count("1") == 1, "in the lane's own token"
    assert [text for text in found if "move unused" in text or "lanes." in text] == [legend]


@pytest.mark.parametrize(("place", "wasted"), [("0", False), ("t", False), ("8 * t", True)])
def test_bytes_are_called_wasted_only_where_fewer_sectors_would_do(place: str, wasted: bool) -> None:
    index = reading(place)
    frame = frame_at(index, 0)
    access = accessed_sectors(index, frame)
    assert access is not None
    for language in LANGUAGES:
        text = Translator(language).text
        said, facts = text(sentence(access)), " ".join(text(value) for _, value in tell_launch(index, frame).facts)
        assert (("moves is wasted" in said) or ("浪费 " in said)) == wasted
        assert (("as few as can be" in facts) or ("不能更少" in facts)) != wasted


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_header_says_its_fact_shorter_or_not_at_all_rather_than_cut(qtbot: QtBot, language: str) -> None:
    model, look, window = StageModel(), Look(theme("light"), Translator(language)), QWidget()
    qtbot.addWidget(window)
    frame = ViewFrame(look, 4, GlobalView(look, model), lambda: None, window)
    model.shown.value = reading("t")
    frame.show_picture(model.picture.value)
    window.show()
    frame.show()
    seen = set()
    for width in range(160, 700, 6):
        frame.resize(width, 200)
        QApplication.processEvents()
        label = frame.findChildren(ElidedLabel)[1]
        if label.isVisible():
            seen.add(label._fitting())
    assert len(seen) == 2
    assert not [text for text in seen if "…" in text]


def test_in_chinese_a_cache_line_is_not_called_as_the_row_of_a_matrix(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are 行: each is named as the glossary does, also where a row has four digits."""
    view = GlobalView(Look(theme("light"), Translator("zh_CN")), StageModel())
    qtbot.addWidget(view)
    view.resize(620, 420)
    shown = picture_of(launch_of("gpu.tiled", 64), 0, 0.2, NOTHING)
    assert isinstance(shown, GpuPicture)
    view.show_picture(shown)
    assert {"矩阵行 0", "矩阵行 1"} <= set(painted(view, monkeypatch))
    for said in (view.fact(shown), view.brief(shown), view.table(shown).titles[-1]):
        assert said is not None
        assert "缓存行" in view.look.text(said)
    assert QFontMetricsF(view.look.theme.font("small")).horizontalAdvance("矩阵行 1023") <= ROW_NAME + EDGE


def test_the_lanes_stand_on_the_bytes_that_they_want_where_these_have_room(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stood on the hatched half, as if they had asked for that."""
    model = StageModel()
    view = GlobalView(Look(theme("light"), Translator("en")), model)
    qtbot.addWidget(view)
    view.resize(640, 400)
    model.shown.value = reading("t / 4 * 8 + t % 4")
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    view.show_picture(picture)
    found: dict[str, QRectF] = {}
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        found[given[-1]] = given[0]
        return draw(painter, *given)

    with monkeypatch.context() as patched:
        patched.setattr(QPainter, "drawText", noted)
        view.grab()
    access = view._access(picture)
    assert access is not None
    sector = view._places(access)[0].sectors[0]
    assert found["0–3"].right() <= sector.center().x() + 1
