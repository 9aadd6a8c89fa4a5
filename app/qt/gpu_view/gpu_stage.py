"""Stage of a launch: up to four numbered views, or one of them alone. To add a view, write its widget and name it here."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.prints import prints
from app.core.gpu_view.shared.executed import instructions_at, multiplies_matrices
from app.core.gpu_view.shared.shared_tiles import exchanges
from app.core.gpu_view.synchronisation.clusters import in_clusters
from app.core.gpu_view.synchronisation.memory_order import synchronises
from app.core.gpu_view.synchronisation.pipeline_stages import copies_ahead
from app.core.gpu_view.views import View
from app.core.stage.model import AnyPicture, GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.gpu_view.clusters_view import ClustersView
from app.qt.gpu_view.fragments_view import FragmentsView
from app.qt.gpu_view.global_view import GlobalView
from app.qt.gpu_view.matrices_view import MatricesView
from app.qt.gpu_view.order_view import OrderView
from app.qt.gpu_view.pipeline_view import PipelineView
from app.qt.gpu_view.shared_view import SharedView
from app.qt.gpu_view.swizzle_view import SwizzleView
from app.qt.gpu_view.threads_view import ThreadsView
from app.qt.gpu_view.view import GpuView
from app.qt.views.numbered_stage import NumberedStage
from kernels.base.messages import Message
from kernels.simt.base.types import Space

GPU_VIEWS: Mapping[View, type[GpuView]] = {
    View.MATRICES: MatricesView,
    View.THREADS: ThreadsView,
    View.SHARED_MEMORY: SharedView,
    View.GLOBAL_MEMORY: GlobalView,
    View.MEMORY_ORDER: OrderView,
    View.FRAGMENTS: FragmentsView,
    View.SWIZZLE: SwizzleView,
    View.PIPELINE: PipelineView,
    View.CLUSTERS: ClustersView,
}


class GpuStage(NumberedStage):
    """Stage of a launch. Where there is room for two views: the matrices, and the one that the step concerns."""

    def __init__(self, look: Look, model: StageModel, *, compact: bool) -> None:
        super().__init__(look, model, {view: made(look.unzoomed, model) for view, made in GPU_VIEWS.items()}, compact=compact)

    def own(self, picture: AnyPicture | None) -> GpuPicture | None:
        return picture if isinstance(picture, GpuPicture) else None

    def wanted(self, picture: GpuPicture | None) -> tuple[int, ...]:
        if picture is not None and prints(picture.index):
            return (View.THREADS,)
        if not self.compact:
            return _OTHERWISE if picture is None else picture.index.once(_wanted)
        return (View.MATRICES, View.GLOBAL_MEMORY) if picture is None else _two(picture)

    def shares(self, views: int, picture: GpuPicture | None) -> tuple[tuple[int, int], tuple[int, int]]:
        """Matrices side by side need less height than crossed ones, and leave more to the rows of the banks."""
        if views <= 2:
            return _COLUMNS[views], (1, 0)
        crossed = picture is None or any(role.letter == "B" for role in picture.index.roles.values())
        return _COLUMNS[views], (64, 36) if crossed or views == 3 else (52, 48)


def _two(picture: GpuPicture) -> tuple[View, View]:
    """The matrices, and the view that the step concerns."""
    if instructions_at(picture.index, picture.frame):
        return View.MATRICES, View.FRAGMENTS
    return View.MATRICES, View.SHARED_MEMORY if picture.frame.site.space is Space.SHARED else View.GLOBAL_MEMORY


def _instructive(index: LaunchIndex) -> dict[View, bool]:
    """Of the views of particular instructions, whether the launch executed such."""
    matrices = multiplies_matrices(index)
    return {
        View.FRAGMENTS: matrices,
        View.SWIZZLE: matrices and exchanges(index),
        View.CLUSTERS: in_clusters(index),
        View.PIPELINE: copies_ahead(index),
    }


def offers(index: LaunchIndex, view: View) -> bool:
    """Whether a view has something to show of a launch: those of particular instructions only where such were executed."""
    return index.once(_instructive).get(view, True)


def _wanted(index: LaunchIndex) -> tuple[View, ...]:
    """The matrices, what shows the instructions that were executed, then of the views of every launch as many as there is room for."""
    shared = any(each.space is Space.SHARED for each in index.trace.allocations)
    found = {
        View.MATRICES: True,
        **index.once(_instructive),
        View.SHARED_MEMORY: shared,
        View.MEMORY_ORDER: index.once(synchronises),
        View.THREADS: True,
        View.GLOBAL_MEMORY: not index.once(synchronises),
    }
    return tuple(sorted([view for view, wanted in found.items() if wanted][:_MOST]))


def left_out_of_two(index: LaunchIndex, picture: GpuPicture | None = None) -> tuple[Message, ...]:
    """The titles of the views that a stage with room for two does not show of a launch, or in this picture, and one with more room does."""
    turns = (View.MATRICES, View.FRAGMENTS, View.SHARED_MEMORY, View.GLOBAL_MEMORY) if picture is None else _two(picture)
    return () if prints(index) else tuple(GPU_VIEWS[view].title for view in index.once(_wanted) if view not in turns)


_MOST = 4
_OTHERWISE = (View.MATRICES, View.THREADS, View.SHARED_MEMORY, View.GLOBAL_MEMORY)
_COLUMNS = {1: (1, 0), 2: (58, 42), 3: (62, 38), 4: (62, 38)}
