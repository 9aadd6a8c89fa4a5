"""Rungs of one operation in groups by device, each with a box to tick, and among them the text that is edited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.core.session.draft import Draft
from app.core.session.session import Session
from app.qt.base.look import Look
from app.qt.ladder.group_heading import BOX_MARGIN, GROUPS, RAIL_BOX_MARGIN, GroupHeading
from app.qt.ladder.rung_button import RungButton
from app.qt.widgets.pointing import Pointing
from app.qt.widgets.terms import named_tip
from kernels.base.messages import message
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue import catalogue


class RungGroups(QWidget):
    """The groups of one operation. `point` is told of a rung whether it is pointed at."""

    resized = Signal()
    """Names have other lines then, and rungs other places."""

    def __init__(
        self, look: Look, session: Session, operation: Operation, rail: bool, point: Callable[[Variant, bool], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._look, self._session, self._operation, self._rail, self._point = look, session, operation, rail, point
        self.rungs: dict[str, RungButton] = {}
        self.boxes: dict[str, QCheckBox] = {}
        """By the ids of the rungs; none before there is something to tick."""
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @property
    def buttons(self) -> list[RungButton]:
        """All rungs from top to bottom."""
        found = list(self.rungs.values())
        if self.draft_rung is not None:
            found.insert(list(self.rungs).index(self._below) + 1 if self._below else len(found), self.draft_rung)
        return found

    def make_boxes(self) -> None:
        """Put a box before each rung, in sight and for Tab; from now on there are charts to show which line is whose, too."""
        for variant in catalogue.of(self._operation):
            box = self.boxes[variant.id] = QCheckBox()
            box.setAccessibleName(self._look.text(message("Measure {variant}", variant=variant.title)))
            box.setChecked(variant.id in self._session.timing.value.ticked)
            box.toggled.connect(partial(self._session.tick, variant))
            self._rows[variant.id].insertWidget(1, box)
            Pointing(self.rungs[variant.id], partial(self._point, variant))

    @property
    def stops(self) -> list[QWidget]:
        """All that Tab may come to from top to bottom, a box before its rung."""
        variants, device = {self.rungs[each.id]: each for each in catalogue.of(self._operation)}, None
        found = list[QWidget]()
        for rung in self.buttons:
            variant = variants.get(rung)
            if variant is not None and variant.device is not device:
                device = variant.device
                found.append(self.headings[device].box)
            if variant is not None and self.boxes:
                found.append(self.boxes[variant.id])
            found.append(rung)
        return found

    @property
    def all_boxes(self) -> list[QWidget]:
        """The boxes of groups and rungs from top to bottom; none before there is something to tick."""
        return [each for each in self.stops if isinstance(each, QCheckBox)] if self.boxes else []

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
        self.rungs[variant.id], self._rows[variant.id] = rung, _row_of(self._rail, rung)
        return self._rows[variant.id]

    def _draft_row(self, draft: Draft, number: str) -> QWidget:
        """The text that is edited."""
        idea = self._look.text(message("The text that you edit. It comes back here until you close it."))
        rung = RungButton(self._look, number, self._look.text(draft.title), (draft.name, idea), self._rail)
        self.draft_rung = rung
        rung.clicked.connect(lambda: self._session.draft_editor.resume())
        row = QWidget()
        row.setLayout(_row_of(self._rail, rung))
        return row


def _row_of(rail: bool, rung: RungButton) -> QHBoxLayout:
    """A rung behind the room before its box."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addSpacing(RAIL_BOX_MARGIN if rail else BOX_MARGIN)
    row.addWidget(rung, 1)
    return row
