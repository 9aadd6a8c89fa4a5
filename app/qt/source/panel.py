"""Source pane: the text that runs with the line of the present step, or a draft to be edited.

Read only beside it: what was changed in the text, and what the compiler made of the current line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.core.cpu_view.cache_counters import LineMisses, line_misses
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.margins import Margin, margins
from app.core.gpu_view.selection import NOTHING, Selection
from app.core.inspector.finding_rows import count_text, finding_rows, next_finding
from app.core.lesson_metrics.metric import Source
from app.core.programs.host_program import has_main, remarks
from app.core.programs.sentences import findings_count
from app.core.session.draft import Draft
from app.core.session.draft_changes import difference, moved_line, remarks_of
from app.core.session.draft_editor import refuse_copy
from app.core.session.session import Session, Workspace
from app.core.stage.model import AnyPicture, GpuPicture, picture_of
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.commands import Place
from app.qt.base.look import Look
from app.qt.source.edge_panel import EdgePanel
from app.qt.source.editing import DiagnosticsList, Editing, Leaving, underlines
from app.qt.source.files import SourceFiles
from app.qt.source.find_bar import FindBar
from app.qt.source.header import SourceActions, SourceHeader, offer_bar
from app.qt.source.highlight import MATRICES
from app.qt.source.launch_form import LaunchForm, own_settings
from app.qt.source.program_card import ProgramCard
from app.qt.source.reading_pane import MachinePane, ReadingPane
from app.qt.source.view import SourceView
from app.qt.widgets.answer_first import TOLD_BY_COUNTS
from app.qt.widgets.labels import reason_label, show_reason
from kernels.base.messages import Message, message
from kernels.simt.frontend.diagnostics import Severity
from kernels.simt.host.result import ProgramRun

ROWS_SEEN = 12
"""Of the text, beside an open launch form, which is scrolled then: a statement with what it stands in."""


class SourcePanel(QWidget):
    """Header, text, and for a draft what is wrong with it and its launch."""

    def __init__(self, look: Look, workbench: Workbench, *, compact: bool = False) -> None:
        super().__init__()
        self._look = look
        self._session: Session = workbench.session
        self._draft_editor = workbench.session.draft_editor
        self._playground = workbench.playground
        self._runs = workbench.runs
        self._draft_backup = workbench.draft_backup
        self._model = workbench.stage
        self._margins: dict[int, Margin | LineMisses] = {}
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.files = SourceFiles(look, self, workbench, self.flush, self._say)
        self.header = SourceHeader(look, self._actions(), compact=compact)
        self._reason = reason_label(look)
        self.offer, self._offered = offer_bar(
            look, {message("Open it"): self._draft_backup.accept, message("Discard"): self._draft_backup.dismiss}
        )
        self._file_watch = workbench.file_watch
        self.file_offer, self._file_said = offer_bar(
            look, {message("Take the file"): self._file_watch.accept, message("Keep mine"): self._file_watch.dismiss}
        )
        self.view = SourceView(look, workbench.stage.choices.folded)
        self.find_bar = FindBar(look, self.view)
        self._changes = ReadingPane(look, message("What was changed"))
        self._text = QStackedWidget()
        self._text.addWidget(self.view)
        self._text.addWidget(self._changes)
        self._editing = Editing(self.view, self._draft_editor)
        self.leaving = Leaving(look, workbench, self.view, self._editing.flush, self.files.save)
        self.diagnostics = DiagnosticsList(look, self.go_to)
        self._edges, self._comparison = workbench.edges, workbench.comparison
        self._to_step = workbench.go_to_step
        self.edges = EdgePanel(look, workbench.edges)
        self.form = LaunchForm(look, self._draft_editor, self.check_edges, folded=compact)
        self.machine = MachinePane(look, workbench.studies.compiled)
        self._program, self._page = workbench.program, workbench.program_page
        self.program = ProgramCard(look, self._page, self._draft_editor, self._model.asking, self.check_edges)
        self._lay_out()
        self._listen()

    def _actions(self) -> SourceActions:
        return SourceActions(
            self.edit_copy, self.run, self.files.ask_and_open, self.revert, self.files.save, self._show_difference,
            lambda on: self.machine.turn(on=on), lambda: self.leaving.leave(), self._go_to_finding,
        )  # fmt: skip

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._reason.setContentsMargins(14, 0, 14, 4)
        column.addWidget(self.offer)
        column.addWidget(self.file_offer)
        column.addWidget(self.leaving.offer)
        column.addWidget(self.header)
        column.addWidget(self._reason)
        column.addWidget(self._text, 1)
        column.addWidget(self.find_bar)
        for widget in (self.machine, self.program, self.diagnostics, self.edges, self.form):
            column.addWidget(widget)

    def _listen(self) -> None:
        view, model = self.view, self._model
        view.line_pressed.connect(self._go_to_step)
        view.line_hovered.connect(self._hover)
        view.marks.worst_wanted.connect(self._to_step)
        view.textChanged.connect(self._lines_moved)
        self.form.opened.connect(self._keep_rows)
        bind(self, self._edges.state, lambda _search: self._keep_rows(self.form.takes_room))
        bind(self, self._session.stage, lambda _stage: self._show_text())
        bind(self, self._draft_editor.on_stage, lambda _shown: self._show_text())
        bind(self, self._draft_editor.draft, lambda _draft: self._show_text())
        bind(self, model.shown, lambda _shown: self._show_costs())
        bind(self, model.counted, lambda _caches: self._show_costs())
        bind(self, model.asking, lambda _asked: self._lines_moved())
        bind(self, model.asking, lambda _asked: self._show_remarks())
        bind(self, model.asking, lambda _asked: self._show_count())
        bind(self, model.told, self._show_picture)
        bind(self, model.unbegun, lambda _unbegun: self._show_picture(model.told.value))
        bind(self, model.busy, lambda _busy: self._place_form())
        bind(self, self._playground.diagnostics, lambda _found: self._show_remarks())
        for told in (self._playground.reason, self._playground.remark, self._runs.said, self._draft_backup.failure):
            bind(self, told, lambda _told: self._show_remarks())
        bind(self, self._draft_backup.offer, self._show_offer)
        bind(self, self._file_watch.offered, self._show_file_offer)
        for answer in self.file_offer.findChildren(QToolButton):
            answer.clicked.connect(lambda _checked: self.view.setFocus(Qt.FocusReason.OtherFocusReason))  # to go on writing
        bind(self, self._program.outcome, lambda _outcome: self._show_remarks())
        bind(self, self._page.offered, lambda _offered: self._show_costs())
        bind(self, self._page.frame, lambda _frame: self._show_count())
        bind(self, self._page.line, lambda _line: self._show_picture(model.told.value))
        bind(self, self._page.shown, lambda _shown: self._show_costs())

    # ------------------------------------------------------------ what the user asks for

    def edit_copy(self) -> None:
        """Edit a copy of what is shown where it is being read, or say why that cannot be."""
        place = self.view.place if self._draft_editor.shown is None else None
        self._say(self._draft_editor.edit_copy() if place else None)
        if self._draft_editor.on_stage.value:
            self.go_to(*place) if place else self.view.setFocus()

    def find_words(self) -> None:
        """Find words in the text that is shown."""
        self._session.show_workspace(Workspace.STAGE)
        self.header.difference.setChecked(False)
        self.find_bar.ask()

    def run(self) -> None:
        """Run the text on the GPU, or say why that cannot be."""
        self._editing.flush()
        self._runs.start()

    def check_edges(self) -> None:
        """Try the text at the sizes and with the indices that break kernels; of the catalogue's text a copy is edited first.

        What is found stands below the text, which a comparison, such as two schedules of a race, has no room for: that ends.
        """
        self._session.show_workspace(Workspace.STAGE)
        self._comparison.leave()
        self._editing.flush()
        if self._draft_editor.shown is None:
            self.edit_copy()
        self._edges.start()

    def revert(self) -> None:
        """Go back to the text that the draft began as; the editor's undo brings the edited one back."""
        self._editing.flush()
        self._draft_editor.revert()

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor there."""
        block = self.view.document().findBlockByNumber(line - 1)
        place = block.position() + min(column - 1, max(0, block.length() - 1))
        self._select(place, place)

    def places(self) -> tuple[Place, ...]:
        """What the command palette finds: recent files, and the settings of a text that is edited."""
        self._editing.flush()
        draft, files = self._draft_editor.shown, self.files.places()
        if draft is None:
            return files
        return (*files, *own_settings(draft, self._select, None if self.form.isHidden() else self._go_to_field))

    def _go_to_field(self, key: str) -> None:
        self._session.show_workspace(Workspace.STAGE)
        self.form.go_to(key)

    def _select(self, first: int, end: int) -> None:
        self._session.show_workspace(Workspace.STAGE)
        self.header.difference.setChecked(False)
        cursor = QTextCursor(self.view.document())
        cursor.setPosition(first)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.view.setTextCursor(cursor)
        self.view.centerCursor()
        self.view.setFocus()

    def flush(self) -> None:
        """Let what was typed take effect at once."""
        self._editing.flush()

    def _show_difference(self, shown: bool) -> None:
        self._editing.flush()
        draft = self._draft_editor.shown
        self._changes.show_difference(difference(draft.original, draft.text) if draft is not None else ())
        self._text.setCurrentWidget(self._changes if shown else self.view)

    # ------------------------------------------------------------ what is shown

    def _show_text(self) -> None:
        draft = self._draft_editor.shown
        self._say(None)
        self.view.colour_matrices(self._matrices())
        if draft is None:
            variant = self._session.stage.value.variant
            self.header.difference.setChecked(False)
            self.header.show_reading(PurePosixPath(variant.source).name, refuse_copy(variant))
            self._editing.leave()
            self.view.show_source(variant.source_text, variant.source.endswith(".cu"))
        else:
            self.header.show_editing(self._look.text(draft.title), changed=draft.changed)
            self._editing.show(draft)
            if self.header.difference.isChecked():
                self._show_difference(shown=True)
        self._show_remarks()
        self._lines_moved()

    def _show_remarks(self) -> None:
        found, theme = self._playground, self._look.theme
        of_program = () if Source.PROGRAM in self._model.asking.value else remarks(self._program.outcome.value)
        diagnostics = (*found.diagnostics.value, *of_program) if self._draft_editor.on_stage.value else ()
        self._place_form()
        asked = self._model.asking.value & TOLD_BY_COUNTS
        further = (None if asked else found.remark.value, self._runs.said.value, self._draft_backup.failure.value)
        listed = (
            found.diagnostics.value if isinstance(self._program.outcome.value, ProgramRun) else diagnostics
        )  # its page lists the others
        shown = remarks_of(listed, found.reason.value, *further) if self._draft_editor.on_stage.value else ()
        self.diagnostics.show_remarks(shown)
        self.view.show_underlined(underlines(self.view.document(), diagnostics, theme.bad, theme.t2))
        if diagnostics and self._model.picture.value is None:
            self.view.bring_to_sight(diagnostics[0].line)

    def _place_form(self) -> None:
        """Let the form stand back where the program says what is launched: also while an error keeps it from running, for then the launch
        that was shown stays. Until it is known what is executed in place of that, the form is as it was."""
        draft = self._draft_editor.shown
        program = draft is not None and has_main(draft.text)
        wrong = any(each.severity is Severity.ERROR for each in self._playground.diagnostics.value)
        replaced = isinstance(self._program.outcome.value, ProgramRun) or (program and wrong)
        if replaced or not (program and self._model.busy.value):
            self.form.stand_back(replaced)

    def _show_offer(self, said: Message | None) -> None:
        self.offer.setVisible(said is not None)
        if said is not None:
            self._offered.setText(self._look.text(said))

    def _show_file_offer(self, text: str | None) -> None:
        """Ask which is to be kept, where the file and the text here were both changed."""
        draft = self._draft_editor.draft.value
        self.file_offer.setVisible(text is not None)
        if text is not None and draft is not None:
            said = message("{file} was changed in another editor, and here too: which is to be kept?", file=draft.name)
            self._file_said.setText(self._look.text(said))

    def _show_picture(self, picture: AnyPicture | None) -> None:
        """The line of the step, unless the picture is still that of another text."""
        if self._page.shown.value:
            line = self._page.line.value
            self.view.show_line(None if line is None else moved_line(self._program.text, self.view.text, line))
            self.view.show_chosen(None)
            return
        line = self._line_of(picture) if picture is not None else None
        self.view.show_line(line)
        if self._model.unbegun.value:
            self._show_awaited()
        self.machine.show_line(picture.frame.line if picture is not None and line is not None else None)
        chosen = picture.highlight.line if isinstance(picture, GpuPicture) and line is not None else None
        self.view.show_chosen(None if chosen is None else self._moved(chosen))

    def _show_awaited(self) -> None:
        """Bring the line to sight, unmarked, that is executed first once the lesson's question is answered."""
        shown, step = self._model.shown.value, self._model.timeline.position.value.step
        line = None if shown is None else self._line_of(picture_of(shown, step, 0.0))
        if line is not None:
            self.view.bring_to_sight(line)

    def _line_of(self, picture: AnyPicture) -> int | None:
        draft: Draft | None = self._draft_editor.shown
        wanted = self._session.stage.value.variant.id if draft is None else draft.variant_id
        if picture.variant_id != wanted or picture.frame.line is None:
            return None
        return self._moved(picture.frame.line)

    def _show_costs(self) -> None:
        shown, caches = self._model.shown.value, self._model.counted.value
        launched, cached = message("sectors   banks"), message("hits in L1")
        heads = launched if isinstance(shown, LaunchIndex) else cached if caches is not None else None
        self.header.show_heads(None if self._page.shown.value else heads)
        self._margins = {**margins(shown)} if isinstance(shown, LaunchIndex) else {**line_misses(caches)} if caches is not None else {}
        self.view.colour_matrices(self._matrices())
        self._show_count()
        self._lines_moved()

    def _show_count(self) -> None:
        """Count findings beside the file's name: the whole program's while its page is shown, else the launch's."""
        shown, frame = self._model.shown.value, self._page.frame.value
        if self._page.shown.value and frame is not None:
            self.header.show_findings(None if Source.PROGRAM in self._model.asking.value else findings_count(frame.run))
        else:
            asked = self._model.asking.value & TOLD_BY_COUNTS
            self.header.show_findings(self._counted(shown) if isinstance(shown, LaunchIndex) and not asked else None)

    def _counted(self, shown: LaunchIndex) -> Message | None:
        """How many findings a launch has; of a program's, whose they are: it may have others of its own."""
        found = count_text(finding_rows(shown))
        entry = shown.subject.entry
        if found is None or entry is None or not self._page.offered.value:
            return found
        return message("{kernel}: {findings}", kernel=entry, findings=found)

    def _go_to_finding(self) -> None:
        """To the step of the next finding; where none has one, to the line of the first. On the program's page to its event."""
        if self._page.shown.value:
            self._page.next_finding()
            return
        shown, timeline = self._model.shown.value, self._model.timeline
        rows = finding_rows(shown) if isinstance(shown, LaunchIndex) else ()
        step = next_finding(rows, timeline.position.value.step)
        if step is not None:
            self._to_step(step)
        elif rows and rows[0].line is not None and (line := self._moved(rows[0].line)) is not None:
            self.go_to(line, 1)

    def _matrices(self) -> Mapping[str, str]:
        """The letters of the names in the text: a stranger's text says nothing by what it calls its arrays, but its accesses may."""
        draft, shown = self._draft_editor.shown, self._model.shown.value
        if draft is None or draft.variant_id:
            return MATRICES
        if not isinstance(shown, LaunchIndex) or shown.subject.variant_id:
            return {}
        named = zip(shown.trace.allocations, shown.record.letters, strict=True)
        return {allocation.name: letter for allocation, letter in named if letter}

    def _lines_moved(self) -> None:
        """Let margins and marks follow the lines that they belong to."""
        told = () if self._model.asking.value & TOLD_BY_COUNTS or self._page.shown.value else self._margins.values()
        placed = {line: margin for margin in told if (line := self._moved(margin.line)) is not None}
        self.view.show_margins({line: replace(margin, line=line) for line, margin in placed.items()})
        self._show_picture(self._model.told.value)

    def _moved(self, line: int) -> int | None:
        """Where a line of the executed text is in the one on the screen."""
        shown = self._model.shown.value
        return moved_line(shown.subject.text, self.view.text, line) if isinstance(shown, LaunchIndex) else line

    def _go_to_step(self, line: int) -> None:
        """Go to the next execution of a line, or from its last to its first."""
        shown, timeline = self._model.shown.value, self._model.timeline
        if isinstance(shown, LaunchIndex):
            executed = moved_line(self.view.text, shown.subject.text, line)
            steps = shown.steps_of_line(executed or 0)
            later = steps[steps > timeline.position.value.step]
            if len(steps):
                self._to_step(int((later if len(later) else steps)[0]))

    def _hover(self, line: int) -> None:
        if isinstance(shown := self._model.shown.value, LaunchIndex):
            executed = moved_line(self.view.text, shown.subject.text, line) if line else None
            self._model.hovered.value = Selection(line=executed) if executed else NOTHING

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.diagnostics.leave_room(event.size().height() // 4)
        self.form.leave_room(event.size().height() // 3)

    def _keep_rows(self, opened: bool) -> None:
        rows, share = ROWS_SEEN * self.view.fontMetrics().lineSpacing(), 2 if self.edges.isHidden() else 5
        self._text.setMinimumHeight(min(rows, self.height() // share) if opened else 0)

    def _say(self, reason: Message | None) -> None:
        show_reason(self._reason, self._look, reason)
