"""The stage of a CPU kernel: up to four numbered views, or one of them alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.frames.views import CpuView
from app.core.stage.model import AnyPicture, Picture, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.cpu_view.cache_view import CacheView
from app.qt.cpu_view.hit_rate_view import RateView
from app.qt.cpu_view.loops_view import LoopsView
from app.qt.cpu_view.matrices_view import CpuMatricesView
from app.qt.views.numbered_stage import NumberedStage
from app.qt.views.view import StageView


class CpuStage(NumberedStage):
    """Stage of a CPU kernel: its numbered views. In a compact window two: the matrices, and the one that the step concerns."""

    def __init__(self, look: Look, model: StageModel, *, compact: bool) -> None:
        own = look.unzoomed
        self.canvas = CpuMatricesView(own, model)
        views: dict[int, StageView[Any]] = {view: made(own, model) for view, made in CPU_VIEWS.items() if made is not CpuMatricesView}
        super().__init__(look, model, {CpuView.MATRICES: self.canvas, **views}, compact=compact)
        bind(self, model.busy, lambda _busy: self.canvas.update())  # which alone shows it
        bind(self, model.caches_missing, lambda _reason: self._show(model.picture.value))

    def own(self, picture: AnyPicture | None) -> Picture | None:
        return picture if isinstance(picture, Picture) else None

    def wanted(self, picture: Picture | None) -> tuple[int, ...]:
        if picture is None or picture.index.is_library:
            return (CpuView.MATRICES,)
        missing = self._model.caches_missing.value is not None
        if self.compact or missing:
            return CpuView.MATRICES, CpuView.LOOPS if missing else CpuView.CACHE
        return tuple(CpuView)

    def shares(self, views: int, _picture: Picture | None) -> tuple[tuple[int, int], tuple[int, int]]:
        columns = (1, 0) if views == 1 else (64, 36) if views > 2 or self.compact else (66, 34)
        return columns, (1, 0) if views <= 2 else (66, 34)

    def _arrange(self, picture: AnyPicture | None) -> None:
        super()._arrange(picture)
        self.canvas.show_loops(shown=CpuView.LOOPS not in self.shown)


CPU_VIEWS: Mapping[CpuView, type[StageView[Any]]] = {
    CpuView.MATRICES: CpuMatricesView,
    CpuView.LOOPS: LoopsView,
    CpuView.CACHE: CacheView,
    CpuView.HIT_RATE: RateView,
}
