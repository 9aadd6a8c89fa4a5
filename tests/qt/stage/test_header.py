"""The stage's header: in little room the loop indices, or the block, give way, and the phase stays whole."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.session.session import Session
from app.core.stage.controller import StageController
from app.core.stage.model import StageModel
from app.core.stage.playground import Playground
from app.core.tracing.stage_tracer import StageReply
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.stage.panel import LATE_MS, StagePanel
from tests.launches.launch_records import launch_of

LOOK = Look(theme("light"), Translator("en"))


def test_the_block_gives_way_to_the_phase_and_comes_back(qtbot: QtBot) -> None:
    model = StageModel()
    window = QWidget()
    qtbot.addWidget(window)
    panel = StagePanel(LOOK, model, parent=window)
    window.show()
    model.shown.value = launch_of("gpu.tiled", 64)
    for width, shown in ((900, True), (300, False), (900, True)):
        panel.resize(width, 500)
        for part in (panel, panel._header_widget):
            layout = part.layout()
            assert layout is not None
            layout.activate()
        assert panel._indices.isVisible() == shown
        assert panel._phase.width() >= panel._phase.sizeHint().width()


def test_a_picture_is_marked_while_the_next_one_takes_long(qtbot: QtBot) -> None:
    model = StageModel()
    panel = StagePanel(LOOK, model)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    panel.show()
    model.shown.value = launch_of("gpu.tiled", 64)
    view = panel.frames[0].view
    fresh = view.grab().toImage()
    model.outdated.value = True
    qtbot.wait(LATE_MS // 3)
    assert not panel._late.isVisible(), "a quick change does not flicker"
    qtbot.waitUntil(panel._late.isVisible)
    assert view.grab().toImage() != fresh
    model.outdated.value = False
    assert not panel._late.isVisible()
    assert view.grab().toImage() == fresh
    assert not panel._soon_late.isActive()


class SlowTracer:
    """Gives what the test has made."""

    def __init__(self) -> None:
        self.made: StageReply | None = None

    def request(self, _work: Any, _progress: float) -> None:
        """Begin nothing."""

    def poll(self) -> StageReply | None:
        made, self.made = self.made, None
        return made


def test_a_sketch_is_what_was_asked_for_until_a_second_setting_is_changed(qtbot: QtBot) -> None:
    session, model, tracer = Session("gpu.tiled"), StageModel(), SlowTracer()
    controller = StageController(session, model, cast("Any", tracer), Playground(session.draft_editor))
    panel = StagePanel(LOOK, model)
    qtbot.addWidget(panel)
    panel.show()
    controller.ask()
    qtbot.waitUntil(panel._late.isVisible)
    sketch = launch_of("gpu.tiled", 64)
    tracer.made = StageReply(sketch.subject, sketch.record, final=False)
    controller.tick()
    assert not panel._late.isVisible()
    qtbot.wait(2 * LATE_MS)
    assert (model.busy.value, panel._late.isVisible(), model.late.value) == (True, False, False)
    assert session.set_stage_parameter("tile", 8) is None
    qtbot.waitUntil(panel._late.isVisible)
    assert model.late.value
