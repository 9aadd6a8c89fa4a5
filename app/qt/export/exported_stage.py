"""Export views of what the stage shows: the animation, a comparison, real runs, or a whole program, whose events are a clip's steps."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.core.compare.comparison import Comparison
from app.core.export.picture_text import PictureText, subject_of_stage, text_of_comparison, text_of_program, text_of_runs
from app.core.export.staged import Staged, staged
from app.core.programs.frame import ProgramFrame, frame_of
from app.core.stage.model import GpuPicture, StageModel
from app.core.stage.pointing import NOWHERE, Pointed
from app.core.state.written import paste_of
from app.core.timelines.model import ExecutionTimelines
from app.core.timing.model import TimingModel
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.compare.stage import CompareStage
from app.qt.export.export_view import ExportedStage, ExportView, MovingExportView, TracedExportView, backdrop, copy_of
from app.qt.export.played import Played, PlayedProgram, PlayedStage
from app.qt.programs.page_painter import paint_alone
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.runs_view import RunsView
from app.qt.timelines.threads_gantt import ThreadsGantt
from kernels.base.messages import message


class ExportedComparison:
    """Export view of a comparison: both sides and their differences. It has models of its own: what the program shows does not move it."""

    def __init__(self, look: Look, live: Comparison, timing: TimingModel, view: int) -> None:
        """`view` is the number of the one that both sides show, 0: the one that they show now."""
        pair = live.pair.value
        assert pair is not None
        self._comparison = Comparison(copy_of(live.live))
        self._comparison.pinned.value = pair.left
        self._comparison.left.registers.value = live.left.registers.value
        self._comparison.choose(view or live.view.value)
        self.show(live.live.timeline.position.value.time)
        self._widget = backdrop(look, CompareStage(look, self._comparison, timing))

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def model(self) -> StageModel:
        return self._comparison.live

    @property
    def words(self) -> PictureText:
        pair, profile = self._comparison.pair.value, self._comparison.live.profile.value
        left, right = _picture(self._comparison.left), _picture(self._comparison.live)
        assert pair is not None
        return text_of_comparison(pair, left, right, "" if profile is None else profile.name)

    def show(self, time: float) -> None:
        """Show a moment in steps of the right one, and what stands beside it."""
        self._comparison.live.timeline.scrub(time)

    def close(self) -> None:
        self._widget.deleteLater()


class ExportedRuns:
    """Export view of real runs of the variant that is shown, the newest first."""

    def __init__(self, look: Look, runs: ExecutionTimelines) -> None:
        self._recordings = runs.comparable
        self._view: RunsView[Any] = RanksTimeline(look) if runs.ranked else ThreadsGantt(look)
        self._view.exported = True
        self._view.show_runs(self._recordings)
        self._widget = backdrop(look, self._view)

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def words(self) -> PictureText:
        return text_of_runs(self._view.headline, self._recordings)

    def close(self) -> None:
        self._widget.deleteLater()


def still_view(look: Look, bench: Workbench, view: int, width: int) -> ExportView:
    """What the stage shows, which `refuse_staged` has let pass. `view` is the number of the view that is alone, 0: those that are shown."""
    return ExportedRuns(look, bench.real_runs) if staged(bench) is Staged.RUNS else moving_view(look, bench, view, width)


def moving_view(look: Look, bench: Workbench, view: int, width: int) -> MovingExportView:
    """Return an export view of what the stage shows and that has moments, the events of a program among them; `view` as in `still_view`."""
    return ExportedProgram(look, bench) if staged(bench) is Staged.PROGRAM else traced_view(look, bench, view, width)


def traced_view(look: Look, bench: Workbench, view: int, width: int) -> TracedExportView:
    """Return an export view of a trace on the stage; `view` as in `still_view`."""
    if staged(bench) is Staged.COMPARISON:
        return ExportedComparison(look, bench.comparison, bench.timing, view)
    return ExportedStage(look, bench.stage, subject_of_stage(bench.session), view, width)


class _Pointing:
    """Export view that points at the same lane and instruction in each of its steps."""

    def __init__(self, exported: TracedExportView, pointed: Pointed) -> None:
        self._exported, self._pointed = exported, pointed

    @property
    def widget(self) -> QWidget:
        return self._exported.widget

    @property
    def words(self) -> PictureText:
        return self._exported.words

    @property
    def model(self) -> StageModel:
        return self._exported.model

    def show(self, time: float) -> None:
        self._exported.show(time)
        self._pointed.show(self.model)

    def close(self) -> None:
        self._exported.close()


def pointing(exported: TracedExportView, pointed: Pointed) -> TracedExportView:
    """Return an export view that points at something, where something is to be pointed at."""
    return _Pointing(exported, pointed) if pointed else exported


def played(look: Look, bench: Workbench, view: int, width: int, pointed: Pointed = NOWHERE) -> Played:
    """What is shown and has steps, as players play it: the page of a program where that is in front; `view` as in `still_view`."""
    if bench.program_page.shown.value:
        return PlayedProgram(look, bench.program_page.apart(), bench.stage.asking)
    told = bench.races.told.value
    notes = () if told is None else tuple(each for each in (told.sentence, told.chain) if each is not None)
    return PlayedStage(look, pointing(traced_view(look, bench, view, width), pointed), notes)


def steps_played(bench: Workbench, chosen: range) -> range:
    """The steps that `played` plays: those that are chosen, of a program's page all events."""
    frame = bench.program_page.frame.value
    return range(len(frame.run.events)) if bench.program_page.shown.value and frame is not None else chosen


def link_of(bench: Workbench) -> str:
    """A link that shows what is played in the program; "" for two launches beside each other and for an event of a program, which a state
    does not hold."""
    apart = bench.comparison.pair.value is not None or bench.program_page.shown.value
    return "" if apart else paste_of(bench.states.now())


def _picture(model: StageModel) -> GpuPicture:
    picture = model.picture.value
    assert isinstance(picture, GpuPicture)
    return picture


class ExportedProgram:
    """Export view of the page as it is; what the window shows later does not move it."""

    def __init__(self, look: Look, bench: Workbench) -> None:
        frame, draft = bench.program_page.frame.value, bench.session.draft_editor.shown
        assert frame is not None
        self._title = message("Program") if draft is None else draft.title
        self._device, self._times = bench.session.profile.value.name, bench.program_page.times.times.value
        self._page = _Page(look, frame, self._device)
        self._widget = backdrop(look, self._page)

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def words(self) -> PictureText:
        return text_of_program(self._title, self._page.frame, self._device)

    def show(self, time: float) -> None:
        """Show the event of that number."""
        run = self._page.frame.run
        self._page.frame = frame_of(run, self._times, min(int(time), len(run.events) - 1))
        self._page.update()

    def close(self) -> None:
        self._widget.deleteLater()


class _Page(QWidget):
    """Picture of one event."""

    def __init__(self, look: Look, frame: ProgramFrame, device: str) -> None:
        super().__init__()
        self.frame = frame
        self._look, self._device = look, device

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_alone(painter, self._look.unzoomed, self.frame, QSize(self.width(), self.height()), self._device)
        painter.end()
