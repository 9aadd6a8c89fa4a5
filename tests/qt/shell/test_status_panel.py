"""The status bar: what it says for a moment only, and that it never makes the window wider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest
from pytestqt.qtbot import QtBot

from app.core.base.i18n import Translator
from app.core.base.observable import Field
from app.core.stage.model import NO_NEXT_INSTRUCTION
from app.core.state.states import STATE_SHOWN
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.shell.status_panel import PASSING_MS, REASON_LEAST, WRITTEN_MS, StatusPanel
from app.qt.widgets.labels import ElidedLabel
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device


class Said:
    """What of a workbench the bar shows; no device is known."""

    tell, withdraw = Workbench.tell, Workbench.withdraw

    def __init__(self) -> None:
        self.devices: Field[Mapping[Device, DeviceStatus]] = Field({})
        self.activity: Field[Message | None] = Field(None)


@pytest.fixture
def bench() -> Workbench:
    return cast(Workbench, Said())


@pytest.fixture
def panel(qtbot: QtBot, bench: Workbench) -> StatusPanel:
    made = StatusPanel(Look(theme("light"), Translator("en")), bench)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("said", [STATE_SHOWN, *NO_NEXT_INSTRUCTION])
def test_what_holds_for_the_moment_is_said_for_a_moment(bench: Workbench, panel: StatusPanel, said: Message) -> None:
    """Minutes later it would be untrue: other things are shown then, and may have been measured."""
    bench.tell(said)
    assert panel._passing.isActive()
    panel._passing.timeout.emit()
    assert bench.activity.value is None
    other = message("Tick rungs in the ladder to measure them.")
    bench.tell(other)
    panel._passing.timeout.emit()
    assert bench.activity.value == other


def test_that_a_file_was_written_is_said_for_a_minute(bench: Workbench, panel: StatusPanel) -> None:
    bench.tell(STATE_SHOWN)
    assert panel._passing.interval() == PASSING_MS
    bench.tell(message("Written: {path}", path="a.csv"))
    assert panel._passing.isActive()
    assert panel._passing.interval() == WRITTEN_MS
    panel._passing.timeout.emit()
    assert bench.activity.value is None


def test_a_long_sentence_is_shortened_and_leaves_the_window_as_it_is(bench: Workbench, panel: StatusPanel) -> None:
    narrow = panel.minimumSizeHint().width()
    bench.tell(STATE_SHOWN)
    assert panel.minimumSizeHint().width() <= narrow + 40


def test_what_was_just_done_is_read_whole_beside_a_long_reason(qtbot: QtBot, bench: Workbench) -> None:
    """The reason why no GPU is timed took the room: "Written: /home/…" was cut, and no key showed the rest."""
    missing = message("{text}", text="CuPy is missing. " * 12)
    bench.devices.value = {Device.GPU: DeviceStatus(Device.GPU, Availability.NO_PACKAGE, "", reason=missing)}
    panel = StatusPanel(Look(theme("light"), Translator("en")), bench)
    qtbot.addWidget(panel)
    panel.resize(1000, 26)
    panel.show()
    qtbot.waitExposed(panel)
    reason, said = panel.findChildren(ElidedLabel)
    before = reason.width()
    written = message("Written: {path}", path="/home/lecturer/slides/the-figure-of-today.svg")
    bench.tell(written)
    qtbot.waitUntil(lambda: said.width() >= said.sizeHint().width())
    assert REASON_LEAST <= reason.width() < before
    bench.withdraw(written)
    qtbot.waitUntil(lambda: reason.width() == before)
