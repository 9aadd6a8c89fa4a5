"""The program that an open text is: when it is run, what of it reaches the stage, and what is said of it."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.base.background import BackgroundTasks
from app.core.programs.host_program import HostProgram, coverage, has_main, launch_title, progress_text, reads_arguments, remarks, summary
from app.core.session.session import Session, profile_named
from app.core.stage.playground import Playground
from kernels.base.messages import message
from kernels.simt.base.launch import Keep, LaunchRequest
from kernels.simt.base.types import Location
from kernels.simt.host.process import Programs, Spare, Tell
from kernels.simt.host.result import HostFinding, Launched, NotRun, ProgramJob, ProgramOutcome, ProgramRun, Progress, Wrong

TEXT = "__global__ void k(float* p) { p[threadIdx.x] = 1; }\nint main() { k<<<2, 32>>>(0); }\n"
HERE = Location(2, 14)
REQUEST = LaunchRequest((2, 1, 1), (32, 1, 1))
SHOWN = Launched("k", HERE, (2, 1, 1), (32, 1, 1), 0, 0, request=REQUEST)
REFUSED = Launched("k", HERE, (1, 1, 1), (64, 64, 1), 0, 0, error="cudaErrorInvalidConfiguration", refused=message("too many threads"))


class Room:
    """An open text, and runs of it that end when the test says so."""

    def __init__(self, tmp_path: Path, text: str = TEXT) -> None:
        self.asked: list[ProgramJob] = []
        self.progress: Progress | None = None
        self.told, self.may_end = threading.Event(), threading.Event()
        self.outcome: ProgramOutcome = ProgramRun("", 0, launches=(REFUSED, SHOWN))
        self.tasks = BackgroundTasks()
        self.session = Session("gpu.tiled")
        self.path = tmp_path / "own.cu"
        self.path.write_text(text, encoding="utf-8")
        self.program = HostProgram(self.session.draft_editor, self.session.profile, self.tasks, self._run)
        self.playground = Playground(self.session.draft_editor, self.program)
        assert self.session.draft_editor.open_file(self.path) is None

    def _run(self, _programs: Programs, job: ProgramJob, tell: Tell) -> ProgramOutcome:
        self.asked.append(job)
        if self.progress is not None:
            tell(self.progress)
            self.told.set()
            self.may_end.wait(5)
        return self.outcome

    def settle(self) -> None:
        """Ask, and take over what has been answered."""
        self.program.tick()
        end = time.monotonic() + 5
        while self.program.running.value and time.monotonic() < end:
            self.tasks.tick()
        assert not self.program.running.value


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int main() {}", True),
        ("int main (int argc, char** argv)\n{}", True),
        ("// main() is elsewhere\n__global__ void k() {}", False),
        ('/* int main() */ const char* s = "main()";', False),
        ("void domain(int);", False),
    ],
)
def test_a_program_is_a_text_that_defines_main(text: str, *, expected: bool) -> None:
    assert has_main(text) is expected


def test_only_a_main_that_takes_words_has_a_field_for_them() -> None:
    assert reads_arguments("int main(int argc, char** argv) {}")
    assert not reads_arguments("int main() { argc(); }")


def test_it_is_run_once_for_each_text_and_for_each_choice_of_words(room: Room) -> None:
    room.settle()
    room.program.tick()
    assert [job.text for job in room.asked] == [TEXT]
    room.program.arguments.value = "32 'two words'"
    room.settle()
    assert room.asked[-1].arguments == ("32", "two words")
    room.session.draft_editor.change_text(TEXT + "// more\n")
    room.settle()
    assert len(room.asked) == 3


def test_it_is_told_of_the_chosen_gpu_and_run_again_on_another_one(room: Room) -> None:
    room.settle()
    chosen = room.session.profile.value
    assert (room.asked[-1].device.name, room.asked[-1].device.multiprocessors) == (f"NVIDIA {chosen.name}", chosen.sms)
    room.session.profile.value = profile_named("t4")
    room.settle()
    assert (len(room.asked), room.asked[-1].device.capability) == (2, (7, 5))


def test_the_stage_waits_for_what_main_launches_and_then_shows_it_with_its_data(room: Room) -> None:
    draft = room.session.draft_editor.shown
    assert draft is not None
    assert room.playground.waits(draft)
    room.settle()
    assert not room.playground.waits(draft)
    subject = room.playground.subject(draft, room.session.profile.value)
    assert (subject.entry, subject.launch.grid, subject.launch.block) == ("k", (2, 1, 1), (32, 1, 1))
    assert subject.launch.keep is Keep.HISTORY
    assert room.program.chosen is SHOWN


@pytest.mark.parametrize(
    ("blocks", "recorded", "accesses", "whole"),
    [(50_000, 2, 100_000, True), (50_000, 50_000, 0, True), (1_000_000, 2, 2_000_000, False), (1_000_000, 2, 1, False), (9, 0, 0, False)],
)
def test_all_blocks_are_executed_for_the_stage_only_where_that_is_soon_done(
    room: Room, blocks: int, recorded: int, accesses: int, *, whole: bool
) -> None:
    grid = (blocks, 1, 1)
    request = LaunchRequest(grid, (32, 1, 1))
    shown = replace(SHOWN, grid=grid, blocks=blocks, recorded=recorded, accesses=accesses, request=request)
    room.outcome = ProgramRun("", 0, launches=(shown,))
    room.settle()
    draft = room.session.draft_editor.shown
    assert draft is not None
    subject = room.playground.subject(draft, room.session.profile.value)
    assert subject.launch.blocks == (None if whole else (0, blocks - 1))


def test_a_launch_that_did_not_run_is_named_and_nothing_is_guessed_in_its_place(room: Room) -> None:
    room.outcome = ProgramRun("", 0, launches=(REFUSED,))
    room.settle()
    draft = room.session.draft_editor.shown
    assert draft is not None
    assert room.playground.nothing_shown(draft) == message("too many threads")
    assert str(launch_title(0, REFUSED)) == "1: k, grid 1, block 64 × 64, line 2: did not run"


def test_a_program_without_a_launch_says_so(room: Room) -> None:
    room.outcome = ProgramRun("", 3)
    room.settle()
    draft = room.session.draft_editor.shown
    assert draft is not None
    assert "without launching" in str(room.playground.nothing_shown(draft))
    assert str(summary(room.outcome)) == "main: status 3 · findings: 0 · launches: 0"
    assert isinstance(room.outcome, ProgramRun)
    assert str(summary(replace(room.outcome, searching=True))).endswith(" · looking for races…")


def test_findings_stand_at_their_lines(room: Room) -> None:
    finding = HostFinding(Wrong.LEAK, Location(7, 5), message("a is never given to free: 4 bytes."))
    (remark,) = remarks(ProgramRun("", 0, findings=(finding,)))
    assert (remark.line, remark.column, remark.message) == (7, 5, finding.message)


def test_a_program_that_cannot_be_run_leaves_the_launch_to_the_form(room: Room) -> None:
    room.outcome = NotRun(message("no"))
    room.settle()
    draft = room.session.draft_editor.shown
    assert draft is not None
    assert room.playground.nothing_shown(draft) is None
    assert room.program.subject(draft, room.session.profile.value) is None
    assert str(summary(room.outcome)) == "no"


def test_an_answer_to_an_earlier_text_is_dropped(room: Room) -> None:
    room.program.tick()
    room.session.draft_editor.change_text(TEXT + "\n")
    room.settle()
    assert len(room.asked) == 2
    assert room.program.outcome.value is room.outcome


def test_a_text_without_main_is_not_run(tmp_path: Path) -> None:
    room = Room(tmp_path, "__global__ void k() {}\n")
    room.settle()
    assert room.asked == []
    assert room.program.outcome.value is None


def test_how_far_a_launch_is_is_known_while_it_runs_and_no_longer(room: Room) -> None:
    room.progress = Progress("k", HERE, 3, 4096)
    room.program.tick()
    assert room.told.wait(5)
    room.program.tick()
    assert room.program.progress.value == room.progress
    assert str(progress_text(room.progress)) == "k: 3 of 4096 blocks executed…"
    room.may_end.set()
    room.settle()
    room.program.tick()
    assert room.program.progress.value is None


def test_the_title_of_a_launch_says_what_share_of_it_was_recorded() -> None:
    whole = replace(SHOWN, blocks=4096, recorded=4096)
    assert "recorded" not in str(launch_title(0, whole))
    assert str(launch_title(0, replace(whole, recorded=4, compiled=True))).endswith("line 2: 4 of 4096 blocks recorded")


def test_it_is_run_in_a_process_of_its_own(tmp_path: Path) -> None:
    text = "#include <cstdio>\n__global__ void k(int* p) { *p = 7; }\nint main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
    text += 'cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); printf("%d\\n", h); return h; }\n'
    tasks, session = BackgroundTasks(), Session("gpu.tiled")
    path = tmp_path / "own.cu"
    path.write_text(text, encoding="utf-8")
    program = HostProgram(session.draft_editor, session.profile, tasks)
    assert session.draft_editor.open_file(path) is None
    program.tick()
    end = time.monotonic() + 60
    while program.running.value and time.monotonic() < end:
        tasks.tick()
        time.sleep(0.01)
    found = program.outcome.value
    tasks.join(5)
    assert isinstance(found, ProgramRun)
    assert (found.stdout, found.status, len(found.launches)) == ("7\n", 7, 1)


class Counted(Spare):
    """Counts how often a process is made for the next program."""

    made = 0

    def renew(self) -> None:
        self.made += 1


def test_a_process_is_made_for_the_first_program_and_after_each_run(tmp_path: Path) -> None:
    room, spare = Room(tmp_path), Counted()
    room.program = HostProgram(room.session.draft_editor, room.session.profile, room.tasks, room._run, spare)
    room.program.prepare()
    room.tasks.join(5)
    assert spare.made == 1
    room.settle()
    room.tasks.join(5)
    assert spare.made == 2


def test_what_was_not_looked_for_is_said_once() -> None:
    def covered(*compared: bool | None) -> str:
        launches = tuple(Launched("k", HERE, (1, 1, 1), (1, 1, 1), 0, 0, compared=each) for each in compared)
        return str(coverage(ProgramRun("", 0, launches=launches)))

    seen, unseen = True, False
    assert covered(None, None) == covered(seen, None, seen) == "None"
    assert "in 2 of 3 such launches" in covered(seen, None, unseen, seen)


def test_a_program_reads_only_what_was_allowed_to_it_and_is_run_again_then(room: Room) -> None:
    room.settle()
    assert room.asked[-1].readable == frozenset()
    files = room.program.files
    files.allow(room.path, frozenset({"a.txt"}))
    files.allow(room.path, frozenset({"b.txt"}))
    files.allow(room.path.with_name("other.cu"), frozenset({"c.txt"}))
    room.settle()
    assert [each.readable for each in room.asked] == [frozenset(), frozenset({"a.txt", "b.txt"})]
    files.withdraw(room.path)
    room.settle()
    assert room.asked[-1].readable == frozenset()
    assert files.of(None) == frozenset()
