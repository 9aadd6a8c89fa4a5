"""The panel of the challenges: their list with what was made of each, or the one that is tried."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.library import challenges
from app.core.challenges.practice import Practice, Trying
from app.core.challenges.words import state_of
from app.qt.binding import bind
from app.qt.challenges.try_page import PanelActions, TryPage, hide_button
from app.qt.lessons.panel import side_width
from app.qt.lessons.step_page import MARGIN
from app.qt.lessons.wide_button import WideButton
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.rule import rule
from kernels.messages import message


class ListPage(QWidget):
    """One button a challenge, in teaching order."""

    def __init__(self, look: Look, practice: Practice, actions: PanelActions) -> None:
        super().__init__()
        self._look = look
        self._rows = [(each, self._row(each, actions)) for each in challenges()]
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, 6, 8, 6)
        head.addWidget(label(look, message("Challenges"), "step"), 1)
        head.addWidget(hide_button(look, actions.hide))
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(MARGIN, 10, MARGIN, 14)
        rows.setSpacing(6)
        told = label(look, message("Kernels with a defect. Edit them until their traces meet the targets."), "body", rank=2)
        told.setWordWrap(True)
        rows.addWidget(told)
        for _, row in self._rows:
            rows.addWidget(row)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the challenge that has the focus
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule(vertical=False))
        column.addWidget(area, 1)
        bind(self, practice.progress.records, lambda _records: self._show(practice))

    def _row(self, challenge: Challenge, actions: PanelActions) -> WideButton:
        text = challenge.text(self._look.translator.language)
        row = WideButton(self._look, text.title)
        row.setToolTip(text.summary)
        row.clicked.connect(lambda: actions.open(challenge))
        return row

    def _show(self, practice: Practice) -> None:
        for challenge, row in self._rows:
            record = practice.progress.of(challenge.id)
            row.show_mark("✓" if record.solved else "", self._look.text(state_of(record)), chosen=False)


class ChallengesPanel(QStackedWidget):
    """What it shows is in the practice: built anew for another look it shows the same challenge."""

    def __init__(self, look: Look, practice: Practice, actions: PanelActions, window_width: int) -> None:
        super().__init__()
        self._look = look
        self._practice = practice
        self._actions = actions
        self._challenge: Challenge | None = None
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(side_width(look, window_width))
        bind(self, practice.trying, self._show)

    def _show(self, trying: Trying | None) -> None:
        challenge = None if trying is None else trying.challenge
        if self.count() and challenge is self._challenge:
            return
        self._challenge = challenge
        page = ListPage(self._look, self._practice, self._actions) if trying is None else self._page(trying)
        before = self.currentWidget()
        self.addWidget(page)
        self.setCurrentWidget(page)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()

    def _page(self, trying: Trying) -> TryPage:
        return TryPage(self._look, self._practice, trying, self._actions)
