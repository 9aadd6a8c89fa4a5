"""Stage of a launch: up to four numbered views, or one of them alone. To add a view, write its widget and name it here."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.frames.views import View
from app.core.gpu_view.shown_views import UNTIL_KNOWN, two_wanted, wanted
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
        if picture is None:
            return (View.MATRICES, View.GLOBAL_MEMORY) if self.compact else UNTIL_KNOWN
        return two_wanted(picture.index, picture.frame) if self.compact else wanted(picture.index)

    def shares(self, views: int, picture: GpuPicture | None) -> tuple[tuple[int, int], tuple[int, int]]:
        """Matrices side by side need less height than crossed ones, and leave more to the rows of the banks."""
        if views <= 2:
            return _COLUMNS[views], (1, 0)
        crossed = picture is None or any(role.letter == "B" for role in picture.index.roles.values())
        return _COLUMNS[views], (64, 36) if crossed or views == 3 else (52, 48)


_COLUMNS = {1: (1, 0), 2: (58, 42), 3: (62, 38), 4: (62, 38)}
