"""Which widget draws which view of a CPU kernel. To add a view, write its widget and name it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.nest.views import NestView
from app.qt.nest.cache_view import CacheView
from app.qt.nest.loops_view import LoopsView
from app.qt.nest.rate_view import RateView
from app.qt.stage.canvas import StageCanvas
from app.qt.views.view import StageView

VIEWS: Mapping[NestView, type[StageView[Any]]] = {
    NestView.MATRICES: StageCanvas,
    NestView.LOOPS: LoopsView,
    NestView.CACHE: CacheView,
    NestView.HIT_RATE: RateView,
}
