"""A button as wide as its panel, whose text wraps: a lesson of the list, an answer that can be chosen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from app.qt.base.binding import set_shown
from app.qt.base.look import Look
from app.qt.lessons.prose_label import html_of, plain
from app.qt.widgets.labels import label
from app.qt.widgets.pointing import HoverButton

_RADIUS = 6
_LEAST_HEIGHT = 34
_BAR = 3


class WideButton(HoverButton):
    """Button as wide as its panel: `title`, a line of prose, below it `remark` in small type. `share` (0 to 1) is drawn as a bar at the
    lower edge."""

    def __init__(self, look: Look, title: str, remark: str = "") -> None:
        super().__init__()
        self._look = look
        self._chosen = False
        self.share: float | None = None
        self._mark = _text(look, "", "section")
        self._title = _text(look, "", "section")
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._title.setWordWrap(True)
        self._remark = _text(look, remark, "small", rank=2)
        self._remark.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._remark)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 7, 12, 8)
        row.setSpacing(8)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self._mark.hide()
        set_shown(self._remark, bool(remark))
        self.show_title(title)
        self.setAccessibleDescription(remark)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumHeight(look.px(_LEAST_HEIGHT))

    def show_title(self, title: str) -> None:
        """Say something else."""
        self._title.setText(html_of(title, self._look))
        self.setText(plain(title))
        self.setAccessibleName(plain(title))

    def show_mark(self, mark: str, remark: str, *, chosen: bool) -> None:
        """What became of the answer: a sign at the left, words below; `chosen` was the student's."""
        self._chosen = chosen
        self._mark.setText(mark)
        self._mark.setVisible(bool(mark))
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))
        self.setAccessibleDescription(remark)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 2 if self.hasFocus() or self._chosen else 1
        edge = theme.ink if self.hasFocus() or self._chosen else theme.line2 if self.isEnabled() else theme.line
        painter.setPen(QPen(edge, width))
        painter.setBrush(theme.bg3 if self.hovered and self.isEnabled() else theme.bg1)
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)
        if self.share is not None:
            bar = QRectF(12, self.height() - _BAR - 2, self.width() - 24, _BAR)
            painter.fillRect(bar, theme.bg3 if not self.hovered else theme.line)
            bar.setWidth(bar.width() * self.share)
            painter.fillRect(bar, theme.t2)


def _text(look: Look, text: str, role: str, rank: int = 1) -> QLabel:
    made = label(look, text, role, rank)
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return made
