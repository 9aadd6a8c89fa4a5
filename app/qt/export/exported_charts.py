"""Charts, bars and maps of times as export views. Imports pyqtgraph, so it is imported when a picture is wanted."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from app.core.export.picture_text import PictureText, source_of_results, text_of_results
from app.core.insights.rules import insights
from app.core.ladder.model import LadderModel
from app.core.ladder.sentences import source_of, title_of
from app.core.results.curves import Provenance
from app.core.results.labels import axis_text
from app.core.session.session import Session
from app.core.timing.model import TimingModel, quantity_of
from app.core.timing.use_timer import UseModel
from app.core.tuning.model import TuningModel
from app.core.tuning.sentences import title_text, verdict
from app.qt.base.look import Look
from app.qt.charts.chart import Chart
from app.qt.charts.content import content_of
from app.qt.charts.use_bars import UseBars
from app.qt.export.export_view import backdrop
from app.qt.ladder.bars import LadderBars
from app.qt.tuning.heat_map_view import HeatMapView
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class ExportedWidget:
    """Export view of a widget that shows one thing."""

    widget: QWidget
    words: PictureText

    def close(self) -> None:
        """Delete the widget: it is not needed any more."""
        self.widget.deleteLater()


def chart_view(look: Look, session: Session, model: TimingModel) -> ExportedWidget | Message:
    """The curves of what is chosen, or why there are none."""
    choice = session.timing.value
    content = replace(content_of(model, choice, choice.axis, quantity_of(model, choice)), running=())
    drawn = [series for series in content.series if series.drawn]
    if not drawn:
        return message("No times of the ticked rungs yet.")
    title = message("{quantity} {axis}", quantity=content.unit, axis=axis_text(choice, choice.axis))
    chart = Chart(look, look.text(title))
    chart.show_content(content)
    results = {provenance: [point.result for each in drawn if each.key.provenance is provenance for point in each.drawn]
               for provenance in Provenance}  # fmt: skip
    sources = [source_of_results(provenance, known) for provenance, known in results.items() if known]
    found = insights(model.results, choice, model.staged.value, model.shown.value)
    words = text_of_results(title, found[0].sentence if found else None, sources)
    return ExportedWidget(backdrop(look, chart), words)


def ladder_view(look: Look, model: LadderModel) -> ExportedWidget | Message:
    """All rungs at one size, or why there are none."""
    picture = model.picture()
    if picture is None:
        return message("No rung of this operation was timed yet.")
    bars = LadderBars(look)
    bars.show_ladder(picture.ladder, "")
    words = text_of_results(message("The ladder, rung by rung"), title_of(picture.ladder), (source_of(picture.ladder),))
    return ExportedWidget(backdrop(look, bars), words)


def tuning_view(look: Look, model: TuningModel) -> ExportedWidget | Message:
    """The heat map of the settings, or why there is none."""
    picture = model.picture()
    if picture is None:
        return model.refusal() or message("None of the ticked rungs has a parameter.")
    view = HeatMapView(look)
    view.show_map(picture.map, picture.library)
    provenance = picture.map.provenance
    known = [cell.result for cell in picture.map.cells.values() if cell.result is not None]
    sources = [source_of_results(provenance, known)] if provenance is not None and known else []
    words = text_of_results(title_text(picture), verdict(picture.plan, picture.map, picture.library), sources)
    return ExportedWidget(backdrop(look, view), words)


def uses_view(look: Look, model: UseModel) -> ExportedWidget | Message:
    """Where the time of one use of the GPU goes, or why that is not known."""
    picture = model.picture()
    if not picture.rows:
        return picture.title
    bars = UseBars(look)
    bars.show_picture(picture)
    caption = picture.sentences[0] if picture.sentences else None
    words = text_of_results(message("Where the time of one use of the GPU goes"), caption, (picture.title,))
    return ExportedWidget(backdrop(look, bars), words)
