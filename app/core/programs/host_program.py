"""Program that an open text is: its `main` is run without a GPU in a process of its own, and each launch that it makes can be shown.

A run is asked for whenever the text, the file, the words after the program's name, the GPU or the files that it may read are others;
what an earlier run finds is dropped. Data races are looked for when the run is shown already: it is then shown once more, with them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.gpu_view.subject import STAGE_BUDGET, Subject, block_of_each_kind
from app.core.programs.readable_files import Names, ReadableFiles
from app.core.session.draft import Draft
from app.core.session.draft_editor import DraftEditor
from kernels.analysis.device_profiles import Profile
from kernels.analysis.program_races import look
from kernels.base.messages import Message, message
from kernels.simt.base.launch import Keep, Mode
from kernels.simt.frontend.device_launches import OF_RUNTIME
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.host.process import Programs, Spare, Tell
from kernels.simt.host.result import Device, Launched, NotRun, ProgramJob, ProgramOutcome, ProgramRun, Progress

MOST_ACCESSES = 400_000
"""Accesses of warps up to which all blocks of a launch are recorded for the stage; of a larger one a block of each kind."""
A_BLOCK = 4
"""Accesses that take as long as a block that accesses nothing."""
_PASSED_OVER = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_MAIN = re.compile(r"\bmain\s*\(")
_WORDS = re.compile(r"\bmain\s*\(\s*int\b")
Run = Callable[[Programs, ProgramJob, Tell], ProgramOutcome]


def has_main(text: str) -> bool:
    """Whether a text is a whole program, comments and strings passed over."""
    return _MAIN.search(_PASSED_OVER.sub(" ", text)) is not None


def _in_its_process(programs: Programs, job: ProgramJob, tell: Tell) -> ProgramOutcome:
    return programs.run(job, tell=tell)


def split_arguments(text: str) -> tuple[str, ...]:
    """The words after a program's name, as a shell takes them apart."""
    try:
        return tuple(shlex.split(text))
    except ValueError:  # a quotation that is not closed yet
        return tuple(text.split())


def device_of(profile: Profile) -> Device:
    """What a program is told of a GPU when it asks for its properties."""
    major, minor = map(int, profile.compute_capability.split("."))
    return Device(
        f"NVIDIA {profile.name}", (major, minor), profile.sms, profile.memory_bytes, profile.l2_bytes, profile.boost_clock_mhz * 1000
    )


class HostProgram:
    """Runs of the draft that the stage shows, on the chosen GPU. `outcome` is of the newest text that was run through, `launch` the chosen
    launch's number."""

    def __init__(
        self,
        draft_editor: DraftEditor,
        profile: Field[Profile],
        background_tasks: BackgroundTasks,
        run: Run = _in_its_process,
        spare: Spare | None = None,
        files: ReadableFiles | None = None,
    ) -> None:
        self.outcome: Field[ProgramOutcome | None] = Field(None)
        self.running = Field(value=False)
        self.progress: Field[Progress | None] = Field(None)
        """How far the launch is that is under way; None while nothing is known of it."""
        self.launch = Field(0)
        self.arguments = Field("")
        """What stands after the program's name, as a shell takes it."""
        self.files = files or ReadableFiles(None, background_tasks)
        self._draft_editor = draft_editor
        self._profile = profile
        self._background_tasks = background_tasks
        self._run = run
        self._spare = spare
        self._programs: Programs | None = None
        self._seen: tuple[Draft | None, str, Profile | None, Names] = (None, "", None, frozenset())
        self._opened = 0
        """Which of the texts that were opened `launch` is chosen in."""
        self._asked: ProgramJob | None = None
        self._answered: ProgramJob | None = None
        self._told: tuple[ProgramJob, Progress | ProgramRun] | None = None
        """What a run said last, in a thread of its own."""

    def tick(self) -> None:
        """Run the program again where it is another one than before. Never waits."""
        self._show_told()
        draft, arguments, profile = self._draft_editor.shown, self.arguments.value, self._profile.value
        readable = self.files.of(None if draft is None else draft.path)
        if draft is self._seen[0] and (arguments, profile, readable) == self._seen[1:]:
            self._opened = self._draft_editor.opened
            return
        self._seen = draft, arguments, profile, readable
        job = self._job()
        if job == self._asked:
            self._opened = self._draft_editor.opened
            return
        self.finish()
        if self._opened != self._draft_editor.opened:
            self._opened, self.launch.value = self._draft_editor.opened, 0
        self._asked = job
        self.running.value = job is not None
        if job is None:
            self._answered = None
            if self._spare is not None:
                self._spare.drop()
            self.launch.value, self.outcome.value = 0, None
            return
        programs = self._programs = Programs(self._spare)
        self._background_tasks.send(
            "program", lambda: self._run(programs, job, lambda said: self._hear(job, said)), lambda outcome: self._take(job, outcome)
        )

    def _show_told(self) -> None:
        """Show what the run has said on its way: how far it is, or all but its races."""
        told = self._told
        said = told[1] if self.running.value and told is not None and told[0] is self._asked else None
        self.progress.value = said if isinstance(said, Progress) else None
        if told is not None and isinstance(said, ProgramRun):
            self._show(told[0], said)

    def prepare(self) -> None:
        """Have a process wait for the first program."""
        if self._spare is not None:
            self._background_tasks.send("next program", self._spare.renew, lambda _none: None)

    def shutdown(self) -> None:
        """End the run that is under way, and what waits for the next."""
        self.finish()
        if self._spare is not None:
            self._spare.end()

    def finish(self) -> None:
        """End the run that is under way."""
        if self._programs is not None:
            self._programs.cancel()
            self._programs = None

    @property
    def launches(self) -> tuple[Launched, ...]:
        """Launches of the newest run, in the order in which they were made."""
        outcome = self.outcome.value
        return outcome.launches if isinstance(outcome, ProgramRun) else ()

    @property
    def text(self) -> str:
        """The text of the newest run, "" where there is none."""
        return "" if self._answered is None else self._answered.text

    @property
    def path(self) -> Path | None:
        """Where the program of the newest run lies; None where there is none, or it lies nowhere."""
        return None if self._answered is None else self._answered.path

    def is_awaited(self, draft: Draft) -> bool:
        """Whether what a draft launches is still to be found out."""
        return has_main(draft.text) and (self._answered is None or self._answered.text != draft.text)

    def subject(self, draft: Draft, profile: Profile) -> Subject | None:
        """The chosen launch as the stage executes it, with the data that it had; None where there is none to be shown."""
        launched = self.chosen
        return None if launched is None else self.spec_of(launched, draft, profile)

    def spec_of(self, launched: Launched, draft: Draft, profile: Profile) -> Subject | None:
        """A launch of the newest run as it is executed again; None where it was not kept, or the draft is another one by now."""
        if launched.request is None or self._answered is None or self._answered.text != draft.text:
            return None
        request = replace(
            launched.request, blocks=_blocks_shown(launched), mode=Mode.BLOCK, budget=STAGE_BUDGET, keep=Keep.HISTORY,
            shared_limit=profile.architecture.shared_bytes_per_block, gpu=profile.gpu,
        )  # fmt: skip
        return Subject(draft.text, launched.entry, request, path=draft.path, name=draft.name, variant_id=draft.variant_id)

    def nothing_shown(self, draft: Draft) -> Message | None:
        """Why a program that was run through has nothing for the stage: it launches nothing, or nothing that ran."""
        if self._answered is None or self._answered.text != draft.text or not isinstance(self.outcome.value, ProgramRun):
            return None
        if not self.launches:
            return message("main ended without launching a kernel.")
        if self.chosen is not None:
            return None
        return not_opened(self.launches[0])

    @property
    def chosen(self) -> Launched | None:
        """The launch with the chosen number, else the first that can be shown."""
        launches = self.launches
        number = self.launch.value
        if number < len(launches) and launches[number].request is not None:
            return launches[number]
        return next((each for each in launches if each.request is not None), None)

    def _job(self) -> ProgramJob | None:
        draft = self._draft_editor.shown
        if draft is None or not has_main(draft.text):
            return None
        device = device_of(self._profile.value)
        return ProgramJob(
            draft.text, draft.path, split_arguments(self.arguments.value), device=device, look=look, readable=self.files.of(draft.path)
        )

    def _hear(self, job: ProgramJob, said: Progress | ProgramRun) -> None:
        """Take what a run says on its way; the next tick shows it."""
        self._told = job, said

    def _take(self, job: ProgramJob, outcome: ProgramOutcome) -> None:
        if job is self._asked:
            self._programs = None
            self._show(job, outcome)

    def _show(self, job: ProgramJob, outcome: ProgramOutcome) -> None:
        self.running.value = False
        self._answered = job
        self.prepare()
        self.outcome.value = outcome


def _blocks_shown(launched: Launched) -> tuple[int, ...] | None:
    """Choose the blocks that the stage executes: all (None), where it is known that these soon are, else one of each kind."""
    known = launched.accesses > 0 or launched.recorded == launched.blocks
    soon = launched.accesses + A_BLOCK * prod(launched.grid) <= MOST_ACCESSES
    return None if known and soon else block_of_each_kind(launched.grid)


def summary(outcome: ProgramOutcome) -> Message:
    """What became of a run, in a line."""
    if isinstance(outcome, NotRun):
        return outcome.reason
    said = message(
        "main: status {status} · findings: {findings} · launches: {launches}", status=outcome.status, launches=len(outcome.launches),
        findings=len(outcome.findings),
    )  # fmt: skip
    if outcome.searching:
        return message("{summary} · looking for races…", summary=said)
    whole, partly, count = searched(outcome)
    if whole == count:
        return said
    return message("{summary} · races looked for in {seen} of {count} launches", summary=said, seen=whole + partly, count=count)


def briefer(outcome: ProgramOutcome) -> tuple[Message, ...]:
    """The same with ever less, for lines with ever less room; findings are told first once all were looked for."""
    if isinstance(outcome, NotRun):
        return ()
    if outcome.searching:
        return (message("status {status} · looking for races…", status=outcome.status),)
    status, findings = outcome.status, len(outcome.findings)
    return (
        message("main: status {status} · findings: {findings}", status=status, findings=findings),
        message("status {status} · findings: {findings}", status=status, findings=findings),
    )


def progress_text(progress: Progress) -> Message:
    """How far a launch is, in a line."""
    return message("{kernel}: {done} of {blocks} blocks executed…", kernel=progress.entry, done=progress.done, blocks=progress.blocks)


def not_opened(launched: Launched) -> Message | None:
    """Why a launch cannot be shown on the stage; None where it can."""
    if launched.request is not None:
        return None
    if launched.entry in OF_RUNTIME:
        return message("{kernel} is of the CUDA runtime: it has no text to be shown.", kernel=launched.entry)
    return launched.refused or message("{kernel} ran, but what it worked on is too large to be kept.", kernel=launched.entry)


def reads_arguments(text: str) -> bool:
    """Whether a program looks at the words after its name."""
    return _WORDS.search(_PASSED_OVER.sub(" ", text)) is not None


def launch_title(number: int, launched: Launched) -> Message:
    """A launch as one writes it, with its line; `number` counts from 0."""
    said = message(
        "{number}: {kernel}, grid {grid}, block {block}, line {line}", number=number + 1, kernel=launched.entry,
        grid=extent(launched.grid), block=extent(launched.block), line=launched.location.line,
    )  # fmt: skip
    if launched.parent is not None:
        said = message("{launch}, by launch {parent}", launch=said, parent=launched.parent + 1)
    if launched.refused is not None:
        return message("{launch}: did not run", launch=said)
    if launched.recorded == launched.blocks or not launched.blocks:
        return said
    return message("{launch}: {recorded} of {blocks} blocks recorded", launch=said, recorded=launched.recorded, blocks=launched.blocks)


def coverage(run: ProgramRun) -> Message | None:
    """How far findings were looked for, where that is not everywhere."""
    asked = [each.compared for each in run.launches if each.compared is not None]
    if all(asked):
        return None
    return message(
        "Races between kernels and the kernels that they launch were looked for in {seen} of {count} such launches: not all accesses of the"
        " others were recorded.", seen=sum(asked), count=len(asked),
    )  # fmt: skip


def searched(run: ProgramRun) -> tuple[int, int, int]:
    """In how many launches races were looked for in all blocks, in how many in some, and how many ran at all."""
    ran = [each for each in run.launches if each.refused is None and each.entry not in OF_RUNTIME]
    whole = sum(each.searched >= each.blocks for each in ran)
    return whole, sum(0 < each.searched < each.blocks for each in ran), len(ran)


def races_coverage(run: ProgramRun) -> Message | None:
    """How far races between threads were looked for; None where no kernel ran."""
    whole, partly, count = searched(run)
    if not count:
        return None
    if run.searching:
        return message("Races between threads are being looked for.")
    if whole == count:
        return message("Races between threads were looked for in every launch.")
    if not partly:
        return message(
            "Races between threads were looked for in {whole} of {count} launches; the others ran without a record.",
            whole=whole, count=count,
        )  # fmt: skip
    if not whole:
        return message(
            "Races between threads were looked for in some blocks of {partly} of {count} launches; what ran without a record was not looked"
            " at.", partly=partly, count=count,
        )  # fmt: skip
    return message(
        "Races between threads were looked for in {whole} of {count} launches, and in some blocks of {partly} more; what ran without a"
        " record was not looked at.", whole=whole, count=count, partly=partly,
    )  # fmt: skip


def remarks(outcome: ProgramOutcome | None) -> tuple[Diagnostic, ...]:
    """What is wrong with the program, at the lines of its text."""
    if outcome is None:
        return ()
    found = [*outcome.diagnostics]
    if isinstance(outcome, ProgramRun):
        found += (
            Diagnostic(each.location.line, each.location.column, Severity.WARNING, each.message, each.location.file)
            for each in outcome.findings
        )
    return tuple(found)


def extent(sizes: tuple[int, int, int]) -> str:
    """An extent as one writes it, without the ones at its end."""
    x, y, z = sizes
    return " × ".join(map(str, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)))
