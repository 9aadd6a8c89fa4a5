"""The counters: at this step, so far, and in the whole launch; what the blocks not traced add is marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtWidgets import QLabel

from app.core.compact_number import compact
from app.core.counters import Counter
from app.core.inspector.compiled import Answer
from app.core.inspector.compiler_notes import compiler_notes
from app.core.launch.index import LaunchIndex
from app.core.launch.tally import INTENSITY, REUSED, Tally, Whole, tally_of
from app.core.workbench import Workbench
from app.qt.binding import bind, set_shown
from app.qt.inspector.counter_table import CounterTable, TableRow
from app.qt.inspector.section import Section
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.compiled.kernel import CompiledKernel
from kernels.messages import Message, message

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
        bind(self, workbench.exploration.compiled.answer, lambda _answer: self._show_whole())
        bind(self, workbench.stage.timeline.playing, lambda playing: None if playing else self.table.describe())

    def _tally(self) -> Tally | None:
        shown = self._workbench.stage.shown.value
        return tally_of(shown) if isinstance(shown, LaunchIndex) else None

    def _show_counters(self, counters: tuple[Counter, ...]) -> None:
        tally = self._tally()
        rows = [self._plain(row) for row in counters] if tally is None else self._of_launch(counters, tally.whole)
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
        return self.look.text(row.title), compact(row.value) + ("\u2009×" if row.estimated else ""), self._hint(row)

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
        tally = self._tally()
        extent = tally.coverage.words if tally is not None else None
        self._show_text(self._extent, [] if extent is None else [extent])
        self._show_text(self._differs, self._differences(self._workbench.exploration.compiled.answer.value))
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
