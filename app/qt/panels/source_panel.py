"""The source pane: the text that runs, with the line of the present step."""

from __future__ import annotations

from pathlib import PurePosixPath

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from app.core.session import Session, StageChoice
from app.core.stage_model import AnyPicture, StageModel
from app.qt.binding import bind
from app.qt.highlight import SourceHighlighter
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.messages import message


class SourcePanel(QWidget):
    """Header with the file's name, and the read-only text."""

    def __init__(self, look: Look, session: Session, stage_model: StageModel) -> None:
        super().__init__()
        self._session = session
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._name = label(look, "", "code")
        header = QHBoxLayout()
        header.setContentsMargins(14, 8, 14, 8)
        header.setSpacing(12)
        header.addWidget(self._name)
        header.addWidget(label(look, message("this text is what runs"), "small", rank=3))
        header.addStretch(1)
        self._view = SourceView(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self._view, 1)
        bind(self, session.stage, self._show_stage)
        bind(self, stage_model.picture, self._show_picture)

    def _show_stage(self, stage: StageChoice) -> None:
        self._name.setText(PurePosixPath(stage.variant.source).name)
        self._view.show_source(stage.variant.source_text, stage.variant.source.endswith(".cu"))

    def _show_picture(self, picture: AnyPicture | None) -> None:
        """The line of the step, unless the picture is still that of another variant."""
        current = picture is not None and picture.variant_id == self._session.stage.value.variant.id
        self._view.show_line(picture.frame.line if picture is not None and current else None)


class SourceView(QPlainTextEdit):
    """Read-only code with line numbers; the present line has a band, a bar and a mark."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._line: int | None = None
        self.setReadOnly(True)
        self.setFont(look.theme.font("code"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(look.text(message("Source")))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self._gutter = _Gutter(self)
        self._highlighter = SourceHighlighter(self.document(), look.theme)
        self.updateRequest.connect(self._gutter_follows)

    @property
    def look(self) -> Look:
        return self._look

    @property
    def line(self) -> int | None:
        """The marked line, counted from 1."""
        return self._line

    def show_source(self, text: str, cuda: bool) -> None:
        """Show another file; nothing happens where it is the one shown."""
        if text != self.toPlainText():
            self._line = None
            self._highlighter.set_source(text, cuda)
            self.setPlainText(text)
            self.setViewportMargins(self._gutter.width_needed(), 0, 0, 0)
            self._mark()

    def show_line(self, line: int | None) -> None:
        """Mark a line and scroll it into sight."""
        if line != self._line:
            self._line = line
            self._mark()

    def _mark(self) -> None:
        selections: list[QTextEdit.ExtraSelection] = []
        if self._line is not None:
            band = QTextEdit.ExtraSelection()
            band.format.setBackground(self._look.theme.now_bg)
            band.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 Qt takes no keyword here
            cursor = QTextCursor(self.document().findBlockByNumber(self._line - 1))
            band.cursor = cursor
            selections.append(band)
            self._scroll_to(self._line - 1)
        self.setExtraSelections(selections)
        self._gutter.update()

    def _scroll_to(self, block_number: int) -> None:
        """Keep the marked line in sight with two lines around it, moving no more than needed."""
        first = self.firstVisibleBlock().blockNumber()
        shown = self.viewport().height() // max(1, self.fontMetrics().lineSpacing())
        if block_number < first + 2:
            self.verticalScrollBar().setValue(max(0, block_number - 2))
        elif block_number > first + shown - 4:
            self.verticalScrollBar().setValue(block_number - shown + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        area = self.contentsRect()
        self._gutter.setGeometry(area.left(), area.top(), self._gutter.width_needed(), area.height())
        QTimer.singleShot(0, self, self._mark)

    def _gutter_follows(self) -> None:
        self._gutter.update()


class _Gutter(QWidget):
    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._view = view

    def width_needed(self) -> int:
        return self._view.fontMetrics().horizontalAdvance("0000") + 18

    def sizeHint(self) -> QSize:
        return QSize(self.width_needed(), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(self._view.font())
        offset = self._view.contentOffset()
        block = self._view.firstVisibleBlock()
        while block.isValid():
            box = self._view.blockBoundingGeometry(block).translated(offset)
            if box.top() > self.height():
                break
            row = QRectF(0, box.top(), self.width(), box.height())
            self._paint_number(painter, row, block.blockNumber() + 1, theme.t3)
            block = block.next()

    def _paint_number(self, painter: QPainter, row: QRectF, number: int, colour: QColor) -> None:
        theme = self._view.look.theme
        if number == self._view.line:
            painter.fillRect(row, theme.now_bg)
            painter.fillRect(QRectF(row.left(), row.top(), 3, row.height()), theme.now)
            painter.setPen(theme.now_text)
            painter.drawText(row.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, "▸")
            colour = theme.now_text
        painter.setPen(colour)
        painter.drawText(row.adjusted(0, 0, -10, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
