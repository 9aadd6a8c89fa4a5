"""The line above the rungs of one device, and the line that ticks them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QLabel, QToolButton, QWidget

from app.core.rung_groups import group_hint, group_state
from app.qt.look import Look
from app.qt.widgets.elided_label import ElidedLabel
from app.qt.widgets.labels import label
from kernels.devices import DeviceStatus
from kernels.messages import Message, message
from kernels.spec import Device

_GROUPS = {
    Device.CPU: (message("CPU"), "cpu"),
    Device.MPI: (message("MPI"), "network"),
    Device.GPU: (message("GPU"), "gpu"),
}
GROUPS = tuple(_GROUPS)
"""The devices from top to bottom."""
BOX_MARGIN, RAIL_BOX_MARGIN = 12, 4
"""Where boxes begin."""


class GroupBox(QCheckBox):
    """A box for several: filled in part where some are ticked. Pressed, it ticks all of them, or none where all are."""

    def nextCheckState(self) -> None:
        ticked = self.checkState() is Qt.CheckState.Checked
        self.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)


class GroupHeading(QWidget):
    """A device's name and its state; in the timing workspace a box for all of its rungs."""

    def __init__(self, look: Look, device: Device, rail: bool, tick: Callable[[bool], None]) -> None:
        super().__init__()
        self._look = look
        title, icon = _GROUPS[device]
        self._title = look.text(title)
        self.box = GroupBox()
        self.box.setTristate(True)
        self.box.setAccessibleName(look.text(message("Measure every rung of {group}", group=title)))
        self.box.clicked.connect(lambda: tick(self.box.checkState() is Qt.CheckState.Checked))
        picture = QLabel()
        picture.setPixmap(look.icon(icon).pixmap(look.px(16), look.px(16)))
        self._state = ElidedLabel(self)
        self._state.setVisible(not rail)
        self._state.setFont(look.theme.font("caption"))
        self._state.setProperty("rank", "3")
        row = QHBoxLayout(self)
        row.setContentsMargins(RAIL_BOX_MARGIN if rail else BOX_MARGIN, 6, 0 if rail else 8, 4)
        row.setSpacing(0 if rail else 8)
        row.addWidget(self.box)
        row.addWidget(picture, 1 if rail else 0, Qt.AlignmentFlag.AlignCenter)
        if not rail:
            row.addWidget(label(look, title, "label", rank=2))
            row.addWidget(self._state, 1)

    def show_ticks(self, ticked: Iterable[bool]) -> None:
        """How many of the rungs are ticked: all, some or none."""
        states = set(ticked)
        some = Qt.CheckState.PartiallyChecked if True in states else Qt.CheckState.Unchecked
        self.box.setCheckState(Qt.CheckState.Checked if states == {True} else some)

    def show_status(self, status: DeviceStatus, workers: int) -> None:
        """Whether the rungs can run here, on as many threads or ranks as they are asked to."""
        state = group_state(status, workers)
        said = "" if state is None else self._look.text(state)
        self._state.setText(said)
        lines = (f"<b>{escape(self._title)}</b> {escape(said)}", *(escape(self._look.text(hint)) for hint in group_hint(status, workers)))
        self.setToolTip("".join(f"<p>{line}</p>" for line in lines))
        self.setAccessibleName(f"{self._title} {said}".strip())


class TickBar(QWidget):
    """Ticks all rungs, or none."""

    def __init__(self, look: Look, rail: bool, tick: Callable[[bool], None]) -> None:
        super().__init__()
        row = QBoxLayout(QBoxLayout.Direction.TopToBottom if rail else QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(2 if rail else 8, 6, 2 if rail else 8, 0)
        row.setSpacing(2)
        if not rail:
            row.addWidget(label(look, message("Tick to measure"), "caption", rank=3), 1)
        commands: tuple[tuple[Message, Message, bool], ...] = (
            (message("All"), message("Tick every rung whose device is here"), True),
            (message("None"), message("Tick no rung"), False),
        )
        for text, hint, ticked in commands:
            button = QToolButton()
            button.setText(look.text(text))
            button.setFont(look.theme.font("small"))
            button.setStyleSheet("QToolButton { padding: 4px 2px; }" if rail else "")
            button.setToolTip(look.text(hint))
            button.setAccessibleName(look.text(hint))
            button.clicked.connect(lambda _=False, ticked=ticked: tick(ticked))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
