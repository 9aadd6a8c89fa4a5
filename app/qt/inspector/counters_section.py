"""Counters section: at this step, so far and in the whole launch, where what the blocks not traced add is marked.

Predicted counters stand beside measured ones with why they differ, and the time by the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

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
from app.qt.inspector.counter_table import CounterTable, TableRow
from app.qt.inspector.section import Section
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message
from kernels.compiled.kernel import CompiledKernel

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
        self.be_a_stop(wanted=not predicted)
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
        name, _ = QFileDialog.getOpenFileName(self, title, self._draft_editor.begin, "CSV (*.csv)")
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
