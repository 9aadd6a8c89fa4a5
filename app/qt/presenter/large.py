"""The views of the stage and the charts of real runs, drawn larger: the same painters, with more pixels for each of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.core.frames.views import CpuView, View
from app.core.gpu_view.shared.swizzle import rule_of
from app.core.stage.model import GpuPicture, StageModel
from app.core.timelines.model import ExecutionTimelines
from app.qt.base.look import Look
from app.qt.cpu_view.cpu_stage import CPU_VIEWS
from app.qt.cpu_view.matrices_view import CpuMatricesView
from app.qt.gpu_view.clusters_view import ClustersView
from app.qt.gpu_view.fragments_view import FragmentsView
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.gpu_stage import GPU_VIEWS
from app.qt.gpu_view.matrices_view import MatricesView
from app.qt.gpu_view.pipeline_view import PipelineView
from app.qt.gpu_view.shared_view import SharedView
from app.qt.gpu_view.swizzle_view import SwizzleView
from app.qt.gpu_view.threads_view import ThreadsView
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.runs_view import RunsView
from app.qt.timelines.threads_gantt import ThreadsGantt
from app.qt.views.view import StageView
from kernels.base.messages import Message, message

IN_MATRICES = 18.0
"""The digits in cells; at this size there is still room for the cells themselves."""


class Magnified(QWidget):
    """A view never shown as a widget: it is as large as its own pixels say, and painted into an image that has more of them.

    Views put cells on whole pixels of their device; so they are told of the image's.
    """

    smallest: ClassVar = 12.0
    """The size of its type that must be read from the back of the hall, in its own pixels."""
    captioned: ClassVar = True
    """Whether a line above it says what it is; pictures that say it themselves have that room, too."""
    magnified = 1.0
    silent = False
    """Whether what the view counts and concludes is left out: it is being asked for."""

    def tall(self, _picture: Any) -> bool:
        """Whether it is larger with more height rather than with more width, which beside it nothing needs."""
        return False

    def devicePixelRatioF(self) -> float:
        return super().devicePixelRatioF() * self.magnified


class MagnifiedCpuMatrices(Magnified, CpuMatricesView):
    """The matrices of a CPU kernel; what there is to be said where there is no picture, the presenter says itself."""

    smallest = IN_MATRICES
    captioned = False


class MagnifiedMatrices(Magnified, MatricesView):
    """Matrices view of a launch for a hall."""

    smallest = IN_MATRICES
    captioned = False

    def tall(self, picture: GpuPicture) -> bool:
        return self.matrices(picture).arrangement.crossed


class MagnifiedThreads(Magnified, ThreadsView):
    """Threads view for a hall; its smallest size is the one that its rows of warps need."""

    smallest = 13.5


class MagnifiedBanks(Magnified, SharedView):
    """Silent, it ends above the wavefronts; a hall is told what these are."""

    labelled = True

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        place = self.place(picture)
        if self.silent:
            painter.setClipRect(QRectF(0, 0, self.width(), (place.strip or place.words).top()))
        super().paint(painter, picture)


class MagnifiedSectors(Magnified, GlobalView):
    """Silent, it ends below the last line."""

    def paint(self, painter: QPainter, picture: GpuPicture) -> None:
        access = self._access(picture)
        places = self._places(access) if access is not None else ()
        if self.silent and places:
            painter.setClipRect(QRectF(0, 0, self.width(), max(area.bottom() for place in places for area in place.sectors)))
        super().paint(painter, picture)


class MagnifiedFragments(Magnified, FragmentsView):
    """Fragments for a hall: all the room is the elements'; which instruction it is says the line above."""

    smallest = 17.0
    brief_here = True

    def heading(self, picture: GpuPicture) -> Message:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return self.title
        return message("{view}: {instruction}", view=self.title, instruction=shown.instruction)


class MagnifiedSwizzle(Magnified, SwizzleView):
    """Swizzle for a hall, with the bits of an address; which of them are exchanged says the line above."""

    smallest = 17.0
    brief_here = True

    def heading(self, picture: GpuPicture) -> Message:
        shown = self.shown(picture)
        if isinstance(shown, Message):
            return self.title
        return message("{view}: {rule}", view=self.title, rule=rule_of(shown.tile))


class MagnifiedPipeline(Magnified, PipelineView):
    """Pipeline for a hall; its smallest size is the one that its many tracks need."""

    smallest = 18.0


class MagnifiedClusters(Magnified, ClustersView):
    """Clusters for a hall, with the time below them."""

    smallest = 18.0


class MagnifiedGantt(Magnified, ThreadsGantt):
    """Threads over time, with how long each worked: there is room for one column."""

    columns_by_worth = (1,)  # type: ignore[assignment]  # fewer are as good


class MagnifiedRanks(Magnified, RanksTimeline):
    """Ranks over time, with what each received."""

    columns_by_worth = (4,)  # type: ignore[assignment]  # fewer are as good


def launch_view(number: int, look: Look, model: StageModel) -> StageView[Any]:
    """Make a view of a launch."""
    return _LAUNCH[View(number)](look, model)


def nest_view(number: int, look: Look, model: StageModel) -> StageView[Any]:
    """Make a view of a CPU kernel."""
    return _NEST[CpuView(number)](look, model)


def run_view(runs: ExecutionTimelines, look: Look) -> RunsView[Any]:
    """The chart of real runs: of ranks, or of threads."""
    return MagnifiedRanks(look) if runs.ranked else MagnifiedGantt(look)


def fit(view: QWidget, size: QSizeF, magnified: float) -> None:
    """Let a view fill so many pixels, each of its own so many times as large."""
    as_magnified(view).magnified = magnified
    view.resize(max(1, int(size.width() / magnified)), max(1, int(size.height() / magnified)))


def as_magnified(view: QWidget) -> Magnified:
    """Return a view made by this module as what it is, a magnified one."""
    return cast("Magnified", view)


def _magnified(view: type[StageView[Any]]) -> type[StageView[Any]]:
    return cast("type[StageView[Any]]", type(f"Magnified{view.__name__}", (Magnified, view), {}))


_OWN: Mapping[type[StageView[Any]], type[StageView[Any]]] = {
    CpuMatricesView: MagnifiedCpuMatrices,
    MatricesView: MagnifiedMatrices,
    ThreadsView: MagnifiedThreads,
    SharedView: MagnifiedBanks,
    GlobalView: MagnifiedSectors,
    ClustersView: MagnifiedClusters,
    FragmentsView: MagnifiedFragments,
    PipelineView: MagnifiedPipeline,
    SwizzleView: MagnifiedSwizzle,
}
_LAUNCH = {number: _OWN.get(view) or _magnified(view) for number, view in GPU_VIEWS.items()}
_NEST = {number: _OWN.get(view) or _magnified(view) for number, view in CPU_VIEWS.items()}
