"""The panel at the left that has texts to read, and its pages: a head, a body that scrolls, and a foot of buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt.base.look import Look
from app.qt.widgets.labels import label, rule
from kernels.base.messages import Message

MARGIN = 16
"""Of the texts, at both sides."""
WIDTHS = 348, 376
"""In a narrow window, and else, at zoom 100 %."""
NARROW_BELOW = 1500
_MOST = 0.4
"""Of the window's width, however large the type is."""


class SidePanel(QStackedWidget):
    """Shows one page at a time. It is wider where the type is larger."""

    def __init__(self, look: Look, window_width: int) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(side_width(look, window_width))

    def put(self, page: QWidget) -> None:
        """Show a page; the one before is given up."""
        before = self.currentWidget()
        self.addWidget(page)
        self.setCurrentWidget(page)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()

    def take_focus(self) -> None:
        """Give the focus to the page that is shown, so that it goes on by keys."""
        page = self.currentWidget()
        if isinstance(page, SidePage):
            page.take_focus()


class SidePage(QWidget):
    """Page of a side panel. `name` is what readers of the screen call the body: then it can be scrolled by keys. Without it follows the row
    with the focus."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(name)
        if not name:
            self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def take_focus(self) -> None:
        """Give the focus to the first button of the body, which may not be in sight yet."""
        for first in self.area.findChildren(QAbstractButton)[:1]:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self, head: QWidget, foot: QLayout | None = None) -> None:
        """Put head, body and foot one below the other: to be called once."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(rule(vertical=False))
        column.addWidget(self.area, 1)
        if foot is not None:
            foot.setContentsMargins(MARGIN, 8, MARGIN, 10)
            foot.setSpacing(8)
            column.addWidget(rule(vertical=False))
            column.addLayout(foot)


def list_head(look: Look, title: Message, hide: QWidget) -> QWidget:
    """The head of a list: its title, and at the right what closes the panel."""
    head = QWidget()
    row = QHBoxLayout(head)
    row.setContentsMargins(MARGIN, 6, 8, 6)
    row.addWidget(label(look, title, "step"), 1)
    row.addWidget(hide)
    return head


def page_head(look: Look, title: str, leave: QWidget, *right: QWidget, below: QWidget | None = None) -> QWidget:
    """The head of one thing of a list: the way back to that, what stands at the right, and below them its title."""
    heading = label(look, title, "section", rank=2)
    heading.setWordWrap(True)
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(leave)
    row.addStretch(1)
    for each in right:
        row.addWidget(each)
    head = QWidget()
    column = QVBoxLayout(head)
    column.setContentsMargins(MARGIN, 6, 8, 8)
    column.setSpacing(4)
    column.addLayout(row)
    column.addWidget(heading)
    if below is not None:
        column.addWidget(below)
    return head


def leave_button(look: Look, title: Message, hint: Message, leave: Callable[[], object]) -> QToolButton:
    """Leads back to the list."""
    made = QToolButton()
    made.setFont(look.theme.font("body"))
    made.setText("‹ " + look.text(title))
    made.setStyleSheet("QToolButton { padding: 4px 10px 4px 0; }")
    made.setToolTip(look.text(hint))
    made.clicked.connect(lambda: leave())
    return made


def hide_button(look: Look, title: Message, hide: Callable[[], object]) -> QToolButton:
    """Closes the panel."""
    made = QToolButton()
    made.setIcon(look.icon("x"))
    made.setIconSize(QSize(look.px(16), look.px(16)))
    made.setToolTip(look.text(title))
    made.setAccessibleName(look.text(title))
    made.clicked.connect(lambda: hide())
    return made


def push_button(look: Look, title: Message, run: Callable[[], object]) -> QPushButton:
    """A button with words."""
    made = QPushButton(look.text(title))
    made.setFont(look.theme.font("body"))
    made.clicked.connect(lambda: run())
    return made


def side_width(look: Look, window_width: int) -> int:
    """How wide the panel is in a window."""
    wanted = round(WIDTHS[window_width >= NARROW_BELOW] * look.theme.scale)
    return min(wanted, max(round(_MOST * window_width), WIDTHS[0]))
