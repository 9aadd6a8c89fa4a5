"""The stage: a header that says where the trace stands, and below it the views of a CPU kernel or of a launch."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QHBoxLayout, QLabel, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.core.compare.comparison import Comparison
from app.core.cpu_view.frame import Frame
from app.core.frames.views import CpuView, View
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.step_texts import block_of
from app.core.programs.page import ProgramPage
from app.core.stage.controller import TRACE_AGAIN
from app.core.stage.model import COMPUTING, AnyPicture, GpuPicture, Shown, StageModel
from app.core.timelines.model import ExecutionTimelines
from app.qt.base.binding import bind, set_shown
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.base.refresh import IdleNotifier
from app.qt.compare.stage import CompareStage
from app.qt.cpu_view.cpu_stage import CpuStage
from app.qt.programs.page import ProgramCanvas, ProgramPanel
from app.qt.timelines.runs_stage import TimelinesStage
from app.qt.timelines.runs_view import RunsView
from app.qt.views.frame import ViewFrame
from app.qt.views.numbered_stage import NumberedStage
from app.qt.widgets.labels import SteadyLabel
from app.qt.widgets.responsive_row import icon_alone
from app.qt.widgets.stops import order_stops
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.gpu_view.gpu_stage import GpuStage

HEADER_HEIGHT = 36
LEAST_OF_VIEWS = 240
"""Their narrowest, at any zoom."""
LATE_MS = 300
"""How long a picture stands as it is while the next one is computed."""
_WORDS_FROM = 520
_GAPS = 14, 6
"""Between the parts of the header, and in a narrow one."""


def view_titles() -> tuple[Message, ...]:
    """What the views are called, by their numbers: of a launch, and of a CPU kernel where that is another name."""
    titles = zip_longest((view.title for view in View), (view.title for view in CpuView))
    named = (tuple(dict.fromkeys(title for title in pair if title is not None)) for pair in titles)
    return tuple(pair[0] if len(pair) == 1 else message("{one} / {other}", one=pair[0], other=pair[1]) for pair in named)


class _InFront(QStackedWidget):
    """Only what is in front asks for room: in half a window, enlarged, a page that is not shown took it from the source."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _number: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        least = super().minimumSizeHint() if shown is None else shown.minimumSizeHint().expandedTo(shown.minimumSize())
        return least.expandedTo(QSize(LEAST_OF_VIEWS, 0))


class StagePanel(QWidget):
    """Shows the picture of a stage model."""

    def __init__(self, look: Look, model: StageModel, *, compact: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._model = model
        self.setAccessibleName(look.text(message("Stage")))  # it has the focus where nothing else had
        self.cpu = CpuStage(look, model, compact=compact)
        self._gpu = Lazy(partial(self._made_gpu, compact=compact))
        self.canvas = self.cpu.canvas
        self._notice = _label(look.theme.font("label"), f"background: {look.theme.bad_bg.name()}; padding: 3px 14px")
        self._notice.setWordWrap(True)
        self.below_header = _InFront()
        self.below_header.addWidget(self.cpu)
        self._header_row = QHBoxLayout()
        self._comparison: tuple[Comparison, CompareStage] | None = None
        self._runs: tuple[ExecutionTimelines, TimelinesStage] | None = None
        self._program: tuple[ProgramPage, ProgramPanel] | None = None
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header())
        column.addWidget(self._notice)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(0)
        self._body.addWidget(self.below_header, 1)
        column.addLayout(self._body, 1)
        self._soon_late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._soon_late.timeout.connect(partial(self._show_late, late=True))
        bind(self, model.shown, self._show_kind)
        bind(self, model.told, self._show_picture)
        bind(self, model.notice, self._show_notice)
        bind(self, model.outdated, self._watch)
        IdleNotifier(self, model, self._describe)

    @property
    def gpu(self) -> GpuStage:
        """The views of a launch: made when the first launch is shown."""
        return self._gpu()

    def _made_gpu(self, *, compact: bool) -> GpuStage:
        from app.qt.gpu_view.gpu_stage import GpuStage

        made = GpuStage(self._look, self._model, compact=compact)
        self.below_header.addWidget(made)
        self.order_stops()
        return made

    def _header(self) -> QWidget:
        """Where the trace stands."""
        theme = self._look.theme
        self._title = SteadyLabel(theme.font("step"), ink=theme.t1)
        self._indices = SteadyLabel(theme.font("code"), ink=theme.t2)
        self._phase = SteadyLabel(theme.font("label"), ink=theme.now_text, ground=theme.now_bg)
        self._phase.setFixedHeight(self._look.px(22))
        self._title.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self._header_widget = header = QWidget()
        header.setFixedHeight(self._look.px(HEADER_HEIGHT))
        header.setProperty("surface", "panel")
        header.setProperty("rule", "bottom")
        header.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = self._header_row
        header.setLayout(row)
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(_GAPS[False])
        for label in (self._title, self._indices, self._phase):
            row.addWidget(label)
        self._late = SteadyLabel(theme.font("label"), ink=theme.t1, ground=theme.bg3)
        self._late.setFixedHeight(self._look.px(22))
        self._late.setText(self._look.text(COMPUTING))
        self._late.hide()
        row.addWidget(self._late)
        row.addStretch(1)
        row.addWidget(self._again())
        return header

    def _watch(self, outdated: bool) -> None:
        """Say that the picture is not the newest once that takes long; quick changes do not flicker."""
        if outdated:
            self._soon_late.start()
        else:
            self._show_late(late=False)

    def _show_late(self, *, late: bool) -> None:
        self._soon_late.stop()
        self._late.setVisible(late)
        self._model.late.value = late and self._model.picture.value is not None
        self._show_picture(self._model.told.value)

    def _again(self) -> QToolButton:
        """Make the button that tries once more, where tracing took too long."""
        button = QToolButton()
        button.setText(self._look.text(TRACE_AGAIN))
        button.setFont(self._look.theme.font("body"))
        button.setIcon(self._look.icon("play"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda: self._model.try_again())
        bind(button, self._model.failed, partial(set_shown, button))
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the header: in a narrow one the buttons have no words, which are in their tooltips and names."""
        super().resizeEvent(event)
        self._fit_header(event.size().width())
        self._show_picture(self._model.told.value)

    def _fit_header(self, width: int) -> None:
        buttons = [button for button in self._header_widget.findChildren(QToolButton) if not button.icon().isNull()]
        narrow = width < self._look.px(_WORDS_FROM)
        icon_alone(*buttons)(narrow)
        self._header_row.setSpacing(_GAPS[narrow])
        across = QSizePolicy.Policy.Preferred if narrow and self._compared else QSizePolicy.Policy.Minimum
        self._title.setSizePolicy(across, QSizePolicy.Policy.Preferred)  # beside a comparison's bar it gives way

    def add_comparison(self, comparison: Comparison, stage: CompareStage, bar: QWidget, refusal: QWidget) -> None:
        """Show `stage` in place of the views while two launches are compared; `bar` stands in the header, `refusal` below it."""
        self._comparison = comparison, stage
        self.below_header.addWidget(stage)
        self._header_row.addWidget(bar)
        self._column.insertWidget(1, refusal)
        bind(self, comparison.pair, lambda _pair: self._show_kind(self._model.shown.value))

    def add_runs(self, runs: ExecutionTimelines, stage: TimelinesStage) -> None:
        """Show `stage` in place of the views while real runs are watched."""
        self._runs = runs, stage
        self.below_header.addWidget(stage)
        bind(self, runs.watched, lambda _watched: self._show_kind(self._model.shown.value))

    def add_program(self, page: ProgramPage, panel: ProgramPanel) -> None:
        """Show `panel` in place of the views while the page of a program is in front."""
        self._program = page, panel
        self.below_header.addWidget(panel)
        bind(self, page.shown, self._show_program)
        if self._comparison is not None:
            bind(self, self._comparison[0].pair, lambda pair: page.leave() if pair is not None else None)

    def in_place_of_page(self, part: QWidget) -> bool:
        """Whether a part is the stage, or of what gives way to a program's page."""
        return part is self or self.below_header.isAncestorOf(part)

    def _show_program(self, shown: bool) -> None:
        """One thing after the other: the page ends a comparison, and a comparison the page."""
        if shown and self._comparison is not None:
            self._comparison[0].leave()
        self._show_kind(self._model.shown.value)

    @property
    def program(self) -> ProgramCanvas | None:
        """The picture of a program, while its page is shown."""
        return self._program[1].canvas if self._program is not None and self._program[0].shown.value else None

    @property
    def in_place(self) -> RunsView[Any] | ProgramCanvas | None:
        """What is shown in place of the views: the page of a program, or the chart of real runs."""
        runs = self._runs[1].view if self._runs is not None and self._runs[0].watched.value else None
        return self.program or runs

    def add_beside(self, drawer: QWidget) -> None:
        """Put a drawer beside the views, below the header, whose button so stays where it is."""
        self._body.addWidget(drawer)

    def place_drawer(self, *, beside: bool) -> None:
        """Put the drawer beside the views, or below them, where it has half of the height."""
        self._body.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._body.setStretch(1, int(not beside))

    def add_to_header(self, button: QWidget) -> None:
        """Put a control at the right end of the header."""
        self._header_row.addWidget(button)

    def order_stops(self) -> None:
        """Let Tab come to the header, whose controls were made last, before the views below it."""
        order_stops((self._header_widget, self.below_header))

    @property
    def frames(self) -> tuple[ViewFrame, ...]:
        """The views that are in sight."""
        return tuple(frame for stage in (self._gpu.made, self.cpu) if stage is not None for frame in stage.frames if frame.isVisible())

    @property
    def _compared(self) -> bool:
        """Whether two launches are compared, in place of the views."""
        return self._comparison is not None and self._comparison[0].pair.value is not None

    def _stage_of(self, shown: Shown | None) -> NumberedStage:
        return self.gpu if isinstance(shown, LaunchIndex) else self.cpu

    def _show_kind(self, shown: Shown | None) -> None:
        """The views that this kind of trace is drawn in."""
        if self._gpu.made is not None:
            self._gpu.made.resting = self._compared
        self._fit_header(self.width())
        self._indices.setVisible(not self._compared)
        if self._comparison is not None and self._compared:
            self.below_header.setCurrentWidget(self._comparison[1])
        elif self._program is not None and self.program is not None:
            self.below_header.setCurrentWidget(self._program[1])
        elif self._runs is not None and self.in_place is not None:
            self.below_header.setCurrentWidget(self._runs[1])
        else:
            self._show_views(self._stage_of(shown))
        for label in (self._title, self._indices, self._phase):
            label.forget()
        self._show_picture(self._model.told.value)
        self._show_notice(self._model.notice.value)

    def _show_views(self, stage: QWidget) -> None:
        """Show the views of a kind. Those of another leave them the focus, which Qt would give to a button."""
        before, focused = self.below_header.currentWidget(), QApplication.focusWidget()
        had = before is not None and before is not stage and focused is not None and before.isAncestorOf(focused)
        self.below_header.setCurrentWidget(stage)
        if had:
            first = next((frame.view for frame in self.frames if stage.isAncestorOf(frame) and frame.view.isVisibleTo(stage)), self)
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_picture(self, picture: AnyPicture | None) -> None:
        view = self.in_place
        stepped = picture is not None and view is None
        self._title.setVisible(view is not None or (stepped and not self._compared))  # sides that are compared have their own
        if not stepped:
            self._phase.hide()
        if view is not None:
            self._title.setText(self._look.text(view.headline))
        if picture is None or view is not None:
            self._indices.hide()
            return
        self._title.setText(self._look.text(picture.description.title))
        seen = not isinstance(picture, GpuPicture) and CpuView.LOOPS in self.cpu.shown
        self._indices.setText("" if seen else _indices(self._look, picture))
        self._phase.setText(self._look.text(picture.description.phase))
        compared = self._compared  # the words of the bar come before the phase then
        set_shown(self._phase, not compared or self._has_room(self._phase))
        set_shown(self._indices, not compared and self._has_room(self._indices))

    def _has_room(self, wanted: QWidget) -> bool:
        """Whether the header can say a part as well, and nothing in it is shortened."""
        row, edges = self._header_row, self._header_row.contentsMargins()
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        parts = [part for part in self._header_widget.findChildren(QWidget, options=directly) if row.indexOf(part) >= 0]
        wide = [part.sizeHint().width() + row.spacing() for part in parts if part is wanted or not part.isHidden()]
        return sum(wide) + edges.left() + edges.right() <= self.width()

    def _show_notice(self, notice: Message | None) -> None:
        """Why the launch that is shown is not the newest; the canvas of a CPU kernel says it itself."""
        if notice is not None:
            self.canvas.setAccessibleDescription(self._look.text(notice))
        self._notice.setText("" if notice is None else self._look.text(notice))
        self._notice.setVisible(notice is not None and isinstance(self._model.shown.value, LaunchIndex) and self.program is None)

    def _describe(self, picture: AnyPicture | None) -> None:
        """Tell screen readers what the step does, once it rests, or why there is no picture."""
        self._stage_of(self._model.shown.value).describe(picture)


def _indices(look: Look, picture: AnyPicture) -> str:
    """The loop indices of a CPU kernel; the block of a launch where the title does not say it."""
    if isinstance(picture, GpuPicture):
        return "" if picture.frame.tiles == 1 else look.text(block_of(picture.index, picture.frame))
    frame: Frame = picture.frame
    return "  ".join(f"{loop.name} = {loop.current}" for loop in frame.loops if loop.current is not None)


def _label(font: QFont, style: str) -> QLabel:
    label = QLabel()
    label.setFont(font)
    label.setStyleSheet(style)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    return label
