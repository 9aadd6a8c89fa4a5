"""The timing workspace: charts at the left, progress, choices and points at the right."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from app.core.ladder.model import LadderModel
from app.core.session.session import Session
from app.core.timing.model import TimingModel, TimingPage
from app.core.timing.use_timer import UseModel
from app.core.tuning.model import TuningModel
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.feature import Feature
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.ladder.page import LadderPage
from app.qt.timing.actions import ChoosePath, LimitsOf, TimingActions
from app.qt.timing.charts_panel import TimingPanel
from app.qt.timing.side_panel import WIDTH, TimingSide
from app.qt.timing.uses_panel import UsesPanel
from app.qt.tuning.panel import TuningPanel
from app.qt.widgets.answer_first import TOLD_BY_TIMES, answer_first

_SIDE_SHARE = 0.32
_BESIDE_FROM = 840
"""Pixels of width for the curves beside the side. With less they stand one above the other, and all scrolls."""
_LEAST_HEIGHTS = (560, 460)


class TimingWorkspace(QSplitter):
    """Timing workspace. Its side keeps its width when the window grows. Tuning and the ladder have sides of their own."""

    def __init__(
        self,
        look: Look,
        session: Session,
        model: TimingModel,
        tuning: TuningModel,
        ladder: LadderModel,
        uses: UseModel,
        actions: TimingActions,
        limits: LimitsOf,
        choose_path: ChoosePath,
        width: int,
    ) -> None:
        """`width` is about how wide it will be, in pixels: in a narrow window the side begins narrower."""
        beside = width >= look.px(_BESIDE_FROM)
        super().__init__(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)
        self.panel = TimingPanel(look, session, model, actions, uses.devices)
        self.side = TimingSide(look, session, model, actions, limits, choose_path)
        self.panel.add_page(TimingPage.USES, Lazy(lambda: UsesPanel(look, uses, choose_path)))
        self.panel.add_page(TimingPage.TUNING, Lazy(lambda: TuningPanel(look, tuning)))
        self.panel.add_page(TimingPage.LADDER, Lazy(lambda: LadderPage(look, ladder)))
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for part in (self.panel, self.side):
            self.addWidget(_surfaced(part))
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        if beside:
            side = min(look.px(WIDTH), round(width * _SIDE_SHARE))
            self.setSizes([width - side, side])
        else:
            self.side.setMinimumHeight(look.px(_LEAST_HEIGHTS[1]))
        least = 0 if beside else look.px(_LEAST_HEIGHTS[0])
        bind(self, model.page, lambda page: self._show_page(page, least))

    def _show_page(self, page: TimingPage, least: int) -> None:
        """Give a page its room. That of tunings scrolls itself: around it a second scroll bar would stand beside its own."""
        self.side.setHidden(page.alone)
        self.panel.setMinimumHeight(0 if page is TimingPage.TUNING else least)


def _surfaced(part: QWidget) -> QWidget:
    part.setProperty("surface", "panel")
    part.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return part


def timing_workspace(look: Look, bench: Workbench, choose_path: ChoosePath, width: int, features: Iterable[Feature] = ()) -> QWidget:
    """The workspace of a program, with the buttons of its features."""
    made = TimingWorkspace(
        look, bench.session, bench.timing, bench.tuning, bench.ladder, bench.uses, bench, bench.limits, choose_path, width
    )  # fmt: skip
    for icon, command in (button for feature in features for button in feature.timing()):
        made.side.add_button(icon, command)
    shown = made if made.orientation() is Qt.Orientation.Horizontal else _scrolled(made)
    workspace = QWidget()
    column = QVBoxLayout(workspace)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(answer_first(look, bench.stage.asking, {shown: TOLD_BY_TIMES}), 1, Qt.AlignmentFlag.AlignTop)
    column.addWidget(shown, 1)
    return workspace


def _scrolled(made: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows what has the focus
    area.setWidgetResizable(True)
    area.setWidget(made)
    return area
