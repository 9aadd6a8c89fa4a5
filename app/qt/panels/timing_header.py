"""The strip above the main chart: its title, quantity, axes, and which provenances are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from app.core.curves import Provenance, Quantity, Results, machines_of, unit
from app.core.observable import Field
from app.core.session import Axis, Session, TimingChoice
from app.core.timing import Scales, TimingModel
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.plots.style import paint_key, slot_style
from app.qt.widgets.labels import label
from kernels.messages import Message, message
from kernels.spec import Operation

T = TypeVar("T")
_KEY = QSize(36, 16)


class TimingHeader(QWidget):
    """Shows and changes how the main chart is drawn."""

    def __init__(self, look: Look, session: Session, model: TimingModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self._title = label(look, "", "section")
        self._quantity = _choices(look, message("Quantity"), _quantities(session.operation), model.quantity)
        scales = ((Scales.LOG_LOG, message("log, log")), (Scales.LOG_LINEAR, message("log n, linear")), (Scales.LINEAR, message("linear")))
        self._scales = _choices(look, message("Axes"), scales, model.scales)
        self._keys = {provenance: self._key(provenance) for provenance in Provenance}
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 14, 8)
        for widget in (self._title, self._quantity, self._scales):
            row.addWidget(widget)
        row.addStretch(1)
        row.setSpacing(12)
        for key in self._keys.values():
            row.addWidget(key)
        bind(self, session.timing, self._show_choice)
        bind(self, model.results, self._show_results)

    def _show_choice(self, choice: TimingChoice) -> None:
        title = message("Speed versus n") if choice.axis is Axis.SIZE else message("Speed versus tile size, n = {n}", n=choice.sizes[-1])
        self._title.setText(self._look.text(title))
        self._quantity.setItemText(0, unit(choice.operation))

    def _show_results(self, results: Results) -> None:
        for provenance, key in self._keys.items():
            key.setVisible(provenance is Provenance.MEASURED or bool(results.get(provenance)))
            key.setText(self._look.text(_provenance_text(provenance, results)))

    def _key(self, provenance: Provenance) -> QCheckBox:
        button = QCheckBox()
        button.setChecked(provenance in self._model.shown.value)
        button.setFont(self._look.theme.font("small"))
        button.setIcon(_key_picture(self._look, provenance))
        button.setIconSize(_KEY)
        button.setToolTip(self._look.text(message("Show or hide these curves")))
        button.toggled.connect(lambda shown: self._show(provenance, shown))
        return button

    def _show(self, provenance: Provenance, shown: bool) -> None:
        value = self._model.shown.value
        self._model.shown.value = value | {provenance} if shown else value - {provenance}


class _ChoiceBox(QComboBox):
    """A combo box with a plain arrow in the theme's colour."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._arrow = QPen(look.theme.t2, 1.6)
        self.setStyleSheet("QComboBox::drop-down { border: 0; width: 20px; }")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._arrow)
        tip = QPointF(self.width() - 14, self.height() / 2 + 2)
        painter.drawPolyline([tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)])
        painter.end()


def _choices(look: Look, name: Message, choices: Sequence[tuple[T, Message]], field: Field[T]) -> QComboBox:
    box = _ChoiceBox(look)
    box.setFont(look.theme.font("body"))
    box.setAccessibleName(look.text(name))
    box.setToolTip(look.text(name))
    for _, title in choices:
        box.addItem(look.text(title))
    values = [value for value, _ in choices]
    box.activated.connect(lambda index: setattr(field, "value", values[index]))
    bind(box, field, lambda value: box.setCurrentIndex(values.index(value)))
    return box


def _quantities(operation: Operation) -> tuple[tuple[Quantity, Message], ...]:
    rate = message("GFLOP/s") if operation is Operation.MATMUL else message("GB/s")
    return (Quantity.RATE, rate), (Quantity.TIME, message("ms")), (Quantity.PERCENT, message("% of library"))


def _provenance_text(provenance: Provenance, results: Results) -> Message:
    machines = ", ".join(sorted(set(machines_of(results.get(provenance, ())).values())))
    texts: Mapping[Provenance, Message] = {
        Provenance.MEASURED: message("measured here"),
        Provenance.RECORDED: message("recorded on {machine}", machine=machines) if machines else message("recorded"),
        Provenance.PUBLISHED: message("published"),
    }
    return texts[provenance]


def _key_picture(look: Look, provenance: Provenance) -> QPixmap:
    ratio = 2
    picture = QPixmap(_KEY * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    style = slot_style(look.theme, None, provenance)
    paint_key(painter, style, QRectF(QPointF(1, 1), QPointF(_KEY.width() - 1, _KEY.height() - 1)))
    painter.end()
    return picture
