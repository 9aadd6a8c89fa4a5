"""The step card: the words of the present step, in a frame that keeps its height."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.cpu_view.index import TraceIndex
from app.core.inspector.finding_rows import finding_rows
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.stage.step_card import StepCard
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.simt.base.launch import Filled
from tests.launches.launch_records import record_of


def card_of(qtbot: QtBot) -> tuple[StepCard, StageModel]:
    variant = catalogue.by_id("cpu.blocked")
    model = StageModel()
    model.shown.value = TraceIndex(trace(variant, Problem.square(Operation.MATMUL, 8), {"tile": 4}, seed=1))
    card = StepCard(Look(theme("dark"), Translator("en")), model)
    qtbot.addWidget(card)
    card.resize(484, card.sizeHint().height())
    return card, model


def texts(card: StepCard) -> set[str]:
    return {label.text() for label in card.findChildren(QLabel)}


def test_the_card_tells_the_step(qtbot: QtBot) -> None:
    card, model = card_of(qtbot)
    model.timeline.scrub(2)
    picture = model.picture.value
    assert picture is not None
    assert {str(picture.description.sentence), str(picture.description.place), str(picture.description.coming)} <= texts(card)
    for label, value in picture.description.facts:
        assert {str(label), str(value)} <= texts(card)


def test_the_card_keeps_its_height(qtbot: QtBot) -> None:
    card, model = card_of(qtbot)
    heights = set()
    for step in (0, 1, 2, 50, model.timeline.extent.value.steps):
        model.timeline.scrub(step)
        heights.add(card.sizeHint().height())
    assert len(heights) == 1


def test_without_a_trace_the_card_says_nothing(qtbot: QtBot) -> None:
    card, model = card_of(qtbot)
    model.shown.value = None
    assert {text.strip() for text in texts(card) if "now" not in text} <= {""}


def test_a_finding_is_told_at_its_step(qtbot: QtBot) -> None:
    model = StageModel()
    unwritten = "__global__ void f(float* A) { __shared__ float s[32]; A[threadIdx.x] = 1; A[threadIdx.x] = s[threadIdx.x]; }"
    index = record_of(unwritten, 32, {"A": Filled(32)})
    model.shown.value = index
    card = StepCard(Look(theme("light"), Translator("en")), model)
    qtbot.addWidget(card)
    (row,) = [each for each in finding_rows(index) if each.severe]
    assert row.step
    assert card.fault.isHidden()
    model.timeline.scrub(row.step)
    assert str(row.sentence) in card.fault.text()
    model.timeline.scrub(0)
    assert card.fault.isHidden()


def test_where_rows_have_no_room_the_facts_are_said_in_a_line(qtbot: QtBot) -> None:
    card, model = card_of(qtbot)
    card.show()
    model.timeline.scrub(2)
    picture = model.picture.value
    assert picture is not None
    card.fit(QSize(484, 600))
    assert not card.brief.isVisible()
    whole = card.sizeHint().height()
    card.fit(QSize(484, 440))
    assert card.brief.isVisible()
    assert card.sizeHint().height() < whole
    assert card.brief.text().startswith(" · ".join(f"{name}: {value}" for name, value in picture.description.facts))
    card.fit(QSize(484, 280))
    assert not card.brief.isVisible()
