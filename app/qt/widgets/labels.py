"""Labels by role, a reason below a refused field, labels that shorten their text or change it while something plays, and a hairline."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QWidget

from app.core.base.i18n import WORD_JOINER
from app.qt.base.look import Look
from app.qt.widgets.terms import with_terms
from kernels.base.messages import Message

_BORDER = 1.0
_ONE_LINE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
_LINES = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_MAY_BREAK = "\u200b"
"""Is not seen, and a line may end there."""
_ANY_HEIGHT = 1e4


def label(look: Look, text: Message | str, role: str = "body", rank: int = 1, parent: QWidget | None = None) -> QLabel:
    """A label in the font of `role` and the text colour of `rank` (1 to 3). A plain string is not translated."""
    made = QLabel(look.text(text) if isinstance(text, Message) else text, parent)
    made.setFont(look.theme.font(role))
    made.setTextFormat(Qt.TextFormat.PlainText)
    if rank > 1:
        made.setProperty("rank", str(rank))
    return made


def reason_label(look: Look, parent: QWidget | None = None) -> QLabel:
    """An empty, hidden label for the sentence that says why something cannot be."""
    made = label(look, "", "small", parent=parent)
    made.setProperty("tone", "bad")
    made.setWordWrap(True)
    made.hide()
    return made


def show_reason(where: QLabel, look: Look, reason: Message | None) -> None:
    """Show the reason, with a sign before it so that colour is not all that tells; None hides the label."""
    where.setText("" if reason is None else f"✕ {look.text(reason)}")
    where.setVisible(reason is not None)


def mark_refused(edit: QLineEdit, look: Look, reason: Message | None) -> None:
    """Give a field the look of a refusal, and its reason to readers of the screen; None takes both away."""
    invalid = "true" if reason else "false"
    if edit.property("invalid") != invalid:
        edit.setProperty("invalid", invalid)
        repolish(edit)
    edit.setAccessibleDescription(look.text(reason) if reason else "")


def repolish(widget: QWidget) -> None:
    """Let a changed property that the style sheet asks for take effect."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class ElidedLabel(QLabel):
    """Label of one line. The whole text stays the tooltip where it is shortened."""

    _briefer: tuple[str, ...] = ()
    _meaning = ""

    def say(self, text: str, *briefer: str) -> None:
        """Show `text`; where it has no room the first of the `briefer` ones that has, and of the last as much as fits."""
        self._briefer = tuple(filter(None, briefer))
        self.setText(text)

    @property
    def needed(self) -> int:
        """How wide the briefest text is that says what is to be said; 0 where there is but one, which is shortened at any width."""
        return ceil(QFontMetricsF(self.font()).horizontalAdvance(self._briefer[-1])) if self._briefer else 0

    def explain(self, meaning: str) -> None:
        """What the tooltip says, after the whole text where it is shortened."""
        self._meaning = meaning
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self._fitting()
        whole = self.text() if shown != self.text() else ""
        rich = self._meaning.startswith("<p>")
        self.setToolTip(with_terms(whole, self._meaning) if rich else "\n".join(filter(None, (whole, self._meaning))))
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _fitting(self) -> str:
        metrics, texts = QFontMetricsF(self.font()), (self.text(), *self._briefer)
        text = next((each for each in texts if metrics.horizontalAdvance(each) <= self.width()), texts[-1])
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())


def rule(vertical: bool) -> QFrame:
    """A line of one pixel."""
    line = QFrame()
    line.setProperty("rule", "left" if vertical else "top")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


class SteadyLabel(QLabel):
    """One line, as wide as the widest text that it has shown: what stands beside it rests. Shortened where there is no room for all of it.

    With a `ground` it is a pill. `lines` is how many there is room for; more of them where the text does not fit into so many.
    One line that is `wrapped` becomes more of them in place of being shortened.
    """

    def __init__(
        self,
        font: QFont,
        *,
        ink: QColor | None = None,
        ground: QColor | None = None,
        lines: int = 1,
        wrapped: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setFont(font)
        self._metrics = QFontMetricsF(font)
        self._said = ""
        self._lines = lines
        self._wrapped = wrapped or lines > 1
        self._width = self._widest = 0.0
        self._ink, self._ground, self._border = ink, ground, ground
        self.padding = 10.0 if ground is not None else 0.0

    def text(self) -> str:
        return self._said

    def setText(self, text: str) -> None:
        if text == self._said:
            return
        self._said = text
        self.setAccessibleName(text)
        self.update()
        self._width = self._metrics.horizontalAdvance(text)
        if self._lines == 1 and self._width > self._widest:
            self._widest = self._width
            self.updateGeometry()
        if self._wrapped:
            self._make_room()

    def colour(self, ink: QColor, ground: QColor, border: QColor) -> None:
        """Other colours from now on."""
        self._ink, self._ground, self._border = ink, ground, border
        self.update()

    @property
    def needed(self) -> int:
        """How wide the present text is, with what is around it."""
        return ceil(self._width + 2 * self.padding) if self._said else 0

    def forget(self) -> None:
        """Be as wide as the present text: what comes is another matter."""
        self._widest = self._width
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self._widest + 2 * self.padding if self._widest else 0
        return QSize(ceil(width), ceil(self._lines * self._metrics.lineSpacing()))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._said:
            return
        painter, area = QPainter(self), QRectF(self.rect())
        inner = area.adjusted(self.padding, 0, -self.padding, 0)
        shown = self._shortened(inner.width())
        if not shown:
            return
        if self._ground is not None and self._border is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._border, _BORDER))
            painter.setBrush(self._ground)
            area.setWidth(min(area.width(), self._width + 2 * self.padding))
            if self.alignment() & Qt.AlignmentFlag.AlignRight:
                area.moveRight(self.width())
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), area.height() / 2 - 0.5, area.height() / 2 - 0.5)
            inner = area.adjusted(self.padding, 0, -self.padding, 0)
        painter.setFont(self.font())
        painter.setPen(self.palette().windowText().color() if self._ink is None else self._ink)
        if self._wrapped:
            painter.drawText(area, *self._broken(area.width()))
            return
        painter.drawText(inner, _ONE_LINE, shown)

    def _broken(self, room: float) -> tuple[int, str]:
        """How the text becomes lines: broken where words end, where one is too wide for a line before its brackets, else anywhere."""
        at_words, place = int(_LINES), QRectF(0, 0, room, _ANY_HEIGHT)
        for text in (self._said, self._said.replace("[", _MAY_BREAK + "[")):
            if self._metrics.boundingRect(place, at_words, text).width() <= room + 1:
                return at_words, text
        return int(_LINES | Qt.TextFlag.TextWrapAnywhere), self._said

    def _shortened(self, room: float) -> str:
        """As much of the text as there is room for; nothing in place of a sign that shortens it, and in a pill in place of a letter."""
        if self._wrapped or self._width <= room + 1:
            return self._said
        told = self._metrics.elidedText(self._said, Qt.TextElideMode.ElideRight, room)
        least = 1 if self._ground is None else max(2, len(self._said) / 2)
        return told if len(told) > least else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._wrapped:
            if event.size().width() > event.oldSize().width():
                self.setMinimumHeight(0)
            self._make_room()

    def _make_room(self) -> None:
        """Make room for the text.

        Lines once made room for stay: the height never shrinks while texts go by, unless the label becomes wider.
        """
        flags, text = self._broken(max(self.width(), 1))
        needed = self._metrics.boundingRect(QRectF(0, 0, max(self.width(), 1), _ANY_HEIGHT), flags, text).height()
        if needed > self.minimumHeight():
            self.setMinimumHeight(ceil(needed))


def unbroken(text: str) -> str:
    """Return the text with no line's end within GFLOP/s, nor between a number and its percent sign."""
    return text.replace("/s", f"/{WORD_JOINER}s").replace(" %", "\u00a0%")
