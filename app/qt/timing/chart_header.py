"""The strip above the main chart: what is drawn over what, the axes, and which provenances are shown."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.labels import axis_text, baseline_text, quantity_text
from app.core.results.quantities import Quantity, Rung, Smallest
from app.core.session.session import Session
from app.core.timing.model import Scales, TimingModel, TimingPage, baseline_of, quantities_of, quantity_of
from app.core.timing.recordings import brief_provenance, provenance_text
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.charts.style import key_style, paint_key
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.pointing import Pointing
from app.qt.widgets.segmented import Segmented
from app.qt.widgets.terms import named_tip, with_terms
from kernels.base.messages import Message, message
from kernels.catalogue.catalogue import of

_KEY = QSize(36, 16)
_MARGIN, _KEY_GAP = 14, 12
_SHOW_OR_HIDE = message("Show or hide these curves")
_SCALES = (
    (Scales.LOG_LOG, message("log, log")), (Scales.LOG_LINEAR, message("log n, linear")), (Scales.LINEAR, message("linear")),
)  # fmt: skip
_PAGES = tuple((each, each.page_title, "") for each in (TimingPage.CURVES, TimingPage.LADDER, TimingPage.USES, TimingPage.TUNING))


class TimingHeader(QWidget):
    """Shows and changes how the main chart is drawn."""

    asked = Signal(object)
    """The provenance whose key is pointed at, or None."""

    def __init__(self, look: Look, session: Session, model: TimingModel) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._model = model
        self.quantity = ChoiceBox[Quantity](look, message("Quantity"), lambda value: setattr(model.quantity, "value", value))
        self.axis = ChoiceBox[str](look, message("What varies"), self._choose_axis)
        self.baseline = ChoiceBox[str](look, message("Baseline of the speed-up"), lambda value: setattr(model.baseline, "value", value))
        self.scales = ChoiceBox[Scales](look, message("Axes"), lambda value: setattr(model.scales, "value", value))
        self.pages = Segmented(look, message("What is drawn"), _PAGES, lambda value: setattr(model.page, "value", value))
        self._keys = {provenance: self._key(provenance) for provenance in Provenance}
        self._named: object = None
        """The machines and days that the keys tell."""
        self._arrange()
        bind(self, session.timing, self._show_choices)
        bind(self, model.quantity, self._show_choices)
        bind(self, model.baseline, self._show_choices)
        bind(self, model.page, self._show_page)
        bind(self, model.scales, lambda value: self.scales.show_choices(_SCALES, value))
        bind(self, model.revision, self._show_results)
        bind(self, model.shown, self._show_shown)

    def _arrange(self) -> None:
        self._choosers, self._keys_shown = QWidget(), QWidget()
        choosers, keys, below = QHBoxLayout(self._choosers), QHBoxLayout(self._keys_shown), QHBoxLayout()
        self._below = below
        for row in (choosers, keys):
            row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.quantity, self.axis, self.baseline):
            choosers.addWidget(widget)
        choosers.addStretch(1)
        choosers.addWidget(self.scales)
        choosers.setSpacing(8)
        below.addWidget(self.pages)
        below.addStretch(1)
        below.addWidget(self._keys_shown)
        keys.setSpacing(_KEY_GAP)
        for key in self._keys.values():
            keys.addWidget(key)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, 8, _MARGIN, 0)
        column.setSpacing(4)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)  # not amid the room of a row that was hidden, for the one frame that it lasts
        column.addLayout(below)  # first, so that the tabs stay where they are whatever is drawn
        column.addWidget(self._choosers)

    def _choose_axis(self, axis: str) -> None:
        self._session.timing.value = replace(self._session.timing.value, axis=axis)

    def _show_choices(self, _changed: object = None) -> None:
        """What can be drawn depends on the ticked rungs, so all is offered anew."""
        choice, model = self._session.timing.value, self._model
        told, quantity = quantities_of(choice, choice.axis, model.baseline.value), quantity_of(model, choice)
        self.quantity.show_choices([(each, quantity_text(each, choice.operation)) for each in told], quantity)
        self.axis.show_choices([(axis, axis_text(choice, axis)) for axis in choice.axes], choice.axis)
        baseline = baseline_of(choice, choice.axis, model.baseline.value)
        offered: list[tuple[str, Message]] = []
        if isinstance(baseline_of(choice, choice.axis, ""), Smallest):
            offered.append(("", baseline_text(choice, Smallest(choice.axis))))
        shown = {variant.id for variant in choice.variants} | ({baseline.variant_id} if isinstance(baseline, Rung) else set())
        offered += [(each.id, baseline_text(choice, Rung(each.id))) for each in of(choice.operation) if each.id in shown]
        self.baseline.show_choices(offered, baseline.variant_id if isinstance(baseline, Rung) else "")
        self.baseline.setVisible(quantity is Quantity.SPEED_UP)

    def _show_page(self, page: TimingPage) -> None:
        """What shapes curves is out of the way where there are none."""
        self.pages.show_choice(page)
        for part in (self._choosers, self._keys_shown):
            part.setVisible(page is TimingPage.CURVES)

    def _show_results(self, _revision: int) -> None:
        results = self._model.results
        named = [(results.machines(each), results.days(each)) for each in Provenance if results.knows(each)]
        if named == self._named:
            return
        self._named = named
        for provenance, key in self._keys.items():
            key.setVisible(provenance is Provenance.MEASURED or results.knows(provenance))
        self._name_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._name_keys()
        super().resizeEvent(event)

    def _name_keys(self) -> None:
        """Name the provenances: without the day, or the machine too, where that does not fit beside the choice of drawings; or below it."""
        results = self._model.results
        room = self.width() - 2 * _MARGIN - self.pages.sizeHint().width()
        self._below.setDirection(QBoxLayout.Direction.LeftToRight)
        for words, known in ((provenance_text, results), (brief_provenance, results), (brief_provenance, Results())):
            for provenance, key in self._keys.items():
                key.setText(self._look.text(words(provenance, known)))
                said = self._look.text(provenance_text(provenance, results)) + "\n" + self._look.text(_SHOW_OR_HIDE)
                key.setToolTip(with_terms(said, named_tip(self._look, [provenance.value])))
            if sum(key.sizeHint().width() + _KEY_GAP for key in self._keys.values() if not key.isHidden()) <= room:
                return
        self._below.setDirection(QBoxLayout.Direction.TopToBottom)

    def _show_shown(self, shown: frozenset[Provenance]) -> None:
        for provenance, key in self._keys.items():
            key.setChecked(provenance in shown)

    def _key(self, provenance: Provenance) -> QCheckBox:
        button = QCheckBox()
        Pointing(button, lambda asked: self.asked.emit(provenance if asked else None))
        button.setFont(self._look.theme.font("small"))
        button.setIcon(_key_picture(self._look, provenance))
        button.setIconSize(_KEY)
        button.toggled.connect(lambda shown: self._show(provenance, shown))
        return button

    def _show(self, provenance: Provenance, shown: bool) -> None:
        value = self._model.shown.value
        self._model.shown.value = value | {provenance} if shown else value - {provenance}


def _key_picture(look: Look, provenance: Provenance) -> QPixmap:
    ratio = 2
    picture = QPixmap(_KEY * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    style = key_style(look.theme, provenance)
    paint_key(painter, style, QRectF(QPointF(1, 1), QPointF(_KEY.width() - 1, _KEY.height() - 1)))
    painter.end()
    return picture
