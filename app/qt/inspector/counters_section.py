"""Counters section: at this step, so far and in the whole launch, where what the blocks not traced add is marked.

Predicted counters stand beside measured ones with why they differ, and the time by the model. The table is painted, because its numbers
change with every step of a playing stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QSizePolicy, QToolTip, QWidget

from app.core.base.i18n import NARROW_SPACE, compact
from app.core.base.picture_parts import Counter
from app.core.gpu_view.counters import INTENSITY, REUSED, LaunchCounters, Whole, counters_of
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.compiler_notes import compiler_notes
from app.core.predictions.question import MODEL, Beside, Compared, tidy
from app.core.session.draft_editor import DraftEditor
from app.core.stage.compiled import Answer
from app.core.stage.predictions import Predictions
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.inspector.section import Section
from app.qt.widgets.labels import label
from app.qt.widgets.terms import term_tip, with_terms
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.compiled.kernel import CompiledKernel

ROW = 20
_PADDING, _GAP = 5, 4
_TITLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_HEADING = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWordWrap
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_COLUMN_SHARE = (0.33, 0.19, 0.23, 0.25)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A title and three numbers as they are written; `hint` explains the last.

    The tooltip says the whole title and the hint. Where the first two numbers are "" the title has their room.
    """

    title: str
    this_step: str
    so_far: str
    whole: str
    hint: str = ""
    said: Message | None = None
    """What the title was made of: the tooltip tells the terms in it."""


class CounterTable(QWidget):
    """Three columns of numbers with a heading. A long title takes several lines. What rests is not painted again."""

    def __init__(self, look: Look, headings: tuple[Message, Message, Message]) -> None:
        super().__init__()
        self._look = look
        self._said = headings
        self._headings = tuple(look.text(heading) for heading in headings)
        self._rows: tuple[TableRow, ...] = ()
        self._row = look.px(ROW)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._small = QFontMetrics(look.theme.font("small"))
        self._lines = lru_cache(maxsize=256)(self._height_of)
        self._head = lru_cache(maxsize=8)(self._head_height)

    @property
    def rows(self) -> tuple[TableRow, ...]:
        return self._rows

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(max(self.width(), 200)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._head(width) + sum(self.heights(width))

    def heights(self, width: int) -> list[int]:
        """The heights of the rows where the table is so wide."""
        return [max(self._row, self._lines(row.title, self._title_width(row, width)) + _PADDING) for row in self._rows]

    def show_rows(self, rows: tuple[TableRow, ...]) -> None:
        """Show these; of rows that say other numbers only these are painted."""
        before, self._rows = self._rows, rows
        if [(row.title, row.whole) for row in before] != [(row.title, row.whole) for row in rows]:
            if [row.title for row in before] != [row.title for row in rows]:
                self.updateGeometry()
            self.update()
        elif before != rows:
            left, right = self._column(1).left(), self._column(2).right()
            for earlier, (row, top, height) in zip(before, self._places(), strict=True):
                if row != earlier:
                    self.update(QRect(left, top, right - left + 1, height))

    def describe(self) -> None:
        """Tell screen readers the numbers, once they rest."""
        lines = (f"{row.title}: {row.this_step}, {row.so_far}, {row.whole}" for row in self._rows)
        self.setAccessibleDescription("; ".join(lines))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self)
            return True
        return super().event(event)

    def _tip(self, at: QPoint) -> str:
        """Return the tooltip at a point: of a heading its terms; of a row its whole title, its hint and its terms."""
        if at.y() < self._head(self.width()):
            heading = next((number for number in range(1, 4) if self._column(number).contains(at.x(), 1)), None)
            return "" if heading is None else term_tip(self._look, self._said[heading - 1])
        row = next((row for row, top, height in self._places() if top <= at.y() < top + height), None)
        if row is None:
            return ""
        plain = "\n".join(filter(None, (row.title, row.hint)))
        return plain if row.said is None else with_terms(plain, term_tip(self._look, row.said))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._look.theme
        columns = [number for number in range(4) if self._touches(number, event.rect())]
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        head = self._head(self.width())
        for number in columns:
            if number and event.rect().top() < head:
                area = self._column(number)
                area.setHeight(head - _PADDING)
                painter.drawText(area, _HEADING, self._headings[number - 1])
        for row, top, height in self._places():
            if not event.region().intersects(QRect(0, top, self.width(), height)):
                continue
            texts = (row.title, row.this_step, row.so_far, row.whole)
            for number in columns:
                painter.setFont(theme.font("label" if number == 1 else "small"))
                painter.setPen(theme.t1 if number else theme.t2)
                area = self._column(number).translated(0, top)
                if number:
                    painter.drawText(area, _NUMBER, texts[number])
                else:
                    painter.drawText(QRect(0, top + _PADDING // 2, self._title_width(row, self.width()), height), _TITLE, row.title)

    def _places(self) -> Iterator[tuple[TableRow, int, int]]:
        """Yield each row with its top and its height."""
        top = self._head(self.width())
        for row, height in zip(self._rows, self.heights(self.width()), strict=True):
            yield row, top, height
            top += height

    def _title_width(self, row: TableRow, width: int) -> int:
        """How wide a title may be. Where there is only one number it reaches up to that."""
        if not row.this_step and not row.so_far:
            return width - self._small.horizontalAdvance(row.whole) - _GAP
        return round(width * _COLUMN_SHARE[0]) - _GAP

    def _height_of(self, title: str, width: int) -> int:
        """The height of a title in lines of a width."""
        return self._small.boundingRect(QRect(0, 0, max(width, 1), 1 << 16), int(_TITLE), title).height()

    def _head_height(self, width: int) -> int:
        metrics, rooms = (
            QFontMetrics(self._look.theme.font("caption")),
            [QRect(0, 0, round(width * share), 1 << 16) for share in _COLUMN_SHARE[1:]],
        )
        lines = [metrics.boundingRect(room, int(_HEADING), said).height() for room, said in zip(rooms, self._headings, strict=True)]
        return max(self._row, max(lines) + _PADDING)

    def _column(self, number: int) -> QRect:
        left = round(self.width() * sum(_COLUMN_SHARE[:number]))
        right = round(self.width() * sum(_COLUMN_SHARE[: number + 1]))
        return QRect(left, 0, right - left, self._row)

    def _touches(self, number: int, area: QRect) -> bool:
        """Whether any row of a column lies in an area."""
        column = self._column(number)
        return column.left() <= area.right() and area.left() <= column.right()


_HEADINGS = (message("this step"), message("so far"), message("in all"))
MOST_DIFFERENCES = 3


class CountersSection(Section):
    """Follows the workbench's counters; of a launch it adds what is known of the whole only."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__(look, message("Counters"))
        self._workbench = workbench
        self.table = CounterTable(look, _HEADINGS)
        self.table.setAccessibleName(look.text(message("Counters")))
        self._resting = lru_cache(maxsize=64)(self._find_resting)
        self._extent = label(look, "", "small", rank=3)
        self._differs = label(look, "", "small", rank=2)
        for text in (self._extent, self._differs):
            text.setWordWrap(True)
        self.column.addWidget(self.table)
        self.column.addWidget(self._extent)
        self.column.addWidget(self._differs)
        bind(self, workbench.counters, self._show_counters)
        bind(self, workbench.stage.shown, lambda _shown: self._show_whole())
        bind(self, workbench.studies.compiled.answer, lambda _answer: self._show_whole())
        bind(self, workbench.stage.timeline.playing, lambda playing: None if playing else self.table.describe())

    def _counters(self) -> LaunchCounters | None:
        shown = self._workbench.stage.shown.value
        return counters_of(shown) if isinstance(shown, LaunchIndex) else None

    def _show_counters(self, counters: tuple[Counter, ...]) -> None:
        launch = self._counters()
        rows = [self._plain(row) for row in counters] if launch is None else self._of_launch(counters, launch.whole)
        self.table.show_rows(tuple(rows))
        set_shown(self, bool(rows))
        if not self._workbench.stage.timeline.playing.value:
            self.table.describe()

    def _plain(self, row: Counter) -> TableRow:
        now, so_far, whole = (compact(value) for value in (row.this_step, row.so_far, row.whole_run))
        return TableRow(self.look.text(row.title), now, so_far, whole, said=row.title)

    def _of_launch(self, counters: Sequence[Counter], whole: Sequence[Whole]) -> list[TableRow]:
        now = {counter.title: counter for counter in counters}
        return [self._row(row, now.get(row.title)) for row in whole]

    def _row(self, row: Whole, now: Counter | None) -> TableRow:
        title, value, hint = self._resting(row)
        if now is None:
            return TableRow(title, "", "", value, hint, row.title)
        return TableRow(title, compact(now.this_step), compact(now.so_far), value, hint, row.title)

    def _find_resting(self, row: Whole) -> tuple[str, str, str]:
        """Title, number and hint of a row, which are the same in all steps."""
        return self.look.text(row.title), compact(row.value) + (f"{NARROW_SPACE}×" if row.estimated else ""), self._hint(row)

    def _hint(self, row: Whole) -> str:
        """Where the number for the whole launch comes from."""
        if row.title == INTENSITY:
            return self.look.text(message("Operations as written for each byte of the sectors that move."))
        if row.title == REUSED:
            return self.look.text(message("The same if a value that a thread has loaded stays in a register until a store or a barrier."))
        if not row.estimated:
            return self.look.translator.number(row.value)
        factor = row.value / row.counted if row.counted else 0.0
        return self.look.text(message("{counted} in the traced blocks × {factor}", counted=row.counted, factor=factor))

    def _show_whole(self) -> None:
        launch = self._counters()
        extent = launch.coverage.words if launch is not None else None
        self._show_text(self._extent, [] if extent is None else [extent])
        self._show_text(self._differs, self._differences(self._workbench.studies.compiled.answer.value))
        self._show_counters(self._workbench.counters.value)

    def _differences(self, answer: Answer | None) -> list[Message]:
        shown = self._workbench.stage.shown.value
        if not isinstance(shown, LaunchIndex) or not isinstance(answer, CompiledKernel):
            return []
        found = [message("≠ {sentence}", sentence=each.sentence) for each in compiler_notes(shown, answer)]
        left = len(found) - MOST_DIFFERENCES
        return found[:MOST_DIFFERENCES] + ([message("Lines more that differ: {count}.", count=left)] if left > 0 else [])

    def _show_text(self, where: QLabel, sentences: Sequence[Message]) -> None:
        where.setText("\n".join(self.look.text(sentence) for sentence in sentences))
        where.setVisible(bool(sentences))


_PREDICTION_HEADINGS = (message("as written"), message("as compiled"), message("measured"))


class PredictionSection(Section):
    """Follows the prediction of the shown launch, or says why there is none; hidden while that is not known."""

    def __init__(self, look: Look, predictions: Predictions, draft_editor: DraftEditor) -> None:
        super().__init__(look, message("Predicted and measured"))
        self.time = self._text(2)
        self.model = self._text(3)
        self.model.setText(look.text(MODEL))
        self.table = CounterTable(look, _PREDICTION_HEADINGS)
        self.table.setAccessibleName(look.text(message("Predicted and measured")))
        self.reasons = self._text(2)
        self.source = self._text(3)
        self._predictions, self._draft_editor = predictions, draft_editor
        self.imports = QPushButton(look.text(message("Import counters of Nsight Compute…")))
        self.imports.clicked.connect(self._choose_file)
        for part in (self.time, self.model, self.table, self.reasons, self.source, self.imports):
            self.column.addWidget(part)
        bind(self, predictions.beside, self._show)

    def _text(self, rank: int) -> QLabel:
        text = label(self.look, "", "small", rank=rank)
        text.setWordWrap(True)
        return text

    def _show(self, beside: Beside | Message | None) -> None:
        set_shown(self, beside is not None)
        predicted = isinstance(beside, Beside)
        for part in (self.model, self.table, self.reasons, self.source, self.imports):
            part.setVisible(predicted)
        if isinstance(beside, Beside):
            self._show_predicted(beside)
        elif beside is not None:
            self.time.setText(self.look.text(beside))

    def _show_predicted(self, beside: Beside) -> None:
        self.time.setText(self.look.text(beside.time))
        self.table.show_rows(tuple(map(self._row, beside.rows)))
        self.table.describe()
        self.reasons.setText("\n".join(self.look.text(reason) for reason in _reasons(beside.rows)))
        self.source.setText("" if beside.source is None else self.look.text(beside.source))
        self.table.setVisible(bool(beside.rows))
        self.source.setVisible(beside.source is not None)
        self.reasons.setVisible(bool(self.reasons.text()))

    def take_file(self, path: Path) -> None:
        """Show the counters in a file that the profiler wrote, or say why not."""
        refused = self._predictions.take_counters(path)
        if refused is not None:
            self.source.setText(self.look.text(refused))
            self.source.setVisible(True)

    def _choose_file(self) -> None:
        title = self.look.text(message("Import counters of Nsight Compute…"))
        name, _ = QFileDialog.getOpenFileName(self, title, self._draft_editor.folder.value, "CSV (*.csv)")
        if name:
            self._draft_editor.visit(Path(name))
            self.take_file(Path(name))

    def _row(self, row: Compared) -> TableRow:
        hint = "" if row.reason is None else self.look.text(row.reason)
        written, compiled, measured = (
            "" if value is None else compact(tidy(value)) for value in (row.written, row.compiled, row.measured)
        )  # fmt: skip
        sign = "" if row.reason is None else "\u00a0≠" if row.explained else "\u00a0?"
        return TableRow(self.look.text(row.title) + sign, written, compiled, measured, hint, row.title)


def _reasons(rows: Iterable[Compared]) -> list[Message]:
    """What explains the differences, each reason once with the counters that it is for."""
    found: dict[Message, list[Message]] = {}
    for row in rows:
        if row.reason is not None:
            found.setdefault(row.reason, []).append(row.title)
    return [message("{counter}: {reason}", counter=titles[0], reason=reason) for reason, titles in found.items()]
