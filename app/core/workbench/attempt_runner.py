"""A challenge that is being tried: its text is the open draft, checked whenever typing rests."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.atomic_write import write_whole
from app.core.base.observable import Field
from app.core.challenges.challenge import Attempt, Challenge, CheckQuestion, Verdict
from app.core.challenges.check_program import check_program
from app.core.challenges.progress import ChallengeProgress
from app.core.challenges.result import written
from app.core.programs.page import ProgramPage
from app.core.session.draft import Draft
from app.core.session.draft_editor import DraftEditor
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.host.process import Programs
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome
from kernels.simt.trace.launch_spec import NotTraced

QUIET_S = 0.6
"""How long nothing must have been typed before an attempt is checked."""


@dataclass(frozen=True, slots=True)
class Trying:
    """Challenge that is tried. `verdict` is on `checked`, which may be older than `attempt`."""

    challenge: Challenge
    attempt: Attempt
    hints: int = 0
    """How many are shown."""
    verdict: Verdict | None = None
    checked: Attempt | None = None

    @property
    def fresh(self) -> bool:
        """Whether the verdict is on the text as it is now."""
        return self.verdict is not None and self.checked == self.attempt

    @property
    def solved(self) -> bool:
        return self.fresh and self.verdict is not None and self.verdict.solved


class Practice:
    """Controller of challenges: at most one is tried at a time. `tick` never waits."""

    def __init__(
        self, draft_editor: DraftEditor, tracer: StageTracer, progress: ChallengeProgress, page: ProgramPage,
        background_tasks: BackgroundTasks, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`page` shows what becomes of a text that is a whole program."""
        self.trying: Field[Trying | None] = Field(None)
        self.progress = progress
        self.draft_editor = draft_editor
        self._tracer = tracer
        self._page = page
        self._background_tasks = background_tasks
        self._programs: Runner | None = None
        """What runs the programs of the check that is under way."""
        self._clock = clock
        self._due = 0.0
        self._asked: tuple[float, Callable[[Outcome], None]] | None = None
        """When the check began that is being executed, and what takes its answer."""
        self.seconds: Field[int] = Field(0)
        """For how long it has been executed: whole seconds."""
        self._wanted: float | None = None
        """When the user asked for the check that is under way or due; None: it began by itself."""
        self.can_stop = Field(value=False)
        """Whether a stop is offered: a second after the user asked for a check, never where "Check" may be pressed for the first time."""
        self._draft: Draft | None = None
        """The challenge's, as the draft editor had it last."""
        self._set_aside: Draft | None = None
        """What the user was editing before."""
        self._was_shown = False
        """Whether the stage showed it."""
        draft_editor.draft.subscribe(self._draft_changed)

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be checked."""
        return self.trying.value is None or self.trying.value.fresh

    def open(self, challenge: Challenge, attempt: Attempt | None = None) -> None:
        """Open the text of a challenge as the draft: the given attempt, else what was last made of it, else as it was set."""
        self.close()
        self._set_aside, self._was_shown = self.draft_editor.draft.value, self.draft_editor.on_stage.value
        record = self.progress.of(challenge.id)
        attempt = attempt or record.attempt or Attempt.of(challenge, challenge.given)
        self._put(challenge, attempt, max(record.hints, attempt.hints))

    def start_again(self) -> None:
        """Begin with the text as it was set; hints that were shown stay shown."""
        now = self.trying.value
        if now is not None:
            self._put(now.challenge, Attempt.of(now.challenge, now.challenge.given), now.hints)

    def close(self) -> None:
        """Leave the challenge. What the user was editing before is the draft again: on the stage in place of the challenge's text, if it
        was there, else beside what the stage shows."""
        now, back = self.trying.value, self._was_shown and self.draft_editor.on_stage.value
        if now is None:
            return
        self._leave(now)
        kept, self._set_aside = self._set_aside, None
        if kept is None:
            self.draft_editor.close()
        else:
            self.draft_editor.take(kept)
            if not back:
                self.draft_editor.set_aside()

    def show_hint(self) -> None:
        """Show one more hint, if there is one."""
        now = self.trying.value
        if now is not None and now.hints < len(now.challenge.hints):
            self.trying.value = replace(now, hints=now.hints + 1)
            self.progress.note(now.attempt, now.hints + 1, solved=now.solved)

    def check(self) -> None:
        """Check now, even what was checked before."""
        now = self.trying.value
        if now is not None:
            self._due = self._wanted = self._clock()
            self.trying.value = replace(now, checked=None)

    def check_or_stop(self) -> None:
        """Check now, or end a check that has taken a second or more."""
        if self.can_stop.value:
            self.stop()
        else:
            self.check()

    def stop(self) -> None:
        """End the check that is being executed; the text is checked again when it changes, or when that is asked for."""
        now, asked = self.trying.value, self._asked
        if now is None or now.fresh or asked is None:
            return
        self._withdraw()
        self._wanted = None
        told = message("The check was stopped after {seconds} s: nothing is known of this text.", seconds=self.seconds.value)
        self._count()
        self.trying.value = replace(now, verdict=Verdict(trouble=told), checked=now.attempt)

    def hand_in(self, path: Path, name: str) -> Message | None:
        """Write the attempt to a file for whoever set the challenge; returns why it could not be."""
        now = self.trying.value
        if now is None:
            return message("No challenge is open.")
        return write_whole(path, written(replace(now.attempt, hints=now.hints), name))

    def tick(self) -> None:
        """Ask for a verdict when one is due."""
        self.progress.tick()
        self._count()
        now = self.trying.value
        if now is None:
            self._leave_text()
        if now is None or now.fresh or self._clock() < self._due:
            return
        if now.challenge.program is not None:
            self._run_programs(now)
            return
        if not self._tracer.free:
            return
        question = CheckQuestion(now.challenge, now.attempt)
        self._asked = self._clock(), partial(self._answered, question)
        self._tracer.ask(question, self._asked[1])

    def _run_programs(self, now: Trying) -> None:
        """Have an attempt at a whole program run in the background, in place of one that was edited meanwhile."""
        question = CheckQuestion(now.challenge, now.attempt)
        if self._programs is not None and self._programs.attempt == now.attempt:
            return
        self._withdraw()
        runner = self._programs = Runner(now.attempt)

        def take(outcome: Outcome) -> None:
            if self._programs is runner:
                self._programs = None
                self._answered(question, outcome)

        self._asked = self._clock(), take
        self._background_tasks.send("attempt", lambda: check_program(question, runner.run), take)

    def _withdraw(self) -> None:
        """End the check that is under way."""
        if self._programs is not None:
            self._programs.stop()
            self._programs = None
        elif self._asked is not None:
            self._tracer.withdraw(self._asked[1])
        self._asked = None

    def finish(self) -> None:
        """Tilescope ends: write what is not written yet."""
        if self.trying.value is not None:
            self._leave(self.trying.value)
        self.progress.finish()

    def _put(self, challenge: Challenge, attempt: Attempt, hints: int) -> None:
        given = challenge.given
        settings = replace(given.settings, grid=attempt.grid, block=attempt.block) if challenge.free_launch else given.settings
        self._draft = replace(given, name=f"{challenge.id}.cu", text=attempt.text, original=given.text, settings=settings, lent=True)
        self._due = self._clock()
        self.trying.value = Trying(challenge, Attempt.of(challenge, self._draft), hints)
        if challenge.program is not None:
            self._page.program.arguments.value = challenge.program.arguments
        self.draft_editor.take(self._draft)
        if challenge.program is not None:
            self._page.open_page()

    def _count(self) -> None:
        self.seconds.value = 0 if self._asked is None else int(self._clock() - self._asked[0])
        self.can_stop.value = self.seconds.value > 0 and self._wanted is not None and self._clock() - self._wanted >= 1

    def _leave(self, now: Trying) -> None:
        if self._programs is not None:
            self._withdraw()
        if now.challenge.program is not None:
            self._page.program.arguments.value = ""
        self._asked = self._wanted = None
        self.progress.note(now.attempt, now.hints, solved=now.solved)
        self.trying.value = None

    def _leave_text(self) -> None:
        """No challenge keeps any more what is made of its text, which a recent state or the end of a lesson has brought back."""
        draft = self.draft_editor.draft.value
        if draft is not None and draft.lent:
            self.draft_editor.draft.value = replace(draft, lent=False)

    def _draft_changed(self, draft: Draft | None) -> None:
        now = self.trying.value
        if now is None:
            return
        if draft is None or self._draft is None or not _same(draft, self._draft):
            self._leave(now)  # another text was opened in its place
            return
        self._draft = draft
        attempt = Attempt.of(now.challenge, draft)
        if attempt != now.attempt:
            self._due, self._wanted = self._clock() + QUIET_S, None
            self.trying.value = replace(now, attempt=attempt)

    def _answered(self, question: CheckQuestion, outcome: Outcome) -> None:
        now, self._asked, self._wanted = self.trying.value, None, None
        self._count()
        if now is None or now.challenge is not question.challenge:
            return
        verdict = outcome if isinstance(outcome, Verdict) else Verdict(trouble=_reason(outcome))
        self.trying.value = replace(now, verdict=verdict, checked=question.attempt)
        self.progress.note(question.attempt, now.hints, solved=verdict.solved)


class Runner:
    """Runs the programs of one check, one after the other, until it is stopped. Any thread may stop it."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self._stopped = False
        self._programs = Programs()

    def run(self, job: ProgramJob) -> ProgramOutcome:
        """Run a program; once it is stopped, none."""
        if self._stopped:
            return NotRun(message("The check was stopped."))
        return self._programs.run(job)

    def stop(self) -> None:
        """End what runs."""
        self._stopped = True
        self._programs.cancel()


def _same(draft: Draft, before: Draft) -> bool:
    """Whether a draft is the one before, edited or saved under another name."""
    return draft.variant_id == before.variant_id and (draft.original == before.original or draft.text == before.text)


def _reason(outcome: Outcome) -> Message:
    return outcome.reason if isinstance(outcome, NotTraced) else message("There was no answer.")
