"""Progress of measuring, and the button that stops it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.core.base.job_queues import JobState
from app.core.results.labels import latest_queues, name_of, points_done
from app.core.results.measuring import Progress, QueueProgress
from app.core.timing.model import TimingModel
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.timing.actions import TimingActions
from app.qt.widgets.labels import label, reason_label, show_reason
from kernels.base.messages import Message, message
from kernels.measure.estimate import duration
from kernels.measure.sampler import SamplingState

_PHASES = {
    SamplingState.WAITING: message("waiting for the cores"),
    SamplingState.TURN: message("another Tilescope measures; waiting for its turn"),
    SamplingState.PROBING: message("estimating"),
    SamplingState.COMPILING: message("compiling"),
    SamplingState.RUNNING: message("first run"),
    SamplingState.VERIFYING: message("verifying"),
    SamplingState.SAMPLING: message("measuring"),
}


class ProgressSection(QWidget):
    """Chip, current point, bar, counts, time left and Cancel; after the end what came of it."""

    def __init__(self, look: Look, model: TimingModel, actions: TimingActions) -> None:
        super().__init__()
        self._look = look
        self.chip = label(look, "", "small")
        theme = look.theme
        self.chip.setStyleSheet(
            f"background: {theme.now_bg.name()}; color: {theme.now_text.name()}; border-radius: 9px; padding: 2px 9px; font-weight: 600;"
        )
        self.point = label(look, "", "section")
        self.point.setWordWrap(True)
        self.cancel = QPushButton(look.icon("square", theme.t1), look.text(message("Cancel")))
        self.cancel.setFont(look.theme.font("body"))
        self.cancel.setToolTip(look.text(message("Stops measuring; finished points are kept (Ctrl .)")))
        self.cancel.clicked.connect(actions.cancel)
        self.bar = ProgressBar(look)
        self.counts = label(look, "", "small")
        self.refused = label(look, "", "small", rank=2)
        self.left = label(look, "", "small", rank=2)
        self.failure = reason_label(look)
        self._arrange()
        bind(self, model.progress, self.show_progress)

    def show_progress(self, progress: Progress | None) -> None:
        """Show a snapshot. Nothing at all is shown before the first measurement."""
        queues = latest_queues(progress)
        set_shown(self, bool(queues))
        if not queues:
            return
        done, total = sum(queue.done for queue in queues), sum(queue.total for queue in queues)
        refused = sum(queue.not_possible for queue in queues)
        running = next((queue for queue in queues if not queue.state.ended), None)
        cancelling = any(queue.state is JobState.CANCELLING for queue in queues)
        self.bar.show_share(done / total if total else 0.0, running is not None)
        _show(self._look, self.chip, None if running is None else _phase(running, cancelling))
        _show(self._look, self.point, None if running is None else _point(running))
        _show(self._look, self.counts, points_done(queues))
        _show(self._look, self.refused, message("{count} not possible", count=refused) if refused else None)
        seconds = progress.seconds_left if progress is not None and running is not None and not cancelling else None
        _show(self._look, self.left, None if seconds is None else message("about {duration} left", duration=duration(seconds)))
        self.cancel.setVisible(running is not None)
        self.cancel.setEnabled(not cancelling)
        show_reason(self.failure, self._look, next((queue.failure for queue in queues if queue.failure is not None), None))

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.chip)
        top.addWidget(self.point, 1)
        top.addWidget(self.cancel)
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self.counts)
        below.addWidget(self.refused)
        below.addStretch(1)
        below.addWidget(self.left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.bar)
        column.addLayout(below)
        column.addWidget(self.failure)


class ProgressBar(QWidget):
    """A bar of points done; while measuring, its end is in the colour of the present."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._share = 0.0
        self._running = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(look.text(message("Points measured")))

    def sizeHint(self) -> QSize:
        return QSize(200, 8)

    def show_share(self, share: float, running: bool) -> None:
        """`share` of the points is done, from 0 to 1."""
        self._share, self._running = share, running
        self.setAccessibleDescription(f"{share:.0%}")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        width = self.width() * self._share
        painter.fillRect(self.rect(), theme.cell2)
        painter.fillRect(QRectF(0, 0, width, self.height()), theme.ink)
        if self._running:
            painter.fillRect(QRectF(min(width, self.width() - 8.0), 0, 8, self.height()), theme.now)
        painter.end()


def _phase(queue: QueueProgress, cancelling: bool) -> Message:
    if cancelling:
        return message("cancelling")
    return message("waiting") if queue.phase is None else _PHASES[queue.phase]


def _point(queue: QueueProgress) -> Message | None:
    if queue.point is None:
        return None
    name = name_of(queue.point.variant, queue.point.parameters)
    return message("{variant}, n = {n}", variant=name, n=queue.point.problem.n)


def _show(look: Look, where: QLabel, text: Message | None) -> None:
    where.setText("" if text is None else look.text(text))
    where.setVisible(text is not None)
