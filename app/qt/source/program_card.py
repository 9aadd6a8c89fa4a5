"""Program card: what became of the run of `main`, the launches to choose from, and what the program wrote."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.core.base.observable import Field
from app.core.lesson_metrics.metric import Source
from app.core.programs.host_program import briefer, has_main, launch_title, progress_text, reads_arguments, summary
from app.core.programs.page import ProgramPage
from app.core.session.draft_editor import DraftEditor
from app.core.stage.controller import RUNNING_NOTICE
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.source.edge_panel import edges_button, show_where_room
from app.qt.source.reading_pane import ReadingPane
from app.qt.widgets.choice_box import PlainBox
from app.qt.widgets.fields import TextField
from app.qt.widgets.labels import ElidedLabel, label
from kernels.base.messages import Message, message
from kernels.simt.host.result import ProgramOutcome, ProgramRun

OUTPUT_HEIGHT, MARGIN = 96, 14


class LaunchBox(PlainBox):
    """The launches of the program that is open; choosing one shows it on the stage."""

    def __init__(self, look: Look, page: ProgramPage, title: Message) -> None:
        super().__init__(look)
        self._look = look
        self._page = page
        self.setFont(look.theme.font("code"))
        self.setAccessibleName(look.text(title))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._choose)
        bind(self, page.program.outcome, lambda _outcome: self._show())
        bind(self, page.program.launch, lambda _number: self._show())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave letters to the window, whose commands they are: launches begin with their numbers."""
        if event.text().isalpha():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        launches, chosen = self._page.program.launches, self._page.program.chosen
        titles = [self._look.text(launch_title(number, each)) for number, each in enumerate(launches)]
        if titles != [self.itemText(number) for number in range(self.count())]:
            self.clear()
            self.addItems(titles)
        self.setCurrentIndex(launches.index(chosen) if chosen is not None else min(0, len(launches) - 1))
        self.setToolTip(self.currentText())
        set_shown(self, bool(launches))

    def _choose(self, number: int) -> None:
        if not self._page.open_launch(number):
            self._page.program.launch.value = number


class LaunchRow(QWidget):
    """The launches beside a caption; hidden where there is no choice."""

    def __init__(self, look: Look, page: ProgramPage, caption: Message) -> None:
        super().__init__()
        self._program = page.program
        self.launches = LaunchBox(look, page, caption)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 6, MARGIN, 4)
        row.setSpacing(12)
        row.addWidget(label(look, caption, rank=2))
        row.addWidget(self.launches, 1)
        bind(self, page.program.outcome, lambda _outcome: set_shown(self, len(self._program.launches) > 1))


class ProgramCard(QWidget):
    """Card of a whole program; hidden while the text has no `main`. Choosing a launch shows it on the stage."""

    def __init__(
        self, look: Look, page: ProgramPage, draft_editor: DraftEditor, asking: Field[frozenset[Source]], check_edges: Callable[[], object]
    ) -> None:
        """`asking` are the sources that a question of a lesson asks for: what the card tells waits for the answer."""
        super().__init__()
        self._asking = asking
        self._look = look
        self._program = program = page.program
        self._draft_editor = draft_editor
        self.said = ElidedLabel()
        self.said.setFont(look.theme.font("body"))
        self.launches = LaunchBox(look, page, message("Launch on the stage"))
        self.arguments = TextField(look, "argv", "", self._take_arguments)
        self.arguments.setToolTip(look.text(message("Arguments of main")))
        self.edges = edges_button(look, check_edges)
        self.wrote = QToolButton()
        self.wrote.setText(look.text(message("Output")))
        self.wrote.setCheckable(True)
        self.wrote.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.output = ReadingPane(look, message("What the program wrote"))
        self.output.setFixedHeight(look.px(OUTPUT_HEIGHT))
        self.output.setVisible(False)
        self.wrote.toggled.connect(self.output.setVisible)
        self._lay_out()
        bind(self, program.arguments, self.arguments.show_value)
        bind(self, program.outcome, lambda _outcome: self._show())
        bind(self, program.running, lambda _running: self._show())
        bind(self, program.progress, lambda _progress: self._show_state())
        bind(self, draft_editor.draft, lambda _draft: self._show())
        bind(self, draft_editor.on_stage, lambda _shown: self._show())
        bind(self, asking, lambda _asked: self._show())

    def _lay_out(self) -> None:
        self._head = head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.said, 1)
        head.addWidget(self.edges)
        head.addWidget(self.wrote)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 4, MARGIN, 4)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.launches)
        column.addWidget(self.arguments)
        column.addWidget(self.output)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Leave a button out that the menu has too, where even the briefest of the words would be cut beside it."""
        show_where_room(self.edges, self._head, self.width() - 2 * MARGIN - self.said.needed)

    def _show(self) -> None:
        draft = self._draft_editor.shown
        set_shown(self, draft is not None and has_main(draft.text) and Source.PROGRAM not in self._asking.value)
        self.arguments.setVisible(draft is not None and reads_arguments(draft.text))
        self._show_state()
        outcome: ProgramOutcome | None = self._program.outcome.value
        self.output.setPlainText(outcome.stdout if isinstance(outcome, ProgramRun) else "")

    def _show_state(self) -> None:
        outcome, progress = self._program.outcome.value, self._program.progress.value
        if self._program.running.value:
            said = RUNNING_NOTICE if progress is None else progress_text(progress)
            self.said.say(self._look.text(said))
        elif outcome is not None:
            self.said.say(*map(self._look.text, (summary(outcome), *briefer(outcome))))
        self._make_room()

    def _take_arguments(self, arguments: str) -> None:
        self._program.arguments.value = arguments
