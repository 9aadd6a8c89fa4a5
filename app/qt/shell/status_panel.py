"""The status bar: each device in plain words, and what runs in the background."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.core.stage.model import NO_NEXT_INSTRUCTION
from app.core.state.states import LINK_SHOWN, STATE_SHOWN
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.widgets.labels import ElidedLabel
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device

PASSING_MS = 15_000
_PASSING = STATE_SHOWN, LINK_SHOWN, *NO_NEXT_INSTRUCTION
"""Sentences that hold for the moment: measuring, another page or another step would make them untrue."""
WRITTEN_MS = 60_000
_WRITTEN = "Written"
"""How sentences begin that tell of a file: they can be read for a minute, and then seem to tell of what is shown by that time."""
_WHOLE, _SHORTENED = QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred
REASON_LEAST = 150
"""Pixels that the reason why a device is not ready keeps beside news: it stands there always, what was just done is said once."""
_NO_LIMIT = (1 << 24) - 1
"""Qt's greatest width of a widget."""
_ICONS = {Device.CPU: "cpu", Device.GPU: "gpu", Device.MPI: "network"}


class StatusPanel(QWidget):
    """Bar of the devices' states, 24 pixels high, always visible."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self.setProperty("surface", "panel")
        self.setProperty("rule", "top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(26))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 0, 12, 0)
        self._row.setSpacing(6)
        self._devices: dict[Device, ElidedLabel] = {}
        for device in workbench.devices.value:
            picture = QLabel()
            picture.setPixmap(look.icon(_ICONS[device], size=14).pixmap(look.px(14), look.px(14)))
            self._devices[device] = _shortened(look)
            self._row.addWidget(picture)
            self._row.addWidget(self._devices[device])
            self._row.addSpacing(12)
        self._row.addStretch(1)
        self._activity = _shortened(look)
        self._row.addWidget(self._activity)
        self._passes: Message | None = None
        self._passing = QTimer(self, singleShot=True)
        self._passing.timeout.connect(lambda: workbench.withdraw(self._passes) if self._passes else None)
        bind(self, workbench.devices, self._show_devices)
        bind(self, workbench.activity, self._show_activity)

    def _show_devices(self, devices: Mapping[Device, DeviceStatus]) -> None:
        for device, where in self._devices.items():
            status = devices[device]
            where.setText(self._look.text(status_sentence(status)))
            where.setSizePolicy(_WHOLE if status.ready else _SHORTENED, _SHORTENED)
            where.explain("\n".join(self._look.text(part) for part in (status.reason, status.remedy) if part))
            where.setAccessibleName(where.text())
        self._make_room()

    def _show_activity(self, activity: Message | None) -> None:
        self._activity.setText("" if activity is None else self._look.text(activity))
        self._make_room()
        written = activity is not None and activity.template.startswith(_WRITTEN)
        self._passes = activity if written or activity in _PASSING else None
        if self._passes:
            self._passing.start(WRITTEN_MS if written else PASSING_MS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Shorten the reasons of devices as far as what is said beside them needs it."""
        reasons = [where for where in self._devices.values() if where.sizePolicy().horizontalPolicy() is _SHORTENED]
        for where in reasons:
            where.setMaximumWidth(_NO_LIMIT)
        if reasons and self._activity.text():
            others = self._row.sizeHint().width() - sum(where.sizeHint().width() for where in reasons)
            each = max(self._look.px(REASON_LEAST), (self.width() - others) // len(reasons))
            for where in reasons:
                where.setMaximumWidth(each)


def _shortened(look: Look) -> ElidedLabel:
    made = ElidedLabel()
    made.setFont(look.theme.font("small"))
    made.setProperty("rank", "2")
    return made


def status_sentence(status: DeviceStatus) -> Message:
    """One device's state in a few words."""
    name = status.name or {Device.CPU: "CPU", Device.GPU: "GPU", Device.MPI: "MPI"}[status.device]
    if status.ready:
        return message("{name}: ready", name=name)
    if status.availability is Availability.PROBING:
        return message("{name}: looking", name=name)
    return message("{name}: {reason}", name=name, reason=status.reason or message("not available"))
