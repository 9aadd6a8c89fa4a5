"""Page of the challenge that is tried: its task, targets, hints and solution, and the buttons that check, restart and hand in.

A target is one line: whether it is met, said by a sign and in words, and what is the case now. Hints appear one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.sentences import Line, lines_of
from app.core.workbench.attempt_runner import Practice, Trying
from app.qt.base.binding import bind, set_shown
from app.qt.base.commands import shown_keys
from app.qt.base.look import Look
from app.qt.lessons.prose_label import ProseLabel
from app.qt.widgets.labels import label, reason_label, rule, show_reason
from app.qt.widgets.side_panel import MARGIN, SidePage, hide_button, leave_button, page_head, push_button
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


class Hints(QWidget):
    """Hints of one challenge: those asked for, one below the other, and the button that shows one more."""

    def __init__(self, look: Look, challenge: Challenge, show_hint: Callable[[], object]) -> None:
        super().__init__()
        self._look = look
        self._names = challenge.hints
        self._texts = challenge.text(look.translator.language).steps
        self._shown = 0
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
        self.more = QPushButton()
        self.more.clicked.connect(lambda: show_hint())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._column)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_first(0)

    def show_first(self, count: int) -> None:
        """Show so many; those that are shown stay."""
        for name in self._names[self._shown : count]:
            self._add(name)
        self._shown = max(count, self._shown)
        left = self._shown < len(self._names)
        self.more.setVisible(left)
        if left:
            self.more.setText(self._look.text(message("Show hint {number} of {count}", number=self._shown + 1, count=len(self._names))))

    def _add(self, name: str) -> None:
        said = self._texts[name]
        headline = label(self._look, said.headline, "section")
        headline.setWordWrap(True)
        prose = ProseLabel(self._look, said.narration)
        prose.fill({})
        self._column.addWidget(headline)
        self._column.addWidget(prose)
        self._column.addSpacing(4)


MARK_WIDTH = 22
MARKS = {True: "✓", False: "✕", None: "·"}
SAID: dict[bool | None, Message] = {True: message("Met"), False: message("Not met"), None: message("Not checked yet")}


class TargetList(QWidget):
    """List of the targets, made anew for each verdict: there are few lines."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._shown: tuple[Line, ...] = ()

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show these in place of those before."""
        lines = tuple(lines)
        if lines == self._shown:
            return
        self._shown = lines
        while (item := self._column.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for line in lines:
            self._column.addWidget(self._row(line))

    def _row(self, line: Line) -> QWidget:
        look = self._look
        mark = label(look, MARKS[line.met], "fact")
        mark.setFixedWidth(look.px(MARK_WIDTH))
        if line.met is False:
            mark.setProperty("tone", "bad")
        texts = [self._wrapped(look.text(line.wanted), "section", 1)]
        texts += [self._wrapped(look.text(each), "body", 2) for each in line.found]
        row = QWidget()
        row.setAccessibleName(look.text(message("{met}: {target}", met=SAID[line.met], target=line.sentence)))
        column = QVBoxLayout()
        column.setSpacing(2)
        for each in texts:
            column.addWidget(each)
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        across.addLayout(column, 1)
        return row

    def _wrapped(self, text: str, role: str, rank: int) -> QLabel:
        made = label(self._look, text, role, rank)
        made.setWordWrap(True)
        return made


CHECKING = message("Checking…")
CHECKED = message("Checked: this is how the text stands.")


class Content(QWidget):
    """Built for one challenge; `refresh` shows what changes. While a text is checked the verdict on the one before stays."""

    def __init__(self, look: Look, begun: Trying, practice: Practice) -> None:
        super().__init__()
        self._look = look
        text = begun.challenge.text(look.translator.language)
        task, solved = text.steps["task"], text.steps["solved"]
        self._solved = ProseLabel(look, solved.narration)
        self._headline = label(look, f"✓ {solved.headline}", "view_caption")
        self._state = label(look, "", "small", rank=2)
        self._fresh = begun.fresh
        self._trouble = reason_label(look, self)
        self._targets = TargetList(look)
        self._hints = Hints(look, begun.challenge, practice.show_hint)
        headline, prose = label(look, task.headline, "view_caption"), ProseLabel(look, task.narration)
        for each in (headline, self._headline, self._state):
            each.setWordWrap(True)
        for each in (prose, self._solved):
            each.fill({})
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 14, MARGIN, 14)
        column.setSpacing(10)
        parts: tuple[QWidget, ...] = (
            headline, prose, rule(vertical=False), self._targets, self._trouble, self._state,
            self._headline, self._solved, rule(vertical=False), self._hints,
        )  # fmt: skip
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)

    @property
    def achieved(self) -> tuple[QWidget, ...]:
        """What is said of a solved challenge, from top to bottom."""
        return self._headline, self._solved

    def show_seconds(self, seconds: int) -> None:
        """Show for how long the text has been executed."""
        checking = message("Checking… {seconds} s", seconds=seconds) if seconds else CHECKING
        self._state.setText(self._look.text(CHECKED if self._fresh else checking))

    def refresh(self, trying: Trying) -> None:
        """Show what is known by now."""
        verdict = trying.verdict
        self._targets.show_lines(lines_of(trying.challenge, verdict, self._look.translator.language))
        show_reason(self._trouble, self._look, None if verdict is None else verdict.trouble)
        self._fresh = trying.fresh
        set_shown(self._state, not trying.fresh or verdict is None or verdict.trouble is None)
        self.show_seconds(0)
        self._headline.setVisible(trying.solved)
        self._solved.setVisible(trying.solved)
        self._hints.show_first(trying.hints)


HIDE = message("Hide the challenges")
CHECK_KEY = "Ctrl+Return"
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class PanelActions:
    """Functions that the panel calls; `name` is what the student was called the last time."""

    open: Callable[[Challenge], object]
    hide: Callable[[], object]
    hand_in: Callable[[str], object]
    name: str = ""


class TryPage(SidePage):
    """Follows one challenge. Its texts scroll where there is no room for all of them."""

    def __init__(self, look: Look, practice: Practice, begun: Trying, actions: PanelActions) -> None:
        title = begun.challenge.text(look.translator.language).title
        super().__init__(title)
        self._look = look
        self._practice = practice
        self._challenge = begun.challenge
        self._solved: bool | None = None
        """None until something is shown."""
        self._content = Content(look, begun, practice)
        self._again = push_button(look, message("Start again"), practice.start_again)
        self._back = push_button(look, message("Back to the text"), practice.draft_editor.show)
        self._check = push_button(look, message("Check"), practice.check_or_stop)
        self._check.setProperty("primary", "true")
        self._name = QLineEdit(actions.name)
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setPlaceholderText(look.text(message("Your name")))
        self._name.setAccessibleName(look.text(message("Your name")))
        self._hand_in = push_button(look, message("Hand in…"), lambda: actions.hand_in(self._name.text()))
        self.arrange(self._head(title, actions.hide), self._foot())
        self.area.setWidget(self._content)
        bind(self, practice.trying, self._show)
        bind(self, practice.seconds, self._content.show_seconds)
        bind(self, practice.can_stop, lambda _can: self._name_check())
        bind(self, practice.draft_editor.on_stage, self._show_back)

    def _head(self, title: str, hide: Callable[[], object]) -> QWidget:
        hint = message("Leave the challenge. What you have made of it is kept.")
        leave = leave_button(self._look, message("Challenges"), hint, self._practice.close)
        return page_head(self._look, title, leave, hide_button(self._look, HIDE, hide))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below each other where they have no room in a row."""
        super().resizeEvent(event)
        self._checking.setDirection(QBoxLayout.Direction.LeftToRight)
        if self._checking.sizeHint().width() + 2 * MARGIN > event.size().width():
            self._checking.setDirection(QBoxLayout.Direction.TopToBottom)

    def _foot(self) -> QVBoxLayout:
        checking, handing = QBoxLayout(QBoxLayout.Direction.LeftToRight), QHBoxLayout()
        self._checking = checking
        for row, parts in ((checking, (self._again, self._back, self._check)), (handing, (self._name, self._hand_in))):
            row.setSpacing(8)
            for part in parts:
                row.addWidget(part, 1 if part is self._name else 0)
        checking.insertStretch(1, 1)
        foot = QVBoxLayout()
        foot.addLayout(checking)
        foot.addLayout(handing)
        return foot

    @property
    def naming(self) -> bool:
        """Whether the student's name is being typed."""
        return self._name.hasFocus()

    def _show_back(self, on_stage: bool) -> None:
        set_shown(self._back, not on_stage)
        self._name_check()

    def _name_check(self) -> None:
        """Say what the button does now, and by which key, where the way back to the text leaves room for that."""
        said = self._look.text(message("Stop") if self._practice.can_stop.value else message("Check"))
        self._check.setText(f"{said}  {shown_keys(CHECK_KEY)}" if self._practice.draft_editor.on_stage.value else said)
        self._check.setAccessibleName(said)

    def take_focus(self) -> None:
        """Give the focus to the way on, from which the next pane is the text."""
        self._check.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, trying: Trying | None) -> None:
        if trying is not None and trying.challenge is self._challenge:  # else another page is shown
            before, self._solved = self._solved, trying.solved
            self._content.refresh(trying)
            if trying.solved and before is False:
                QTimer.singleShot(0, self, self._bring_to_sight)  # once it has its place

    def _bring_to_sight(self) -> None:
        """Let what has been achieved be seen: below the targets there may be no room for it."""
        for part in reversed(self._content.achieved):
            self.area.ensureWidgetVisible(part)
