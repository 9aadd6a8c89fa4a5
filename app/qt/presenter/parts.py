"""Parts of a slide's drawing: views of the stage, a comparison, a real run, or a page of the timing workspace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QSizeF
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QWidget

from app.core.base.picture_parts import Verdict
from app.core.compare.sentences import name_of_side
from app.core.frames.views import CpuView, View
from app.core.gpu_view.prints import prints
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.lesson_metrics.metric import Source
from app.core.presenter.slide import readable
from app.core.programs.frame import ProgramFrame
from app.core.session.session import Workspace
from app.core.stage.model import AnyPicture, GpuPicture, StageModel
from app.core.timelines.model import ExecutionTimelines
from app.core.timelines.sentences import status_text
from app.core.timing.model import TimingPage, quantity_of
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.gpu_view.view import GpuView
from app.qt.ladder.bars import LadderBars
from app.qt.presenter.large import Magnified, as_magnified, fit, launch_view, nest_view, run_view
from app.qt.programs.page_painter import PROGRAM, paint_alone
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.runs_view import RunsView
from app.qt.timelines.threads_gantt import ThreadsGantt
from app.qt.views.view import DIMMED, StageView
from app.qt.widgets.answer_first import ANSWER_FIRST
from kernels.base.messages import Message, message


class Part:
    """Part of a slide's drawing: one of the pictures that stand beside each other.

    Its points are in pixels of what is drawn, before it is magnified.
    """

    def __init__(self, widget: QWidget, name: Message) -> None:
        """`widget` belongs to the part, and is never shown itself."""
        self.widget = widget
        self.name = name
        self.smallest = 12.0
        """The size of its type that must be read from the back of the hall, in its own pixels."""
        self.captioned = True
        """Whether it needs a line above it that says what it is, and what is to be thought of it."""
        widget.hide()

    @property
    def verdict(self) -> Verdict | None:
        """Verdict on what is shown; None where there is none."""
        return None

    @property
    def tall(self) -> bool:
        """Whether it is larger with more height rather than with more width."""
        return False

    def fit(self, size: QSizeF, magnified: float) -> None:
        """Fill so many pixels of the screen."""
        self.widget.resize(max(1, int(size.width() / magnified)), max(1, int(size.height() / magnified)))

    def paint(self, painter: QPainter) -> None:
        """Draw it."""
        self.widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)

    def refresh(self) -> bool:
        """Take over what the model has; returns whether it looks different."""
        return True

    def point(self, _at: QPointF | None) -> None:
        """The pointer is there; None: it is elsewhere."""

    def press(self, _at: QPointF) -> None:
        """Answer a press at a point of the part."""


class ViewPart(Part):
    """Part of a slide that is a view of a stage model."""

    def __init__(self, view: StageView[Any], model: StageModel, name: Message | None = None) -> None:
        super().__init__(view, view.title if name is None else name)
        self.view, self._model, self._named = view, model, name is not None
        self.smallest, self.captioned = as_magnified(view).smallest, as_magnified(view).captioned
        self._show(model.picture.value)

    @property
    def verdict(self) -> Verdict | None:
        picture = self.view.picture
        return None if picture is None or as_magnified(self.view).silent else self.view.verdict(picture)

    @property
    def tall(self) -> bool:
        return self.view.picture is not None and as_magnified(self.view).tall(self.view.picture)

    def fit(self, size: QSizeF, magnified: float) -> None:
        fit(self.view, size, magnified)

    def paint(self, painter: QPainter) -> None:
        picture = self.view.picture
        if picture is not None:
            painter.setOpacity(DIMMED if self._model.notice.value is not None else 1.0)
            self.view.paint(painter, picture)

    def refresh(self) -> bool:
        before, after = self.view.picture, self._model.picture.value
        self._show(after)
        return before is None or after is None or not _rests(self.view, before, after)

    def _show(self, picture: AnyPicture | None) -> None:
        self.view.show_picture(picture)
        if picture is not None and not self._named:
            self.name = self.view.heading(picture)

    def hush(self, *, silent: bool) -> bool:
        """Leave out what is being asked for, or not; returns whether that changes anything."""
        view = as_magnified(self.view)
        before, view.silent = view.silent, silent
        return before != silent

    def point(self, at: QPointF | None) -> None:
        self._model.hovered.value = NOTHING if at is None else self._at(at)

    def press(self, at: QPointF) -> None:
        """Pins what is there, which answers a question for a lane."""
        chosen = self._at(at)
        self._model.hovered.value = chosen
        self._model.pinned.value = NOTHING if chosen == self._model.pinned.value else chosen

    def _at(self, at: QPointF) -> Selection:
        picture = self.view.picture
        if isinstance(self.view, GpuView) and isinstance(picture, GpuPicture):
            return self.view.selection_at(at, picture)
        return NOTHING


class RunsPart(Part):
    """The real run that the stage asks for, or why there is none. While it would tell what is asked for, it waits for the answer."""

    def __init__(self, view: RunsView[Any], runs: ExecutionTimelines, stage: StageModel) -> None:
        super().__init__(view, view.title)
        self._view, self._runs, self._stage = view, runs, stage
        self._shown: object = None
        self.smallest = as_magnified(view).smallest
        self.refresh()

    def fit(self, size: QSizeF, magnified: float) -> None:
        fit(self._view, size, magnified)

    def refresh(self) -> bool:
        wanted = None if self._stage.asking.value else self._runs.wanted
        made = tuple(each for each in self._runs.kept.value if each.point == wanted)
        said = ANSWER_FIRST if self._stage.asking.value else status_text(self._runs.status.value, self._runs.refusal.value)
        before, self._shown = self._shown, (made, said)
        if before == self._shown:
            return False
        self._view.show_runs(made)
        self._view.show_words(said)
        return True


class ProgramPart(Part):
    """Page of a whole program, without its words, which the slide has."""

    def __init__(self, workbench: Workbench, look: Look) -> None:
        super().__init__(Magnified(), PROGRAM)
        self._page, self._stage, self._look = workbench.program_page, workbench.stage, look
        self._shown: ProgramFrame | None = None
        self.smallest = 17.0  # more boxes of memory have room than with larger type
        self.refresh()

    def fit(self, size: QSizeF, magnified: float) -> None:
        fit(self.widget, size, magnified)

    def refresh(self) -> bool:
        frame = self._page.frame.value
        if frame is not None and Source.PROGRAM in self._stage.asking.value:  # where something is wrong may be what is asked for
            frame = replace(frame, cells=tuple(replace(cell, wrong=False) for cell in frame.cells))
        before, self._shown = self._shown, frame
        return before != frame

    def paint(self, painter: QPainter) -> None:
        if self._shown is not None:
            paint_alone(painter, self._look.unzoomed, self._shown, self.widget.size(), self._page.session.profile.value.name)


def _rests(view: StageView[Any], before: AnyPicture, after: AnyPicture) -> bool:
    return before is after or (type(before) is type(after) and view.rests(before, after))


PAGE, WHOLE, RUNS, PAIR, VIEW = "page", "whole", "runs", "pair", "view"
"""The kinds of a drawing: a page of the timing workspace, a whole program, real runs, two launches side by side, a view of the stage."""
_CURVES = message("Measured speed")


def content_key(workbench: Workbench, full: int, *, asking: bool) -> tuple[object, ...]:
    """Equal while the drawing has the same parts. `full` is the number of the view that is asked for, 0: none is.

    Where a question is open, the page that answers it is not shown yet.
    """
    if workbench.session.workspace.value is Workspace.TIMING and not full and not asking:
        return PAGE, workbench.timing.page.value, workbench.session.timing.value.operation
    if program_of(workbench) is not None and not full:
        return (WHOLE,)
    runs, pair = workbench.real_runs, workbench.comparison.pair.value
    if runs.watched.value:
        return RUNS, runs.ranked
    if pair is not None:
        return PAIR, pair, View(full or workbench.comparison.view.value)
    picture = workbench.stage.picture.value
    return VIEW, type(picture), full or view_of(workbench.stage)


def parts_of(workbench: Workbench, key: tuple[object, ...], full: int, look: Look) -> tuple[Part, ...]:
    """Return the parts for a key, made anew."""
    if key[0] == PAGE:
        return (_page(workbench, look),)
    if key[0] == WHOLE:
        return (ProgramPart(workbench, look),)
    if key[0] == RUNS:
        return (RunsPart(run_view(workbench.real_runs, look), workbench.real_runs, workbench.stage),)
    comparison = workbench.comparison
    pair = comparison.pair.value
    if pair is not None:
        number = full or comparison.view.value
        left, right = (launch_view(number, look, model) for model in (comparison.left, comparison.live))
        return (
            ViewPart(left, comparison.left, name_of_side(pair.left, pair.right)),
            ViewPart(right, comparison.live, name_of_side(pair.right, pair.left)),
        )
    stage = workbench.stage
    picture = stage.picture.value
    if picture is None:
        return ()
    made: Callable[[int, Look, StageModel], Any] = launch_view if isinstance(picture, GpuPicture) else nest_view
    return (ViewPart(made(full or view_of(stage), look, stage), stage),)


def program_of(workbench: Workbench) -> ProgramFrame | None:
    """The event of a whole program that is shown in place of the stage; None where the stage is."""
    page = workbench.program_page
    shown = page.shown.value and workbench.session.workspace.value is not Workspace.TIMING
    return page.frame.value if shown else None


def headline_of(workbench: Workbench) -> Message | None:
    """What a real run shows; None where none is shown."""
    runs = workbench.real_runs
    return (RanksTimeline if runs.ranked else ThreadsGantt).headline if runs.watched.value else None


def view_of(stage: StageModel) -> int:
    """The view that is alone, or else the one that tells most of what the stage shows."""
    return stage.alone.value or _best(stage.picture.value)


def _best(picture: AnyPicture | None) -> int:
    """The threads that print; the memory where there are no matrices."""
    if not isinstance(picture, GpuPicture):
        return CpuView.MATRICES
    if prints(picture.index):
        return View.THREADS
    return View.MATRICES if picture.index.roles else View.GLOBAL_MEMORY


def _page(workbench: Workbench, look: Look) -> Part:
    drawing = workbench.timing.page.value
    if drawing is TimingPage.LADDER:
        from app.qt.timing.side_panel import share_title  # as long as what it stands beside

        title = share_title(workbench.session.timing.value.operation)
        return Page(LadderBars(look), title, lambda bars: _show_ladder(bars, workbench), 16.0)
    from app.qt.charts.chart import Chart  # its library takes long to load

    if drawing is TimingPage.USES:
        from app.qt.charts.use_bars import UseBars

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
    from app.qt.charts.content import content_of

    choice = workbench.session.timing.value
    chart.show_content(content_of(workbench.timing, choice, choice.axis, quantity_of(workbench.timing, choice)))
