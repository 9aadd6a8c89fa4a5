"""Where the time of one use of the GPU goes: the bars, what of a use is counted, and what follows in sentences."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.gpu_use import COUNTED, Counted
from app.core.gpu_use_picture import use_picture
from app.core.session import Session
from app.core.timing import TimingModel
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.timing_refresh import Refresh
from app.qt.plots.use_bars import UseBars
from app.qt.widgets.labels import label
from app.qt.widgets.segmented import Segmented
from kernels.messages import message


class UsesPanel(QWidget):
    """Stands in the place of the main chart."""

    def __init__(self, look: Look, session: Session, model: TimingModel) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._model = model
        choices = [(counted, title, "") for counted, title in COUNTED.items()]
        self.counted = Segmented(look, message("What of a use is counted"), choices, lambda value: setattr(model.counted, "value", value))
        self.bars = UseBars(look)
        self.sentences = label(look, "", "body", rank=2)
        self.sentences.setWordWrap(True)
        self.sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(8)
        column.addWidget(self.counted)
        column.addWidget(self.bars, 1)
        column.addWidget(self.sentences)
        self._refresh = Refresh(self.redraw, self)
        bind(self, session.timing, self._refresh.soon)
        bind(self, model.uses, self._refresh.soon)
        bind(self, model.results, self._refresh.soon)
        bind(self, model.counted, self._show_counted)

    def redraw(self) -> None:
        """Draw everything from the model and the choice."""
        model = self._model
        picture = use_picture(model.uses.value, model.results.value, self._session.timing.value, model.counted.value)
        self.bars.show_picture(picture)
        self.sentences.setText("\n".join(map(self._look.text, picture.sentences)))
        self.sentences.setVisible(bool(picture.sentences))

    def _show_counted(self, counted: Counted) -> None:
        self.counted.show_choice(counted)
        self.redraw()
