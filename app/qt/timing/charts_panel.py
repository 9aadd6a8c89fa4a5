"""Main area of the timing workspace: its charts, and a box with what the data shows, in sentences.

Imports pyqtgraph, so it is imported when it is first needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.core.base.observable import Field
from app.core.insights.rules import Insight
from app.core.results.curves import Provenance
from app.core.results.first_look import AT_MOST_S, first_choice, offered
from app.core.results.labels import DEVICES
from app.core.results.quantities import Quantity
from app.core.session.session import Session, TimingChoice
from app.core.timing.model import TimingModel, TimingPage, quantity_of
from app.core.tuning.model import Statuses
from app.qt.base.binding import bind
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.base.refresh import ASKED_MEASURING_MS, ASKED_MS, Refresh
from app.qt.charts.chart import Chart
from app.qt.charts.content import ChartContent, content_beside, content_of
from app.qt.timing.actions import TimingActions
from app.qt.timing.chart_header import TimingHeader
from app.qt.widgets.labels import label, unbroken
from app.qt.widgets.stops import order_stops
from kernels.base.devices import Availability
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Variant
from kernels.measure.estimate import duration


class InsightBox(QWidget):
    """A heading and one paragraph a sentence; it scrolls where there is little room."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[tuple[str, Message], ...] = ()
        self._labels: list[QLabel] = []
        self._lines = QVBoxLayout()
        self._lines.setContentsMargins(14, 0, 14, 10)
        self._lines.setSpacing(8)
        self._lines.addStretch(1)
        inner = QWidget()
        inner.setLayout(self._lines)
        scroll = QScrollArea()
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setAccessibleName(look.text(message("What the data shows")))
        heading = label(look, message("What the data shows"), "section")
        heading.setContentsMargins(14, 10, 14, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(heading)
        column.addWidget(scroll, 1)
        self.show_insights(())

    def show_insights(self, insights: tuple[Insight, ...]) -> None:
        """Show these sentences. Labels that can stay are given another text: making some thirty anew held up the window for 40 ms."""
        shown, kept = tuple(_lines_of(insights)), 0
        for line, (role, before), (other, text) in zip(self._labels, self._shown, shown, strict=False):
            if role != other:
                break
            if text != before:
                line.setText(unbroken(self._look.text(text)))
            kept += 1
        for line in self._labels[kept:]:
            line.hide()
            line.deleteLater()
        self._labels[kept:] = [self._line(role, text) for role, text in shown[kept:]]
        for line in self._labels[kept:]:
            self._lines.insertWidget(self._lines.count() - 1, line)
        self._shown = shown

    def _line(self, role: str, text: Message) -> QLabel:
        if role == _CAPTION:
            return label(self._look, text, role, rank=3)
        paragraph = label(self._look, "", role)
        paragraph.setText(unbroken(self._look.text(text)))
        paragraph.setWordWrap(True)
        paragraph.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return paragraph


_CAPTION, _BODY = "caption", "body"


def _lines_of(insights: tuple[Insight, ...]) -> Iterator[tuple[str, Message]]:
    """Sentences, each group under the machine that it speaks of."""
    said = None
    for insight in insights:
        if (insight.provenance, insight.machine) != said:
            said = insight.provenance, insight.machine
            yield _CAPTION, _source(insight)
        yield _BODY, insight.sentence
    if not insights:
        yield _BODY, message("Sentences appear here when two rungs were timed at the same n on one machine.")


def _source(insight: Insight) -> Message:
    if insight.provenance is Provenance.MEASURED:
        return message("measured here, {machine}", machine=insight.machine) if insight.machine else message("measured here")
    return message("recorded on {machine}", machine=insight.machine) if insight.machine else message("recorded")


_STRIP_HEIGHT, _LOW_STRIP_HEIGHT, _WORDS_HEIGHT = 232, 196, 132
"""Of what stands below the main chart: with the small chart in a high window and in a low one, and where there are sentences alone."""
_LOW = 640
_NOTICE = 220
"""Pixels of width for what was not measured, beside the button that measures it; else that stands below."""
_BESIDE_MS = 30
"""From the main chart to the small one: the event loop comes round in between."""


class TimingPanel(QWidget):
    """The chosen axis in the main chart, the other one small below it; drawn anew at most ten times a second."""

    def __init__(self, look: Look, session: Session, model: TimingModel, actions: TimingActions, devices: Field[Statuses]) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._model = model
        self._actions = actions
        self._devices = devices
        self._pages: dict[TimingPage, Lazy[QWidget]] = {}
        self.chart = Chart(look, look.text(message("Chart of the measured speeds")))
        self.small_chart = Chart(look, look.text(message("Small chart of the other axis")), compact=True)
        self.insights = InsightBox(look)
        self.measure = QPushButton(look.text(message("Measure six rungs here, about {duration}", duration=duration(AT_MOST_S))))
        self.measure.setProperty("primary", "true")
        self.measure.setFont(look.theme.font("body"))
        self.measure.clicked.connect(self._measure)
        self.notice = label(look, "", "body", rank=2)
        self.notice.setWordWrap(True)
        self.missing = label(look, "", "body", rank=2)
        self.missing.setWordWrap(True)
        self.missing.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.standing_in = label(look, "", "small", rank=2)
        self.standing_in.setWordWrap(True)
        self.hide_unticked = QToolButton()
        self.hide_unticked.setFont(look.theme.font("small"))
        self.hide_unticked.clicked.connect(lambda: setattr(model.standing_in, "value", not model.standing_in.value))
        self.header = TimingHeader(look, session, model)
        self._small_title = label(look, "", "section")
        self._arrange()
        for chart in (self.chart, self.small_chart):
            chart.pointed.connect(lambda variant_id: setattr(model.pointed, "value", variant_id))
        self.header.asked.connect(self._show_asked)
        self._asked: tuple[object, ...] = ()
        self._missing: frozenset[Device] = frozenset()
        self._refresh = Refresh(self.redraw, self._curves)
        self._beside = Refresh(self._redraw_beside, self._curves, _BESIDE_MS)
        self._questions = Refresh(self._ask, self._curves)
        self._follow()
        self._refresh.now()

    def _follow(self) -> None:
        """Draw anew when anything changes that the charts are made of."""
        model = self._model
        made_of: tuple[Field[Any], ...] = (
            self._session.timing, model.quantity, model.baseline, model.scales, model.shown, model.revision, model.staged, model.under_way,
            model.standing_in, self._devices,
        )  # fmt: skip
        for field in made_of:
            bind(self, field, self._refresh.soon)
        bind(self, model.page, self._show_page)
        bind(self, model.pointed, self._show_pointed)
        bind(self, model.insights, self.insights.show_insights)

    def redraw(self) -> None:
        """Draw the main chart from the model and the choice, the rest soon after it."""
        choice = self._session.timing.value
        self._missing = absent(self._devices.value)
        content = content_of(self._model, choice, choice.axis, quantity_of(self._model, choice), self._missing)
        _show_content(self.chart, content)
        self._show_notice(choice, content)
        _show_text(self._look, self.missing, not_measured(self._devices.value, choice))
        self._show_unticked(content)
        self._beside.soon()
        seldom = self._model.under_way.value and self._asked[1:] == (choice, self._model.staged.value, self._model.shown.value)
        self._questions.within(ASKED_MEASURING_MS if seldom else ASKED_MS)

    def _redraw_beside(self) -> None:
        choice = self._session.timing.value
        beside = content_beside(self._model, choice, quantity_of(self._model, choice), self._missing)
        _show_content(self.small_chart, beside or ChartContent())
        self._show_beside(choice, beside)

    def _ask(self) -> None:
        choice = self._session.timing.value
        asked = (self._model.revision.value, choice, self._model.staged.value, self._model.shown.value)
        if asked != self._asked:
            self._asked = asked
            self._model.ask_insights(choice)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_strip()
        beside = event.size().width() - self.measure.sizeHint().width() >= self._look.px(_NOTICE)
        self._offer.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def add_page(self, page: TimingPage, widget: Lazy[QWidget]) -> None:
        """Show `widget` in the place of the charts where that page is chosen; it is made when that is first done."""
        self._pages[page] = widget
        self._show_page(self._model.page.value)

    def _show_page(self, page: TimingPage) -> None:
        self._curves.setVisible(page is TimingPage.CURVES)
        self._foot.setVisible(page is TimingPage.CURVES)
        chosen = self._pages.get(page)
        if chosen is not None and chosen.made is None:
            self._column.insertWidget(self._column.count() - 1, chosen(), 1)
            order_stops((self.header, chosen()))
        for widget in self._pages.values():
            if widget.made is not None:
                widget.made.setVisible(widget is chosen)

    def _arrange(self) -> None:
        self._offer = offer = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        offer.setContentsMargins(6, 6, 14, 0)
        offer.setSpacing(12)
        offer.addWidget(self.notice, 1)
        offer.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignRight)
        self._curves = QWidget()
        main = QVBoxLayout(self._curves)
        main.setContentsMargins(8, 0, 0, 0)
        main.setSpacing(0)
        main.addLayout(offer)
        main.addWidget(self.chart, 1)
        main.addWidget(self.missing)
        for words in (self.missing, self.standing_in):
            words.setContentsMargins(6, 0, 14, 8)
        others = QHBoxLayout()
        others.setContentsMargins(0, 0, 14, 0)
        others.addWidget(self.standing_in, 1)
        others.addWidget(self.hide_unticked, 0, Qt.AlignmentFlag.AlignTop)
        main.addLayout(others)
        self._foot = self._strip()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.header)
        self._column.addWidget(self._curves, 1)
        self._column.addWidget(self._foot)

    def _strip(self) -> QFrame:
        strip = QFrame()
        strip.setProperty("rule", "top")
        self._small = QWidget()
        left = QVBoxLayout(self._small)
        left.setContentsMargins(14, 10, 4, 0)
        left.setSpacing(0)
        left.addWidget(self._small_title)
        left.addWidget(self.small_chart, 1)
        rule = QFrame()
        rule.setProperty("rule", "left")
        rule.setFixedWidth(1)
        row = QHBoxLayout(strip)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._small, 1)
        row.addWidget(rule)
        row.addWidget(self.insights, 1)
        return strip

    def _show_beside(self, choice: TimingChoice, beside: ChartContent | None) -> None:
        """What the small chart is of; where there is nothing to see in it, its room is the others'."""
        if beside is not None:
            self._small_title.setText(self._look.text(_title(choice, beside)))
        self._small.setVisible(beside is not None)
        self._fit_strip()

    def _fit_strip(self) -> None:
        """Make the strip below the main chart as high as what is in it needs."""
        low = self.height() < self._look.px(_LOW)
        charted = _LOW_STRIP_HEIGHT if low else _STRIP_HEIGHT
        self._foot.setFixedHeight(self._look.px(_WORDS_HEIGHT if self._small.isHidden() else charted))

    def _show_notice(self, choice: TimingChoice, content: ChartContent) -> None:
        """Offer a first look where nothing was measured yet; else say why there are no curves."""
        busy = bool(self._model.under_way.value)
        first = self._first(choice)
        self.measure.setVisible(bool(first) and not busy)
        _show_text(self._look, self.notice, _six(first) if first and not busy else _empty(choice, content, busy))

    def _show_unticked(self, content: ChartContent) -> None:
        """Why there are curves of rungs that nobody ticked, with the button that hides them."""
        drawn = self._model.standing_in.value
        _show_text(self._look, self.standing_in, not_ticked(content.unticked, drawn=drawn))
        self.hide_unticked.setText(self._look.text(message("Hide them") if drawn else message("Show them")))
        self.hide_unticked.setVisible(content.unticked > 0)

    def _first(self, choice: TimingChoice) -> tuple[Variant, ...]:
        return offered(choice, self._model.results, self._devices.value)

    def _measure(self) -> None:
        self._session.timing.value = first_choice(self._session.timing.value, self._devices.value)
        self._actions.measure()

    def _show_pointed(self, variant_id: str) -> None:
        for chart in (self.chart, self.small_chart):
            chart.point_at((lambda key: key.variant_id == variant_id) if variant_id else None)

    def _show_asked(self, provenance: Provenance | None) -> None:
        self.chart.point_at(None if provenance is None else lambda key: key.provenance is provenance)


def absent(devices: Statuses) -> frozenset[Device]:
    """The devices that are known not to be here."""
    return frozenset(device for device, status in devices.items() if not status.ready and status.availability is not Availability.PROBING)


def not_measured(devices: Statuses, choice: TimingChoice) -> Message | None:
    """Which of the ticked variants cannot run on this machine, why, and what would help: once for each device."""
    said: Message | None = None
    for device in [each for each in devices if each in absent(devices) and any(variant.device is each for variant in choice.variants)]:
        status = devices[device]
        reason = status.reason or message("The device is not ready.")
        if status.remedy is not None:
            reason = message("{reason} {remedy}", reason=reason, remedy=status.remedy)
        line = message("{device} variants are not measured here: {reason}", device=DEVICES[device], reason=reason)
        said = line if said is None else message("{first} {other}", first=said, other=line)
    return said


def not_ticked(curves: int, *, drawn: bool) -> Message | None:
    """Why there are curves of rungs that nobody ticked, or that they are hidden; None where there are none."""
    if not curves:
        return None
    if not drawn:
        return message("Hidden: curves of rungs that are not ticked, {count}.", count=curves)
    if curves == 1:
        return message("Not ticked: one curve, recorded elsewhere. It stands in for times that are missing here.")
    return message("Not ticked: {count} curves, recorded elsewhere. They stand in for times that are missing here.", count=curves)


def _title(choice: TimingChoice, beside: ChartContent) -> Message:
    """What the small chart shows."""
    if beside.quantity is Quantity.TIME and beside.parameter is not None and beside.n is not None:
        return message("Time versus {parameter}, n = {n}", parameter=beside.parameter.title, n=beside.n)
    match beside.quantity:
        case Quantity.SPEED_UP:
            return message("Speed-up versus n")
        case Quantity.PERCENT:
            copied = choice.operation is Operation.TRANSPOSE
            return message("Share of the copy versus n") if copied else message("Share of the library versus n")
        case _:
            return message("Time versus n")


def _six(variants: tuple[Variant, ...]) -> Message:
    """The names of the rungs of the first look."""
    names = reduce(lambda first, rest: message("{first}; {rest}", first=first, rest=rest), (variant.title for variant in variants))
    return message("Nothing was measured here yet. Worth a first look: {names}.", names=names)


def _show_content(chart: Chart, content: ChartContent) -> None:
    if content != chart.content:
        chart.show_content(content)


def _empty(choice: TimingChoice, content: ChartContent, busy: bool) -> Message | None:
    """The sentence for a chart without a curve."""
    if any(series.drawn for series in content.series) or busy:
        return None
    if not choice.ticked:
        return message("Tick rungs in the ladder to measure them.")
    reasons = (point.reason for series in content.series for point in series.points if point.reason is not None)
    return next(reasons, message("No times of the ticked rungs yet."))


def _show_text(look: Look, where: QLabel, text: Message | None) -> None:
    where.setText("" if text is None else look.text(text))
    where.setVisible(text is not None)
