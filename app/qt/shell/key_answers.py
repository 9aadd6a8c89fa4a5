"""Answers to keys that lead to findings, or do nothing: in the status bar, for as long as it takes to read them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.core.gpu_view.index import LaunchIndex
from app.core.lesson_metrics.metric import Source
from app.core.stage.model import refuse_alone
from app.core.workbench.workbench import Workbench
from app.qt.inspector.panel import InspectorPanel
from app.qt.source.view import SourceView
from app.qt.widgets.answer_first import TOLD_BY_COUNTS
from kernels.base.messages import Message, message

ANSWER_MS = 8000
"""How long the status bar says why a key did nothing: it has other things to say."""
FINDINGS_WAIT = message("Answer the question of the lesson first (Lessons): a finding could tell what it asks.")
NO_FINDING = message("No step has a finding.")
CONFLICTS_APART = message("No step has a finding. Bank conflicts are none: {key} goes to the next.", key="C")


class KeyAnswers(QObject):
    """What keys that may have nothing to show do, and what is said then."""

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._said: Message | None = None
        self._read = QTimer(self, singleShot=True)
        self._read.timeout.connect(self._withdraw)

    def say(self, sentence: Message) -> None:
        """Say why a key did nothing; each answer has the whole time, whatever was said before it."""
        self._said = sentence
        self._workbench.tell(sentence)
        self._read.start(ANSWER_MS)

    def toggle_view(self, number: int) -> None:
        """Show a view alone, or all again; while two launches are compared, choose their view, or with 0 end that."""
        stage, comparison = self._workbench.stage, self._workbench.comparison
        compared, alone = comparison.pair.value is not None, stage.alone.value
        reason = None
        if compared and number:
            reason = comparison.choose(number)
        elif not number and comparison.pins() and (compared or not alone):
            comparison.leave()
        else:
            reason = refuse_alone(stage.shown.value, number)
            stage.alone.value = alone if reason is not None else 0 if number == alone else number
        if reason is not None:
            self.say(reason)

    def next_finding(self, inspector: InspectorPanel) -> None:
        """Go to the next finding, of the program while its page is shown, unless a question waits for what it would tell."""
        page, asked = self._workbench.program_page, self._workbench.stage.asking.value
        if page.shown.value:
            if Source.PROGRAM in asked:
                self.say(FINDINGS_WAIT)
            elif not page.next_finding():
                self.say(message("No event has a finding."))
        elif asked & TOLD_BY_COUNTS:
            self.say(FINDINGS_WAIT)
        elif not inspector.go_to_next_finding():
            self.say(CONFLICTS_APART if self._conflicts() else NO_FINDING)

    def next_conflict(self, source: SourceView) -> None:
        """Go to the next step with a bank conflict, after the last to the first, unless a question waits for what it would tell. Its line
        comes to sight also where that is the one before, from which somebody has scrolled away."""
        steps, now = self._conflicts(), self._workbench.stage.timeline.position.value.step
        if self._workbench.stage.asking.value & TOLD_BY_COUNTS:
            self.say(FINDINGS_WAIT)
        elif not steps:
            self.say(message("No step has a bank conflict."))
        else:
            self._workbench.go_to_step(next((step for step in steps if step > now), steps[0]))
            source.bring_to_sight()

    def _conflicts(self) -> list[int]:
        shown = self._workbench.stage.shown.value
        found: list[int] = shown.conflicts.tolist() if isinstance(shown, LaunchIndex) else []
        return found

    def play_race(self) -> None:
        """Play the schedule that breaks the first data race, unless a question waits for whether there is one."""
        reason = FINDINGS_WAIT if self._workbench.stage.asking.value & TOLD_BY_COUNTS else self._workbench.races.play_first()
        if reason is not None:
            self.say(reason)

    def _withdraw(self) -> None:
        if self._said is not None:
            self._workbench.withdraw(self._said)
