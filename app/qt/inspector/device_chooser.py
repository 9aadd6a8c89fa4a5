"""Which GPU occupancy, waves and the roofline are worked out for."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.core.inspector.own_profile import own_profile
from app.core.workbench import Workbench
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.analysis.devices import Profile, profiles
from kernels.devices import DeviceStatus
from kernels.messages import message
from kernels.spec import Device


class DeviceChooser(QWidget):
    """A list of device profiles; this machine's own GPU is marked once it is known."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._session = workbench.session
        self._profiles = profiles()
        title = label(look, message("Device profile"), rank=2)
        self.box = QComboBox()
        self.box.setFont(look.theme.font("body"))
        self.box.setAccessibleName(look.text(message("Device profile")))
        self.box.setMinimumContentsLength(12)
        for profile in self._profiles:
            self.box.addItem(profile.name, profile.id)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(title, 1)
        row.addWidget(self.box)
        bind(self, workbench.devices, self._mark_own)
        bind(self, self._session.profile, self._show_profile)
        self.box.activated.connect(self._choose)

    def _mark_own(self, statuses: Mapping[Device, DeviceStatus]) -> None:
        own = own_profile(statuses, self._profiles)
        for place, profile in enumerate(self._profiles):
            mine = message("{device} (this machine)", device=profile.name)
            self.box.setItemText(place, self._look.text(mine) if profile == own else profile.name)

    def _show_profile(self, profile: Profile) -> None:
        self.box.setCurrentIndex(self.box.findData(profile.id))

    def _choose(self, place: int) -> None:
        self._session.profile.value = self._profiles[place]
