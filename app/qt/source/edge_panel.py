"""Edges of the draft: what was tried, what happened and on which line, as a table. A press on a row makes its launch the current one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLayout, QToolButton, QVBoxLayout, QWidget

from app.core.base.picture_parts import Table
from app.core.execution.edge_rows import EdgeRow, edge_outcome, row_of, verdict_text
from app.core.stage.edge_checks import EdgeSearch, Search
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.text_table import TextTable
from kernels.base.messages import Message, message
from kernels.exploration.edge_cases import Plan

HEIGHT, LEAST, ROW = 124, 48, 22
"""Pixels of the table where there is room, and where there is little."""
KEYS = "Ctrl+Shift+T"
MARKS = {True: "✕", False: "✓", None: "·"}
TITLES = (message("Tried"), message("Outcome"), message("What happened"))


def edges_button(look: Look, called: Callable[[], object]) -> QToolButton:
    """The button that searches the edges, where a launch is edited."""
    title = message("Check edges")
    button = _small_button(look, title, called)
    button.setToolTip(f"{look.text(message('Check the edges: sizes and indices that break kernels'))} ({KEYS})")
    return button


def show_where_room(button: QToolButton, row: QLayout, room: int) -> None:
    """Show a button that the menu has too, unless its row would need more than so many pixels with it."""
    button.setVisible(True)
    row.invalidate()
    button.setVisible(row.minimumSize().width() <= room)


def _small_button(look: Look, title: Message, called: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    button.setText(look.text(title))
    button.setFont(look.theme.font("small"))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.clicked.connect(lambda _=False: called())
    return button


class EdgeTable(TextTable):
    """Rows that are pressed with the pointer, or with the key Return."""

    def __init__(self, look: Look, press: EdgeSearch) -> None:
        super().__init__(look)
        self._search = press
        self.setAccessibleName(look.text(message("Edges that were tried")))
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.clicked.connect(self._press)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._press(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _press(self, index: QModelIndex) -> None:
        state = self._search.state.value
        if state is not None and index.row() < len(state.tried):
            self._search.show(state.tried[index.row()])


class EdgePanel(QWidget):
    """Panel of the search for edges, hidden until edges are searched. While that goes on it says how far it is, and can be stopped."""

    def __init__(self, look: Look, search: EdgeSearch) -> None:
        super().__init__()
        self._look, self._search = look, search
        self.said = label(look, "", "small")
        self.said.setWordWrap(True)
        self.notes = label(look, "", "small", rank=2)
        self.notes.setWordWrap(True)
        self.varied = self._button(message("What was varied"), lambda: None)
        self.varied.setCheckable(True)
        self.varied.toggled.connect(self.notes.setVisible)
        self.smallest = self._button(message("Launch the smallest"), self._show_smallest)
        self.stop = self._button(message("Stop"), search.cancel)
        self.leave = self._button(message("Close"), search.close)
        self.table = EdgeTable(look, search)
        self.table.setMinimumHeight(look.px(LEAST))
        self.table.setMaximumHeight(look.px(HEIGHT))
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.smallest, self.varied, self.stop, self.leave):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 8, 6)
        column.setSpacing(4)
        column.addWidget(self.said)
        column.addLayout(buttons)
        column.addWidget(self.notes)
        column.addWidget(self.table)
        self.notes.hide()
        bind(self, search.state, self._show)

    def _button(self, title: Message, called: Callable[[], object]) -> QToolButton:
        return _small_button(self._look, title, called)

    def _show_smallest(self) -> None:
        state = self._search.state.value
        if state is not None and state.smallest is not None:
            self._search.show(state.smallest)

    def _show(self, state: Search | None) -> None:
        set_shown(self, state is not None)
        if state is None:
            return
        self.said.setText(self._look.text(_state_text(state)))
        self.stop.setVisible(state.running)
        self.leave.setVisible(not state.running)
        self.smallest.setVisible(state.smallest is not None)
        self.table.setVisible(bool(state.tried))
        self.table.show_table(Table(TITLES, tuple(self._cells(row_of(each), compared=state.compared) for each in state.tried)))
        if state.smallest is not None and not state.running:
            self.table.scrollTo(self.table.model().index(state.tried.index(state.smallest), 0))
        notes = [] if state.plan is None or state.running else [*state.plan.varied, *state.plan.kept, *_compared(state)]
        self.notes.setText(self._look.paragraph(self._look.text(each) for each in notes))
        self.varied.setVisible(bool(notes))
        self.notes.setVisible(bool(notes) and self.varied.isChecked())

    def _cells(self, row: EdgeRow, *, compared: bool) -> tuple[Message | str, ...]:
        outcome = edge_outcome(row, compared=compared)
        said = message("{outcome}, line {line}", outcome=outcome, line=row.line) if row.line else outcome
        return row.title, f"{MARKS[row.fails]} {self._look.text(said)}", row.said or ""


def _state_text(state: Search) -> Message:
    """How far a search is, or what came of it."""
    if state.plan is None:
        return state.reason or message("Looking for what can be varied…")
    planned, tried = len(state.plan.edges), len(state.tried)
    if state.running:
        return message("Trying {number} of {count}…", number=min(tried + 1, planned), count=planned)
    return verdict_text(state.tried, planned, compared=state.compared)


def _compared(state: Search) -> tuple[Message, ...]:
    if not isinstance(state.plan, Plan):
        return ()
    if state.compared:
        return (message("The results were compared with right ones."),)
    return (message("What right results are is not known: accesses, races, barriers and uninitialised reads were looked at."),)
