"""The main area of the timing workspace: its charts and what they say. Imports pyqtgraph, so it is imported when it is first needed."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.curves import Provenance
from app.core.quantities import Quantity
from app.core.selection import chart_n
from app.core.session import Session, TimingChoice
from app.core.timing import Drawing, TimingModel, about_seconds, other_axis
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.timing_actions import TimingActions
from app.qt.panels.timing_header import TimingHeader
from app.qt.panels.timing_insights import InsightBox
from app.qt.panels.timing_refresh import Refresh
from app.qt.plots.chart import Chart
from app.qt.plots.content import ChartContent, content_of
from app.qt.widgets.labels import label
from kernels.measure.estimate import duration
from kernels.messages import Message, message

_STRIP_HEIGHT = 232


class TimingPanel(QWidget):
    """The chosen axis in the main chart, the other one small below it; drawn anew at most ten times a second."""

    def __init__(self, look: Look, session: Session, model: TimingModel, actions: TimingActions) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._model = model
        self._pages: dict[Drawing, QWidget] = {}
        self.chart = Chart(look, look.text(message("Chart of the measured speeds")))
        self.small_chart = Chart(look, look.text(message("Small chart of the other axis")), compact=True)
        self.insights = InsightBox(look)
        self.measure = QPushButton()
        self.measure.setProperty("primary", "true")
        self.measure.setFont(look.theme.font("body"))
        self.measure.clicked.connect(actions.measure)
        self.notice = label(look, "", "body", rank=2)
        self.header = TimingHeader(look, session, model)
        self._small_title = label(look, "", "section")
        self._small_notice = label(look, "", "small", rank=3)
        self._arrange()
        self._asked: tuple[object, ...] = ()
        self._refresh = Refresh(self.redraw, self._curves)
        bind(self, session.timing, self._refresh.soon)
        bind(self, model.drawing, self._show_drawing)
        bind(self, model.quantity, self._refresh.soon)
        bind(self, model.baseline, self._refresh.soon)
        bind(self, model.scales, self._refresh.soon)
        bind(self, model.shown, self._refresh.soon)
        bind(self, model.revision, self._refresh.soon)
        bind(self, model.staged, self._refresh.soon)
        bind(self, model.progress, self._refresh.soon)
        bind(self, model.insights, self.insights.show_insights)
        self.redraw()

    def redraw(self) -> None:
        """Draw everything from the model and the choice."""
        choice = self._session.timing.value
        other = other_axis(choice)
        content = content_of(self._model, choice, choice.axis, self._model.quantity.value)
        _show_content(self.chart, content)
        _show_content(self.small_chart, ChartContent() if other is None else content_of(self._model, choice, other, Quantity.TIME))
        asked = (self._model.revision.value, choice, self._model.staged.value)
        if asked != self._asked:
            self._asked = asked
            self._model.ask_insights(choice)
        self._show_small_title(choice, other)
        self._show_notice(choice, content)

    def add_page(self, drawing: Drawing, page: QWidget) -> None:
        """Show `page` in the place of the charts where the drawing is chosen."""
        self._column.insertWidget(self._column.count() - 1, page, 1)
        self._pages[drawing] = page
        self._show_drawing(self._model.drawing.value)

    def _show_drawing(self, drawing: Drawing) -> None:
        self._curves.setVisible(drawing is Drawing.CURVES)
        self._foot.setVisible(drawing is Drawing.CURVES)
        for own, page in self._pages.items():
            page.setVisible(own is drawing)

    def _arrange(self) -> None:
        offer = QHBoxLayout()
        offer.setContentsMargins(6, 0, 14, 0)
        offer.setSpacing(12)
        offer.addWidget(self.notice)
        offer.addStretch(1)
        offer.addWidget(self.measure)
        self._curves = QWidget()
        main = QVBoxLayout(self._curves)
        main.setContentsMargins(8, 0, 0, 0)
        main.setSpacing(0)
        main.addLayout(offer)
        main.addWidget(self.chart, 1)
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
        strip.setFixedHeight(self._look.px(_STRIP_HEIGHT))
        left = QVBoxLayout()
        left.setContentsMargins(14, 10, 4, 0)
        left.setSpacing(0)
        left.addWidget(self._small_title)
        left.addWidget(self._small_notice)
        left.addWidget(self.small_chart, 1)
        rule = QFrame()
        rule.setProperty("rule", "left")
        rule.setFixedWidth(1)
        row = QHBoxLayout(strip)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, 1)
        row.addWidget(rule)
        row.addWidget(self.insights, 1)
        return strip

    def _show_small_title(self, choice: TimingChoice, axis: str | None) -> None:
        parameter = None if axis is None else choice.parameter(axis)
        title = message("Time versus n")
        if axis is None:
            title = message("Time versus a parameter")
        elif parameter is not None:
            n = chart_n(self._model.results, choice, axis)
            title = message("Time versus {parameter}, n = {n}", parameter=parameter.title, n=n)
        self._small_title.setText(self._look.text(title))
        notice = message("None of the ticked rungs has a parameter.") if axis is None else None
        _show_text(self._look, self._small_notice, notice)

    def _show_notice(self, choice: TimingChoice, content: ChartContent) -> None:
        """Without any measured point of the choice: what would measure it, and how long that takes."""
        progress = self._model.progress.value
        busy = progress is not None and progress.busy
        measured = any(series.key.provenance is Provenance.MEASURED for series in content.series)
        self.measure.setVisible(not measured and not busy and bool(choice.ticked))
        if not self.measure.isHidden():  # also while another drawing is in front
            seconds = about_seconds(choice, self._model.results)
            text = message("Measure the ticked rungs, about {duration}", duration=duration(seconds))
            self.measure.setText(self._look.text(text))
        _show_text(self._look, self.notice, _missing(choice, content, busy))


def _show_content(chart: Chart, content: ChartContent) -> None:
    if content != chart.content:
        chart.show_content(content)


def _missing(choice: TimingChoice, content: ChartContent, busy: bool) -> Message | None:
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
