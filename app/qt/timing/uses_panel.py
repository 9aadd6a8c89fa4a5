"""Where the time of one use of the GPU goes: what measures it, the bars, what of a use is counted, and what follows in sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.results.gpu_uses import COUNTED, UseScope
from app.core.timing.use_timer import UseModel, UseProgress, failure_text, progress_text
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.charts.use_bars import UseBars
from app.qt.timing.actions import ChoosePath
from app.qt.timing.progress import ProgressBar
from app.qt.widgets.labels import ElidedLabel, label, reason_label, show_reason
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import Message, message


class UsesPanel(QWidget):
    """Stands in the place of the main chart."""

    def __init__(self, look: Look, model: UseModel, choose_path: ChoosePath) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self._choose_path = choose_path
        timing = model.timing
        choices = [(counted, title, "") for counted, title in COUNTED.items()]
        self.counted = Segmented(look, message("What of a use is counted"), choices, lambda value: setattr(timing.counted, "value", value))
        self.start = QPushButton(look.icon("play", look.theme.ink_text), look.text(message("Measure")))
        self.start.setProperty("primary", "true")
        self.start.clicked.connect(model.start)
        self.cancel = QPushButton(look.icon("square", look.theme.t1), look.text(message("Cancel")))
        self.cancel.setToolTip(look.text(message("Stops measuring; finished points are kept (Ctrl .)")))
        self.cancel.clicked.connect(model.cancel)
        self.export = QPushButton(look.icon("download"), "CSV")
        self.export.setToolTip(look.text(message("Write the phases of these bars to a {format} file", format="CSV")))
        self.export.clicked.connect(self._export)
        self.bar = ProgressBar(look)
        kept = self.bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # what is below does not jump
        self.bar.setSizePolicy(kept)
        self.state = ElidedLabel()
        self.state.setFont(look.theme.font("body"))
        self.reason = reason_label(look)
        self.bars = UseBars(look)
        self.sentences = label(look, "", "body", rank=2)
        self._arrange()
        self._refresh = Refresh(self.redraw, self)
        bind(self, model.session.timing, self._refresh.soon)
        bind(self, model.devices, self._refresh.soon)
        bind(self, timing.uses, self._refresh.soon)
        bind(self, timing.revision, self._refresh.soon)
        bind(self, timing.counted, self._show_counted)
        bind(self, model.progress, self._show_progress)

    def redraw(self) -> None:
        """Draw everything from the model and the choice."""
        picture, refusal, variant = self._model.picture(), self._model.refusal(), self._model.variant
        self.bars.show_picture(picture)
        self.sentences.setText("\n".join(map(self._look.text, picture.sentences)))
        self.sentences.setVisible(bool(picture.sentences))
        self.start.setToolTip("" if variant is None else self._look.text(message("Measure {variant}", variant=variant.title)))
        self.start.setEnabled(refusal is None)
        self.export.setEnabled(bool(picture.rows))
        progress = self._model.progress.value
        show_reason(self.reason, self._look, refusal or (None if progress is None else failure_text(progress)))

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.start, self.cancel, self.export):
            button.setFont(self._look.theme.font("body"))
            row.addWidget(button)
        row.insertWidget(2, self.state, 1)
        self.sentences.setWordWrap(True)
        self.sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(8)
        column.addWidget(self.counted)
        column.addLayout(row)
        column.addWidget(self.bar)
        column.addWidget(self.reason)
        column.addWidget(self.bars, 1)
        column.addWidget(self.sentences)

    def _show_counted(self, counted: UseScope) -> None:
        self.counted.show_choice(counted)
        self.redraw()

    def _show_progress(self, progress: UseProgress | None) -> None:
        running = progress is not None and not progress.state.ended
        self.start.setVisible(not running)
        self.cancel.setVisible(running)
        self.bar.setVisible(running)
        self.state.setText("" if progress is None else self._look.text(progress_text(progress)))
        if progress is not None:
            self.bar.show_share(progress.done / progress.total if progress.total else 0.0, running)
        self._refresh.soon()

    def _export(self) -> None:
        path = self._choose_path("csv")
        if path is not None:
            show_reason(self.reason, self._look, path if isinstance(path, Message) else self._model.export(path))
