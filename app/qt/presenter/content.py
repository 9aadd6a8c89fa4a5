"""Which parts the drawing has: what the stage, a comparison or a page of the timing workspace shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from app.core.compare.words import name_of
from app.core.launch.prints import prints
from app.core.launch.views import View
from app.core.nest.views import NestView
from app.core.presenter.rungs import readable
from app.core.session import Workspace
from app.core.stage_model import AnyPicture, LaunchPicture, StageModel
from app.core.timing import Drawing
from app.core.workbench import Workbench
from app.qt.gantt.ranks_timeline import RanksTimeline
from app.qt.gantt.threads_gantt import ThreadsGantt
from app.qt.ladder.bars import LadderBars
from app.qt.look import Look
from app.qt.presenter.large import launch_view, nest_view, run_view
from app.qt.presenter.parts import Part, RunsPart, ViewPart
from kernels.messages import Message, message

PAGE, RUNS, PAIR, VIEW = "page", "runs", "pair", "view"
"""The kinds of a drawing: a page of the timing workspace, real runs, two launches beside each other, a view of the stage."""
_LADDER = message("Share of the library")
_CURVES = message("Measured speed")


def content_key(workbench: Workbench, full: int, *, asking: bool) -> tuple[object, ...]:
    """Equal while the drawing has the same parts. `full` is the number of the view that is asked for, 0: none is.

    Where a question is open, the page that answers it is not shown yet.
    """
    if workbench.session.workspace.value is Workspace.TIMING and not full and not asking:
        return PAGE, workbench.timing.drawing.value
    runs, pair = workbench.real_runs, workbench.comparison.pair.value
    if runs.watched.value:
        return RUNS, runs.ranked
    if pair is not None:
        return PAIR, pair, View(full or workbench.comparison.view.value)
    picture = workbench.stage.picture.value
    return VIEW, type(picture), full or view_of(workbench.stage)


def parts_of(workbench: Workbench, key: tuple[object, ...], full: int, look: Look) -> tuple[Part, ...]:
    """The parts for a key, made anew."""
    if key[0] == PAGE:
        return (_page(workbench, look),)
    if key[0] == RUNS:
        return (RunsPart(run_view(workbench.real_runs, look), workbench.real_runs, workbench.stage),)
    comparison = workbench.comparison
    pair = comparison.pair.value
    if pair is not None:
        number = full or comparison.view.value
        left, right = (launch_view(number, look, model) for model in (comparison.left, comparison.live))
        return (
            ViewPart(left, comparison.left, name_of(pair.left, pair.right)),
            ViewPart(right, comparison.live, name_of(pair.right, pair.left)),
        )
    stage = workbench.stage
    picture = stage.picture.value
    if picture is None:
        return ()
    made: Callable[[int, Look, StageModel], Any] = launch_view if isinstance(picture, LaunchPicture) else nest_view
    return (ViewPart(made(full or view_of(stage), look, stage), stage),)


def headline_of(workbench: Workbench) -> Message | None:
    """What a real run shows; None where none is shown."""
    runs = workbench.real_runs
    return (RanksTimeline if runs.ranked else ThreadsGantt).headline if runs.watched.value else None


def view_of(stage: StageModel) -> int:
    """The view that is alone, or else the one that tells most of what the stage shows."""
    return stage.alone.value or _best(stage.picture.value)


def _best(picture: AnyPicture | None) -> int:
    """The threads that print; the memory where there are no matrices."""
    if not isinstance(picture, LaunchPicture):
        return NestView.MATRICES
    if prints(picture.index):
        return View.THREADS
    return View.MATRICES if picture.index.roles else View.GLOBAL_MEMORY


def _page(workbench: Workbench, look: Look) -> Part:
    drawing = workbench.timing.drawing.value
    if drawing is Drawing.LADDER:
        return Page(LadderBars(look), _LADDER, lambda bars: _show_ladder(bars, workbench), 16.0)
    from app.qt.plots.chart import Chart  # its library takes long to load

    if drawing is Drawing.USES:
        from app.qt.plots.use_bars import UseBars

        return Page(UseBars(look), message("One use of the GPU"), lambda bars: bars.show_picture(workbench.uses.picture()), 13.0)
    return Page(Chart(look, look.text(_CURVES)), _CURVES, lambda chart: _show_curves(chart, workbench), 12.0)


class Page(Part):
    """A picture of the timing workspace: a widget that is told what to show."""

    def __init__(self, widget: QWidget, name: Message, show: Callable[[Any], None], smallest: float) -> None:
        super().__init__(widget, name)
        self.smallest = smallest
        self._show = show
        show(widget)

    def refresh(self) -> bool:
        self._show(self.widget)
        return True


def _show_ladder(bars: LadderBars, workbench: Workbench) -> None:
    picture = workbench.ladder.picture()
    if picture is None:
        bars.show_ladder(None, "")
    else:
        bars.show_ladder(readable(picture.ladder, picture.chosen), picture.chosen)


def _show_curves(chart: Any, workbench: Workbench) -> None:
    from app.qt.plots.content import content_of

    choice = workbench.session.timing.value
    chart.show_content(content_of(workbench.timing, choice, choice.axis, workbench.timing.quantity.value))
