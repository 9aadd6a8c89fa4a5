"""The occupancy of the shown launch on the chosen device, with what limits it and what is taken for granted."""

from __future__ import annotations

from app.core.inspector.occupancy_words import SOURCES, occupancy_card
from app.core.launch.index import LaunchIndex
from app.core.workbench import Workbench
from app.qt.binding import bind
from app.qt.inspector.device_chooser import DeviceChooser
from app.qt.inspector.section import Section
from app.qt.inspector.warp_slots import WarpSlots
from app.qt.look import Look
from app.qt.widgets.labels import label, repolish
from app.qt.widgets.number_field import NumberField
from kernels.analysis.occupancy import REGISTERS_PER_THREAD
from kernels.messages import Message, message

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
        bind(self, workbench.exploration.compiled.source, lambda _source: self._show())

    def _choose_registers(self, registers: int) -> Message | None:
        name = self.look.text(message("Registers a thread"))
        if registers < FEWEST_REGISTERS:
            return message("{name} must be at least {minimum}, not {value}.", name=name, minimum=FEWEST_REGISTERS, value=registers)
        if registers > REGISTERS_PER_THREAD:
            return message("{name} must be at most {maximum}, not {value}.", name=name, maximum=REGISTERS_PER_THREAD, value=registers)
        self._workbench.exploration.compiled.choose_registers(registers)
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
        source = SOURCES[self._workbench.exploration.compiled.source.value]
        self._source.setText(self.look.text(message("{registers} registers, {source}", registers=stage.registers.value, source=source)))
