"""Counters predicted and measured beside each other, with why they differ, and the time by the model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from app.core.compact_number import compact
from app.core.inspector.predictions import Predictions
from app.core.predictions.compared import Compared, tidy
from app.core.predictions.model_words import MODEL
from app.core.predictions.question import Beside
from app.qt.binding import bind, set_shown
from app.qt.inspector.counter_table import CounterTable, TableRow
from app.qt.inspector.section import Section
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.messages import Message, message

_HEADINGS = (message("as written"), message("as compiled"), message("measured"))


class PredictionSection(Section):
    """Follows the prediction of the shown launch, or says why there is none; hidden while that is not known."""

    def __init__(self, look: Look, predictions: Predictions) -> None:
        super().__init__(look, message("Predicted and measured"))
        self.time = self._text(2)
        self.model = self._text(3)
        self.model.setText(look.text(MODEL))
        self.table = CounterTable(look, _HEADINGS)
        self.table.setAccessibleName(look.text(message("Predicted and measured")))
        self.reasons = self._text(2)
        self.source = self._text(3)
        self._predictions = predictions
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
        name, _ = QFileDialog.getOpenFileName(self, title, "", "CSV (*.csv)")
        if name:
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
