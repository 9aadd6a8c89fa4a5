"""Command palette: a field, and below it all that answers what is typed there, in whichever language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QWidget,
)

from app.core.base.i18n import LANGUAGES, Translator
from app.core.help.fuzzy import rank
from app.qt.base.commands import Place, shown_keys
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay
from kernels.base.messages import message
from kernels.base.values import dataclass

TITLE = message("Find a command")
MOST = 60
"""Rows that are listed at once."""
_SIZE, _ROW, _TOP = (640, 460), 30, 56
_TYPED = -1.0
"""The rank of what was typed by its identifier: before all that only begins so."""
_OF_KIND = -2.0
"""The same, where its kind was typed as well: a rung, a lesson and a challenge may have one identifier."""
_UNSEEN = 0.25
"""Of a rank, for a name that is not in the list: less than between two ways to answer, more than between the lengths of two names."""
_PLACE = Qt.ItemDataRole.UserRole
_HANDED_ON = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class _Rows(QStyledItemDelegate):
    """A title, and at the right what it is and its keys."""

    def __init__(self, look: Look, owner: QWidget) -> None:
        super().__init__(owner)
        self._look = look

    def sizeHint(self, _option: object, _index: object) -> QSize:
        return QSize(0, self._look.px(_ROW))

    def paint(self, painter: QPainter, option: Any, index: QModelIndex | QPersistentModelIndex) -> None:
        look, area = self._look, QRectF(option.rect).adjusted(10, 0, -10, 0)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(option.rect, look.theme.bg3)
            painter.fillRect(QRectF(option.rect.left(), area.top(), 3, area.height()), look.theme.ink)
        place: Place = index.data(_PLACE)
        aside = "   ".join(part for part in (look.text(place.kind), shown_keys(place.keys) if place.keys else "") if part)
        painter.setFont(look.theme.font("small"))
        painter.setPen(look.theme.t2)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, aside)
        room = area.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(aside) - 12, 0)
        painter.setFont(look.theme.font("section" if chosen else "body"))
        painter.setPen(look.theme.t1)
        title = painter.fontMetrics().elidedText(place.title(look.translator), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)


@dataclass(frozen=True, slots=True)
class _Named:
    """A place with its titles in all languages, and the words of its kind in all."""

    place: Place
    titles: tuple[str, ...]
    kind: frozenset[str]

    def found(self, typed: str) -> float | None:
        """How well it answers; words of its kind beside others say no more than that."""
        words = typed.casefold().split()
        others = " ".join(word for word in words if word not in self.kind)
        known = [_found(typed, self.titles, self.place.also)]
        if others and others != " ".join(words):
            left = _found(others, self.titles, self.place.also)
            known.append(_OF_KIND if left == _TYPED else left)
        return min((each for each in known if each is not None), default=None)


def _named(place: Place, translators: Sequence[Translator]) -> _Named:
    kinds = " ".join(each.text(place.kind) for each in translators)
    return _Named(place, tuple(map(place.title, translators)), frozenset(re.findall(r"\w+", kinds.casefold())))


def _found(typed: str, titles: Sequence[str], also: str) -> float | None:
    """How well a place answers: one whose identifier was typed, with its device or without, before one that says so in its title, and that
    before one whose identifier only begins so."""
    identifier = also.casefold()
    if identifier and "-".join(typed.casefold().split()) in (identifier, identifier.partition(".")[2]):
        return _TYPED
    known = rank(typed, (also,))
    found = (rank(typed, titles), None if known is None else known + _UNSEEN)
    return min((each for each in found if each is not None), default=None)


class Palette(Overlay):
    """Return does what is marked, the arrows mark another; `places` are asked for anew each time that it is opened."""

    def __init__(
        self, look: Look, over: QWidget, places: Callable[[], Sequence[Place]], of_link: Callable[[str], Place | None] = lambda _typed: None
    ) -> None:
        """`of_link` says where a link leads that is typed or pasted, None for any other text."""
        super().__init__(look, over, self._upper)
        self._find_places, self._of_link = places, of_link
        self._translators = [Translator(language) for language in LANGUAGES]
        self._named: list[_Named] = []
        self.field = QLineEdit()
        self.field.setFont(look.theme.font("body"))
        said = look.text(message("A command, setting, rung, lesson, or word of the help"))
        self.field.setPlaceholderText(said)
        self.field.setAccessibleName(said)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(lambda: self._go(self.list.currentItem()))
        self.list: QListWidget = QListWidget()
        self.list.setAccessibleName(look.text(message("What answers")))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(_Rows(look, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._go)
        self._none = label(look, message("Nothing is called that."), rank=2)
        for part in (self.field, self._none):
            self.column.addWidget(part)
        self.column.addWidget(self.list, 1)

    def toggle(self) -> None:
        """Open it with an empty field, or close it."""
        if not self.isHidden():
            self.leave()
            return
        self._ask()
        self.field.clear()
        self._fill("")
        self.open(TITLE, self.field)

    def ask_again(self) -> None:
        """Take over what has come while it is open: lessons are read in the background."""
        if not self.isHidden():
            chosen = self.list.currentItem().text() if self.list.count() else ""
            self._ask()
            self._fill(self.field.text())
            self.list.setCurrentRow(self.shown.index(chosen) if chosen in self.shown else 0)

    def _ask(self) -> None:
        self._named = [_named(place, self._translators) for place in self._find_places()]

    @property
    def shown(self) -> list[str]:
        """The titles that are listed."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The field hands on what goes through the list."""
        if event.key() in _HANDED_ON:
            self.list.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def _fill(self, typed: str) -> None:
        ranked = [(near + each.place.behind, number) for number, each in enumerate(self._named) if (near := each.found(typed)) is not None]
        ordered = sorted(ranked) if typed.strip() else ranked
        linked = self._of_link(typed)
        found = [self._named[number].place for _, number in ordered[:MOST]] if linked is None else [linked]
        self.list.clear()
        for place in found:
            item = QListWidgetItem(place.title(self.look.translator))
            item.setData(_PLACE, place)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._none.setVisible(not found)

    def _go(self, item: QListWidgetItem | None) -> None:
        """Close first: what is called may open something of its own, or take the focus."""
        if item is not None:
            place: Place = item.data(_PLACE)
            self.leave()
            place.go()

    def _upper(self, area: QRect) -> QRect:
        wide, high, top = map(self.look.px, (*_SIZE, _TOP))
        width, height = min(wide, area.width() - 24), min(high, area.height() - top - 12)
        return QRect(area.left() + (area.width() - width) // 2, area.top() + top, width, height)
