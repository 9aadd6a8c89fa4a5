"""Heading of a device's rungs: its name, its state and a box for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QWidget

from app.core.ladder.sentences import group_hint, group_state
from app.qt.base.look import Look
from app.qt.widgets.labels import ElidedLabel, label
from kernels.base.devices import DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device

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
        self._state.setProperty("rank", "3")
        row = QHBoxLayout(self)
        row.setContentsMargins(RAIL_BOX_MARGIN if rail else BOX_MARGIN, 6, 0 if rail else 8, 4)
        row.setSpacing(6 if rail else 8)
        row.addWidget(self.box)
        row.addWidget(picture)
        row.addWidget(label(look, title, "label", rank=2), 1 if rail else 0)
        if not rail:
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
