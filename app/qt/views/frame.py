"""Frame of a view with its header: number, title, one fact and the badge of the verdict on the step.

The badge is a check mark on grey, an outline, or a filled triangle. The number is always written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.core.base.picture_parts import Verdict
from app.core.stage.model import AnyPicture
from app.qt.base.binding import set_shown
from app.qt.base.look import Look
from app.qt.views.view import StageView
from app.qt.widgets.labels import ElidedLabel, SteadyLabel
from app.qt.widgets.terms import term_tip, with_terms
from kernels.base.messages import message

HEIGHT = 22
CHECK, WARNING = "✓", "▲"


class Badge(SteadyLabel):
    """Empty while there is no verdict; its place is kept for the next one."""

    def __init__(self, look: Look) -> None:
        super().__init__(look.theme.font("label"), ground=look.theme.bg3)
        self._look = look
        self._shown: Verdict | None = None
        self._texts: tuple[str, ...] = ()
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedHeight(look.px(HEIGHT))

    def show_verdict(self, verdict: Verdict | None) -> None:
        """Say it; nothing is done where it is what is said already."""
        if verdict == self._shown:
            return
        self._shown = verdict
        theme, self._texts = self._look.theme, ()
        text = "" if verdict is None else self._look.text(verdict.text)
        self.setToolTip("" if verdict is None else with_terms(text, term_tip(self._look, verdict.text)))
        if verdict is None:
            self.setText("")
            return
        if verdict.good:
            self.colour(theme.t1, theme.bg3, theme.bg3)
        elif verdict.severe:
            self.colour(theme.bad, theme.bad_bg, theme.bad)
        else:
            self.colour(theme.bad, theme.bg1, theme.bad)
        sign = f"{CHECK} " if verdict.good else f"{WARNING} " if verdict.severe else ""
        self._texts = tuple(f"{sign}{self._look.text(each)}" for each in (verdict.text, verdict.brief) if each is not None)
        self.setText(self._texts[0])

    def fit(self, room: int) -> None:
        """Say it in so many pixels, in brief words where the whole has no room."""
        for text in self._texts:
            self.setText(text)
            if self.needed <= room:
                return


HEADER = 34
_MARGIN, _SPACING = 12, 8
_WAY_BACK = message("Esc: all views")
"""Instead of a fact, where a view is alone that has nothing to show."""
_LEAST_FACT = 30
"""Pixels from which on a fact is worth beginning."""


class ViewFrame(QWidget):
    """Frame of a view, with its header. `maximise` is called when its number is pressed."""

    def __init__(self, look: Look, number: int, view: StageView[Any], maximise: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.view = view
        view.magnify(look)
        self.setProperty("surface", "canvas")
        self.number = _number_button(look, number, view, maximise)
        self._name = ElidedLabel(look.text(view.title))
        self._name.setFont(look.theme.font("section"))
        self._name.explain(term_tip(look, view.title))
        self._fact = ElidedLabel()
        self._fact.setFont(look.theme.font("small"))
        self._fact.setProperty("rank", "3")
        self._badge = Badge(look)
        self.leads_back = True
        """Whether Escape leads back to all views, as it does in the window."""
        self._said = "", ""
        self._empty = False
        header = QHBoxLayout()
        header.setContentsMargins(_MARGIN, 5, _MARGIN, 5)
        header.setSpacing(_SPACING)
        header.addWidget(self.number)
        header.addWidget(self._name)
        header.addWidget(self._fact, 1)
        header.addStretch()
        header.addWidget(self._badge)
        bar = QWidget()
        bar.setFixedHeight(look.px(HEADER))
        bar.setMinimumWidth(1)  # how wide its parts are follows its own width, and must not keep it from becoming narrower
        bar.setLayout(header)
        bar.setProperty("surface", "canvas")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(view, 1)

    @property
    def heading(self) -> str:
        """What the header calls the picture."""
        return self._name.text()

    def show_picture(self, picture: AnyPicture | None) -> None:
        """Show it in the view, and say its fact and verdict."""
        if picture is None and self._empty:
            return
        self._empty = picture is None
        self.view.show_picture(picture)
        before = self._name.text(), self._badge.sizeHint(), self._badge.needed, self._fact.needed
        self._name.setText(self._look.text(self.view.title if picture is None else self.view.heading(picture)))
        self._say_fact(picture)
        self._badge.show_verdict(self.view.verdict(picture) if picture is not None else None)
        if (self._name.text(), self._badge.sizeHint(), self._badge.needed, self._fact.needed) != before:
            self._divide(self.width())

    def _say_fact(self, picture: AnyPicture | None) -> None:
        facts = (self.view.fact(picture), self.view.brief(picture)) if picture is not None else (None, None)
        if picture is not None and facts[0] is None and self.leads_back and self.view.model.alone.value:
            facts = _WAY_BACK, None
        fact, brief = (self._look.text(each) if each is not None else "" for each in facts)
        if (fact, brief) != self._said:
            self._said = fact, brief
            self._fact.say(fact, brief)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._say_fact(self.view.picture)  # some facts need a width
        self._divide(event.size().width())
        super().resizeEvent(event)

    def _divide(self, width: int) -> None:
        """Give the verdict its room first, in brief words where the name would have none beside it; then the name, then verdicts that
        were longer, and what is left to the fact.

        A fact is left out where there is no room for its briefest words.
        """
        name = self._name.sizeHint().width()
        room = width - 2 * _MARGIN - self.number.width() - 2 * _SPACING
        self._badge.fit(room - name)
        verdict = max(self._badge.needed, min(self._badge.sizeHint().width(), room - name))
        self._badge.setMinimumWidth(max(1, min(verdict, room)))
        self._name.setMinimumWidth(max(1, min(name, room - verdict)))
        set_shown(self._fact, room - verdict - name - _SPACING >= max(self._look.px(_LEAST_FACT), self._fact.needed))


def _number_button(look: Look, number: int, view: StageView[Any], maximise: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    button.setText(str(number))
    button.setFont(look.theme.font("small"))
    button.setFixedSize(look.px(24), look.px(24))
    line, ink = look.theme.line2.name(), look.theme.ink.name()
    button.setStyleSheet(f"QToolButton {{ padding: 0; border: 1px solid {line}; }} QToolButton:focus {{ border: 2px solid {ink}; }}")
    hint = look.text(message("{title}: alone, or with the others ({key})", title=look.text(view.title), key=number))
    button.setToolTip(hint)
    button.setAccessibleName(hint)
    button.clicked.connect(lambda: maximise())
    return button
