"""Rungs of one operation in groups by device, each with a box to tick, and among them the text that is edited."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.core.ladder.sentences import group_hint, group_state
from app.core.session.draft import Draft
from app.core.session.session import Session
from app.qt.base.look import Look
from app.qt.ladder.rung_button import RungButton
from app.qt.widgets.labels import ElidedLabel, label
from app.qt.widgets.pointing import Pointing
from app.qt.widgets.terms import named_tip
from kernels.base.devices import DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue import catalogue

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


class RungGroups(QWidget):
    """The groups of one operation. `point` is told the rung that is pointed at, None when none is any more."""

    def __init__(
        self, look: Look, session: Session, operation: Operation, rail: bool, point: Callable[[Variant | None], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._look, self._session, self._rail, self._point = look, session, rail, point
        self.rungs: dict[str, RungButton] = {}
        self.boxes: dict[str, QCheckBox] = {}
        self.headings: dict[Device, GroupHeading] = {}
        self.draft_rung: RungButton | None = None
        self._rows: dict[str, QHBoxLayout] = {}
        self._below = ""
        """The id of the rung that the text stands below."""
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(0)
        for device in GROUPS:
            rungs = [variant for variant in catalogue.of(operation) if variant.device is device]
            if rungs:
                self.headings[device] = GroupHeading(look, device, rail, partial(session.tick_all, rungs))
                column.addWidget(self.headings[device])
            for variant in rungs:
                column.addLayout(self._row(variant))
            column.addSpacing(10)
        self._end = column.count()
        column.addStretch(1)

    @property
    def buttons(self) -> list[RungButton]:
        """All rungs from top to bottom."""
        found = list(self.rungs.values())
        if self.draft_rung is not None:
            found.insert(list(self.rungs).index(self._below) + 1 if self._below else len(found), self.draft_rung)
        return found

    def place_draft(self, draft: Draft | None) -> None:
        """Show the text that is edited, where there is one, below the rung that it began as, else below all of them."""
        if self.draft_rung is not None and (row := self.draft_rung.parentWidget()) is not None:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
            self.draft_rung = None
        if draft is None or (draft.variant_id and draft.variant_id not in self.rungs):
            return
        self._below = draft.variant_id
        place, number = self._end, "+"
        if self._below:
            place, number = self._column.indexOf(self._rows[self._below]) + 1, f"{catalogue.by_id(self._below).rung}a"
        self._column.insertWidget(place, self._draft_row(draft, number))

    def _row(self, variant: Variant) -> QHBoxLayout:
        details = variant.id, self._look.text(variant.idea)
        rung = RungButton(self._look, str(variant.rung), self._look.text(variant.title), details, self._rail)
        rung.explain(named_tip(self._look, variant.features))
        rung.clicked.connect(lambda: self._session.choose_variant(variant))
        Pointing(rung, lambda pointed: self._point(variant if pointed else None))
        box = QCheckBox()
        box.setAccessibleName(self._look.text(message("Measure {variant}", variant=variant.title)))
        box.toggled.connect(lambda ticked: self._session.tick(variant, ticked))
        row = _row_of(self._rail, box, rung)
        self.rungs[variant.id], self.boxes[variant.id], self._rows[variant.id] = rung, box, row
        return row

    def _draft_row(self, draft: Draft, number: str) -> QWidget:
        """The text that is edited."""
        idea = self._look.text(message("The text that you edit. It comes back here until you close it."))
        rung = RungButton(self._look, number, self._look.text(draft.title), (draft.name, idea), self._rail)
        self.draft_rung = rung
        rung.clicked.connect(lambda: self._session.draft_editor.resume())
        row = QWidget()
        row.setLayout(_row_of(self._rail, rung))
        return row


def _row_of(rail: bool, *parts: QWidget) -> QHBoxLayout:
    """A rung, behind its box where it has one."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addSpacing(RAIL_BOX_MARGIN if rail else BOX_MARGIN)
    for part in parts:
        row.addWidget(part, int(isinstance(part, RungButton)))
    return row
