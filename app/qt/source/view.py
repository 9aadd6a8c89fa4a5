"""Source text with its margins: line numbers with the mark of the present line on the left, what each line costs on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Thread

from PySide6.QtCore import QEvent, QMargins, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextFormat,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit, QTextEdit

from app.core.base.observable import Field
from app.core.base.picture_parts import LineCost
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.source.editing_keys import at_edge, indent, new_line
from app.qt.source.folding import Folding
from app.qt.source.highlight import SourceHighlighter, load_lexers
from app.qt.source.indents import Indents
from app.qt.source.margins import Gutter, SourceMarks
from kernels.base.messages import message

READING = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_READING_HINT = message("A press on a line goes to the step that executes it.")
_WRITING_HINT = message("Tab indents; Escape leaves the text.")
_FROM_HERE = 4
"""Rows that are kept in sight from the marked line on, where there is room."""
LEXED_AT_ONCE = 30_000
"""Characters of a text whose colours follow every key; those of a longer one wait until it rests."""

_LOADED_MS = 10
"""How often it is looked whether the lexers are loaded."""


class SourceView(QPlainTextEdit):
    """Code with line numbers; the present line has a band, a bar and a mark. On the right stands what each line costs."""

    line_pressed = Signal(int)
    line_hovered = Signal(int)

    def __init__(self, look: Look, folded: Field[frozenset[str]] | None = None) -> None:
        """`folded` are the texts of the comments that are folded."""
        super().__init__()
        self._look = look
        self._line: int | None = None
        self._followed = True
        """Whether the marked line is kept in sight: until a hand scrolls, and again from the next line on."""
        self._lent: tuple[int, int] | None = None
        """Height and first row before something took room: when it goes, what is typed in stands where it stood."""
        self._cuda = False
        self._laid_out = (-1, 0, 0)
        """Revision, width and last line of what is laid out from the first line on."""
        folded = Field[frozenset[str]](frozenset()) if folded is None else folded
        self.folding = Folding(self, folded)
        self._indents = Indents(self)
        self._plain = ""
        self._coloured: str | None = ""
        self._colours_due = False
        self._loading: Thread | None = None
        self.setFont(look.theme.font("code"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)  # a statement is seen whole, however narrow the view is
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(look.text(message("Source")))
        self._gutter = Gutter(self)
        self.marks = SourceMarks(self)
        self._chosen: int | None = None
        self._underlined: list[QTextEdit.ExtraSelection] = []
        self.viewport().setMouseTracking(True)
        self._highlighter = SourceHighlighter(self.document(), look.theme)
        self.updateRequest.connect(self._margins_follow)
        self.textChanged.connect(self._typed)
        self.verticalScrollBar().actionTriggered.connect(self._scrolled_by_hand)
        self.cursorPositionChanged.connect(lambda: self.folding.reveal(self.textCursor().blockNumber() + 1))
        self.let_edit(editable=False)
        bind(self, folded, lambda _folded: self._fold())

    @property
    def look(self) -> Look:
        return self._look

    @property
    def line(self) -> int | None:
        """The marked line, counted from 1."""
        return self._line

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the cursor, counted from 1; the marked line where it stands at the beginning still."""
        cursor = self.textCursor()
        if cursor.position() == 0 and self._line is not None:
            return self._line, 1
        return cursor.blockNumber() + 1, cursor.positionInBlock() + 1

    @property
    def text(self) -> str:
        """The text that stands in the view."""
        return self._plain

    @property
    def editable(self) -> bool:
        return not self.isReadOnly()

    def let_edit(self, *, editable: bool) -> None:
        """Let the text be edited, or only read."""
        if editable is not self.editable:
            self._laid_out = (-1, 0, 0)
            self.document().markContentsDirty(0, self.document().characterCount())
        self.setReadOnly(not editable)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction if editable else READING)
        self.setAccessibleDescription(self._look.text(_WRITING_HINT if editable else _READING_HINT))

    def show_source(self, text: str, cuda: bool) -> None:
        """Show another file; nothing happens where it is the one shown."""
        if text != self._plain or cuda is not self._cuda:
            self._line = None
            self._cuda, self._underlined = cuda, []
            self._colours_due = not self.isVisible() or self._loading is not None
            self._coloured = None if self._colours_due else text
            self._highlighter.set_source(self._coloured or "", cuda)
            self._indents.read(text)
            self.setPlainText(text)
            self.folding.follow(text, cuda)
            self._make_room()
            self._mark()

    @property
    def letters(self) -> Mapping[str, str]:
        """The letters of the names that have the colour of a matrix."""
        return self._highlighter.matrices

    def colour_matrices(self, letters: Mapping[str, str]) -> None:
        """Give names in the text the colours of the matrices that they stand for."""
        if letters != self.letters:
            self._highlighter.matrices = letters
            if not self._colours_due:
                self._highlighter.follow(self._plain, self._cuda)

    def replace_text(self, text: str) -> None:
        """Edit the shown text into another one, which can be undone. The cursor stays at its line and column, and what is in sight."""
        before, bar = self.textCursor(), self.verticalScrollBar()
        line, column, top = before.blockNumber(), before.positionInBlock(), bar.value()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        block = self.document().findBlockByNumber(min(line, self.blockCount() - 1))
        cursor.setPosition(block.position() + min(column, block.length() - 1))
        self.setTextCursor(cursor)
        bar.setValue(top)

    def show_line(self, line: int | None) -> None:
        """Mark a line and scroll it into sight."""
        if line != self._line:
            before, self._line, self._followed = self._line, line, True
            self._mark(before, line)
            self._follow()

    def bring_to_sight(self, line: int | None = None) -> None:
        """Scroll to a line, None: the one that is marked, unless the user is at work in the text."""
        wanted = self._line if line is None else line
        if wanted is not None and not (self.editable and self.hasFocus()):
            self._scroll_to(wanted - 1)

    def show_chosen(self, line: int | None) -> None:
        """Shade the line that belongs to what is selected elsewhere."""
        if line != self._chosen:
            self._chosen = line
            self._mark()

    def show_margins(self, found: Mapping[int, LineCost]) -> None:
        """What the lines cost; nothing leaves no room for it."""
        self.marks.show_margins(found)
        self._make_room()

    def show_underlined(self, underlined: list[QTextEdit.ExtraSelection]) -> None:
        """Underline stretches of the text; they move along when it is edited."""
        self._underlined = underlined
        self._mark()

    def visible_lines(self, within: QRect | None = None) -> Iterator[tuple[int, float, float]]:
        """Number, top and height of each line in sight, or within a part of that; of one that is wrapped, the height of its first row."""
        offset, block, seen = self.contentOffset(), self.firstVisibleBlock(), within or self.rect()
        above, below = seen.top(), seen.bottom()
        while block.isValid():
            if (box := self.blockBoundingGeometry(block).translated(offset)).top() > below:
                return
            if box.bottom() < above:
                block = block.next()
                continue
            layout = block.layout()
            first = layout.lineAt(0).height() if layout is not None and layout.lineCount() else box.height()
            if block.isVisible():
                yield block.blockNumber() + 1, box.top(), first
            block = block.next()

    def colour_now(self) -> None:
        """Let folds and colours follow what was typed, however long the text is; colours once the lexers are there."""
        if self._plain != self._coloured:
            self.folding.follow(self._plain, self._cuda)
            if not self._colours_due:
                self._coloured = self._plain
                self._highlighter.follow(self._plain, self._cuda)

    def _typed(self) -> None:
        self._plain = self.toPlainText()
        if self.document().characterCount() <= LEXED_AT_ONCE:
            self.colour_now()

    def width_for(self, characters: int) -> int:
        """Pixels in which so many characters of a line with costs can be read."""
        text = self.fontMetrics().horizontalAdvance("0" * characters) + 2 * round(self.document().documentMargin())
        return self._gutter.width_needed() + text + self.marks.most_width + self.verticalScrollBar().sizeHint().width()

    def _make_room(self) -> None:
        """Leave room for the line numbers, and for the costs where there are any."""
        margins = QMargins(self._gutter.width_needed(), 0, self.marks.width_needed(), 0)
        if margins != self.viewportMargins():
            self.setViewportMargins(margins)
        self._place_margins()

    def _mark(self, *changed: int | None) -> None:
        """The present line, the one that is chosen, and what is underlined; in the margins where lines have `changed`, or all."""
        theme = self._look.theme
        shades = [(self._chosen, theme.bg3), (self._line, theme.now_bg)]
        self.setExtraSelections([*(self._band(line, colour) for line, colour in shades if line is not None), *self._underlined])
        if not changed:
            self._margins_follow(self.rect(), 0)
        for line in changed:
            if line is not None:
                block = self.document().findBlockByNumber(line - 1)
                self._margins_follow(self.blockBoundingGeometry(block).translated(self.contentOffset()).toAlignedRect(), 0)

    def _follow(self) -> None:
        """Keep the marked line in sight, unless a hand has scrolled elsewhere or is at work in the text: what a mouse points at stays."""
        if self._line is not None and self._followed and not (self.editable and self.hasFocus()):
            self._scroll_to(self._line - 1)

    def _scrolled_by_hand(self, _action: int) -> None:
        self._followed, self._lent = False, None

    def _band(self, line: int, colour: QColor) -> QTextEdit.ExtraSelection:
        band = QTextEdit.ExtraSelection()
        band.format.setBackground(colour)
        band.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 Qt takes no keyword here
        band.cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        return band

    def _fold(self) -> None:
        self.folding.apply()
        self._laid_out = (-1, 0, 0)
        self._mark()
        self._follow()
        self.viewport().update()

    def _scroll_to(self, block_number: int) -> None:
        """Keep the marked line in sight, all its rows, with two lines around it where there is room, moving no more than needed."""
        self.folding.reveal(block_number + 1)
        row, first = self._row_of(block_number), self.verticalScrollBar().value()  # in this order: rows that change move the text
        block = self.document().findBlockByNumber(block_number)
        rows = max(1, block.lineCount())  # a row may be a pixel higher than the font says
        shown = int(self.viewport().height() * rows / max(1.0, self.blockBoundingRect(block).height()))
        wanted = min(max(rows, _FROM_HERE), shown)
        above = min(2, shown - wanted)
        if row < first + above:
            self.verticalScrollBar().setValue(max(0, row - above))
        elif row > first + shown - wanted:
            self.verticalScrollBar().setValue(row - shown + wanted)

    def _row_of(self, block_number: int) -> int:
        """The row that a line begins in: lines above may be wrapped into several."""
        laid_out = self.document().revision(), self.viewport().width(), block_number
        known = self._laid_out[2] if laid_out[:2] == self._laid_out[:2] else -1
        if block_number > known:
            if self._indents.lay_out(self.document().findBlockByNumber(known + 1), block_number):
                self._rows_changed()
            self._laid_out = laid_out
        return self.document().findBlockByNumber(block_number).firstLineNumber()

    def _rows_changed(self) -> None:
        whole = self.document().documentLayout()
        assert isinstance(whole, QPlainTextDocumentLayout)
        whole.documentSizeChanged.emit(whole.documentSize())
        self.viewport().update()
        self._margins_follow(self.rect(), 0)

    def _lay_out_in_sight(self) -> None:
        """Hang what is in sight; the marked line stays in sight where lines above it have become longer."""
        first = self.firstVisibleBlock()
        last = first.blockNumber() + self.viewport().height() // max(1, self.fontMetrics().lineSpacing()) + 1
        if self._indents.lay_out(first, last):
            self._laid_out = (-1, 0, 0)
            QTimer.singleShot(0, self, self._rows_changed)
            if self._line is not None and first.blockNumber() < self._line <= last + 1:
                QTimer.singleShot(0, self, self._follow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys of an edited text: Tab indents, Return keeps the indent, Home and End go on; Escape is for what is around it."""
        key, here = event.key(), self.textCursor().blockNumber() + 1
        if not self.editable and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.ignore()  # for the stage: a text that is only read has no use for it
        elif (moved := at_edge(self.textCursor(), event)) is not None:
            self.setTextCursor(moved)
            self.ensureCursorVisible()
        elif not self.editable and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (comment := self.folding.comment_at(here)) is not None:
            self.folding.toggle(comment)
        elif not self.editable or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Tab:
            indent(self.textCursor())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            new_line(self.textCursor())
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """What is set before it is seen is coloured once it has been seen and the lexers are there, which takes long."""
        self._lay_out_in_sight()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for number, top, height in self.visible_lines(event.rect()):
            comment = self.folding.comment_at(number)
            if comment is not None and self.folding.is_folded(comment):
                layout = self.document().findBlockByNumber(number - 1).layout()
                said = layout.lineAt(0).naturalTextRect().right() if layout is not None else 0.0
                self._paint_folded(painter, QRectF(0, top, self.viewport().width(), height), said, comment)
        if self._colours_due and self._loading is None:
            self._loading = Thread(target=load_lexers, name="lexers", daemon=True)
            QTimer.singleShot(0, self, self._loading.start)  # once all is painted: an import takes turns with what paints
            QTimer.singleShot(_LOADED_MS, self, self._colour_when_loaded)

    def _colour_when_loaded(self) -> None:
        if self._loading is not None and self._loading.is_alive():
            QTimer.singleShot(_LOADED_MS, self, self._colour_when_loaded)
        else:
            self._loading, self._colours_due = None, False
            self.colour_now()

    def _paint_folded(self, painter: QPainter, row: QRectF, said: float, comment: range) -> None:
        """How many lines a folded comment has, behind the one that stays, or over the end of it."""
        theme = self._look.theme
        painter.setFont(theme.font("small"))
        text = self._look.text(message("… {lines} lines", lines=len(comment)))
        width = painter.fontMetrics().horizontalAdvance(text) + self._look.px(12)
        box = QRectF(min(said + self._look.px(8), row.width() - width), row.top() + 1, width, row.height() - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.bg3)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.t2)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().height() > event.size().height() and self._lent is None and self.editable and self.hasFocus():
            self._lent = event.oldSize().height(), self.verticalScrollBar().value()
        super().resizeEvent(event)
        self._make_room()
        QTimer.singleShot(0, self, self._resized)

    def _resized(self) -> None:
        self._follow()
        bar, lent = self.verticalScrollBar(), self._lent
        if lent is not None and self.viewport().height() >= lent[0]:
            here, self._lent = bar.value(), None
            bar.setValue(lent[1])
            bar.setValue(lent[1] if self.viewport().rect().contains(self.cursorRect()) else here)
        if self.editable and self.hasFocus():
            self.ensureCursorVisible()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if not self.editable:
            self.line_pressed.emit(self.cursorForPosition(event.position().toPoint()).blockNumber() + 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.line_hovered.emit(self.cursorForPosition(event.position().toPoint()).blockNumber() + 1)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.line_hovered.emit(0)

    def _place_margins(self) -> None:
        area, right = self.contentsRect(), self.marks.width_needed()
        self._gutter.setGeometry(area.left(), area.top(), self._gutter.width_needed(), area.height())
        bar = self.verticalScrollBar().width() if self.verticalScrollBar().isVisible() else 0
        self.marks.setGeometry(area.right() + 1 - right - bar, area.top(), right, area.height())

    def _margins_follow(self, seen: QRect, scrolled: int) -> None:
        for margin in (self._gutter, self.marks):
            margin.follow(seen, scrolled)
