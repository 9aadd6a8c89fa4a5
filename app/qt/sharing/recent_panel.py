"""The states that were looked at before, as a list to choose from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.core.observable import Field
from app.core.state.snapshot import Snapshot
from app.core.state.titles import title_of
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay
from kernels.messages import message

_SIZE = (560, 460)
TITLE = message("Recent states")


class RecentPanel(Overlay):
    """Return or a click shows a state; Escape leaves everything as it is."""

    def __init__(self, look: Look, over: QWidget, states: Field[tuple[Snapshot, ...]], show: Callable[[Snapshot], object]) -> None:
        super().__init__(look, over, partial(_middle, look))
        self._states: tuple[Snapshot, ...] = ()
        self._show = show
        self._empty = label(look, message("Nothing yet: what is looked at for five seconds comes here."), "body", rank=2)
        self._empty.setWordWrap(True)
        self._list = QListWidget()
        self._list.setFont(look.theme.font("section"))
        self._list.setAccessibleName(look.text(TITLE))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.itemActivated.connect(self._chosen)
        self._list.itemClicked.connect(self._chosen)
        self.column.addWidget(self._empty)
        self.column.addWidget(self._list, 1)
        bind(self, states, self._fill)

    def toggle(self) -> None:
        """Show it, or close it."""
        if not self.isHidden():
            self.leave()
            return
        self.open(TITLE, self._list if self._states else self)
        self._list.setCurrentRow(0)

    def _fill(self, states: tuple[Snapshot, ...]) -> None:
        self._states = states
        self._list.clear()
        for state in states:
            item = QListWidgetItem(self.look.text(title_of(state)))
            item.setToolTip(f"{item.text()}\n{state.stage.variant.id}")
            self._list.addItem(item)
        self._empty.setVisible(not states)
        self._list.setVisible(bool(states))

    def _chosen(self, item: QListWidgetItem) -> None:
        state = self._states[self._list.row(item)]
        self.leave()
        self._show(state)


def _middle(look: Look, area: QRect) -> QRect:
    """In the middle of the window, as large as fits."""
    wide, high = map(look.px, _SIZE)
    width, height = min(wide, area.width() - 24), min(high, area.height() - 24)
    return QRect(area.center().x() - width // 2, area.center().y() - height // 2, width, height)
