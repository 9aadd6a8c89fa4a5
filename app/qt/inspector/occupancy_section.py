"""Occupancy in the inspector: the warp slots of one SM, filled block by block, what limits them and what is assumed.

The device chosen here is also the one for waves and the roofline.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.occupancy_sentences import SOURCES, occupancy_card, own_profile
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.inspector.section import Section
from app.qt.widgets.choice_box import PlainBox
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import label, repolish
from app.qt.widgets.zoomed import Zoomed
from kernels.analysis.device_profiles import Profile, profiles
from kernels.base.architectures import REGISTERS_PER_THREAD
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device

_HEIGHT = 16
_BLOCK_GAP = 2.0


class WarpSlots(Zoomed):
    """Warp slots of an SM: one cell a place. Neighbouring blocks have two tones, and a wider gap between them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._slots = self._blocks = self._warps = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, _HEIGHT))

    def show_slots(self, slots: int, blocks: int, warps: int) -> None:
        """`slots` places, of which each of `blocks` blocks takes `warps`."""
        self._slots, self._blocks, self._warps = slots, blocks, warps
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._slots:
            return
        theme, painter = self._look.theme, self.painter()
        pitch = (self.width() - _BLOCK_GAP * max(self._blocks, 1)) / self._slots
        for slot in range(self._slots):
            block = min(slot // max(self._warps, 1), self._blocks)
            area = QRectF(slot * pitch + block * _BLOCK_GAP, 0.5, max(pitch - 1, 1), _HEIGHT - 1)
            if block < self._blocks:
                painter.fillRect(area, theme.t3 if block % 2 else theme.ink)
            else:
                painter.setPen(QPen(theme.line2, 1))
                painter.drawRect(area)


class DeviceChooser(QWidget):
    """A list of device profiles; this machine's own GPU is marked once it is known."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._session = workbench.session
        self._profiles = profiles()
        title = label(look, message("Device profile"), rank=2)
        self.box = PlainBox(look)
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


FEWEST_REGISTERS = 16


class OccupancySection(Section):
    """Follows the launch, the device and the registers."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__(look, message("Occupancy, theoretical"))
        self._workbench = workbench
        self.remark.setFont(look.theme.font("section"))
        self.remark.setProperty("rank", "1")
        self.slots = WarpSlots(look)
        self.slots.setAccessibleName(look.text(message("Places for warps of an SM")))
        self._words = label(look, "", "small")
        self._words.setWordWrap(True)
        self._others = label(look, "", "small", rank=3)
        self._others.setWordWrap(True)
        self.registers = NumberField(look, message("Registers a thread"), self._choose_registers)
        self._source = label(look, "", "small", rank=3)
        self._source.setWordWrap(True)
        self.device = DeviceChooser(look, workbench)
        for part in (self.device, self.slots, self._words, self._others, self.registers, self._source):
            self.column.addWidget(part)
        stage = workbench.stage
        bind(self, stage.shown, lambda _shown: self._show())
        bind(self, stage.profile, lambda _profile: self._show())
        bind(self, stage.registers, lambda _registers: self._show())
        bind(self, workbench.studies.compiled.source, lambda _source: self._show())

    def _choose_registers(self, registers: int) -> Message | None:
        name = self.look.text(message("Registers a thread"))
        if registers < FEWEST_REGISTERS:
            return message("{name} must be at least {minimum}, not {value}.", name=name, minimum=FEWEST_REGISTERS, value=registers)
        if registers > REGISTERS_PER_THREAD:
            return message("{name} must be at most {maximum}, not {value}.", name=name, maximum=REGISTERS_PER_THREAD, value=registers)
        self._workbench.studies.compiled.choose_registers(registers)
        return None

    def _show(self) -> None:
        stage = self._workbench.stage
        shown, profile = stage.shown.value, stage.profile.value
        if not isinstance(shown, LaunchIndex) or profile is None:
            return
        card = occupancy_card(shown, profile, stage.registers.value)
        percent = message("{percent} %", percent=card.percent)
        self.remark.setText("✕" if card.occupancy.refusal is not None else self.look.text(percent))
        self.slots.show_slots(card.slots, card.blocks, card.warps)
        self.slots.setAccessibleDescription(self.look.text(percent))
        self._words.setText(self.look.paragraph(self.look.text(sentence) for sentence in card.sentences))
        self._others.setText(self.look.paragraph(self.look.text(sentence) for sentence in card.others))
        self._others.setVisible(bool(card.others))
        self._words.setProperty("tone", "bad" if card.occupancy.refusal is not None else "")
        repolish(self._words)
        self.registers.show_value(stage.registers.value)
        source = SOURCES[self._workbench.studies.compiled.source.value]
        self._source.setText(self.look.text(message("{registers} registers, {source}", registers=stage.registers.value, source=source)))
