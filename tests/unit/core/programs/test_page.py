"""The page of a program: the frame of an event as a function of the run, and the place that is kept when the text is edited."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.predictions.launch_time import LaunchWork, LaunchWorkQuestion, time_on, work_of
from app.core.programs.frame import AllocationState, LaunchTime, ProgramFrame, Side, frame_of
from app.core.programs.host_program import HostProgram, Run, races_coverage
from app.core.programs.page import ProgramPage, event_of, same_event
from app.core.programs.sentences import as_table, box_fact, box_title, cell_word, clock_sentence, finding_text, place, sentence
from app.core.session.session import Session
from kernels.analysis.analytical_time import Chain
from kernels.analysis.device_profiles import profiles
from kernels.analysis.workload import Workload
from kernels.base.messages import Message, message
from kernels.simt.base.launch import Argument, LaunchRequest
from kernels.simt.base.types import Location
from kernels.simt.host.process import Programs, Tell
from kernels.simt.host.result import (
    Allocated,
    Container,
    Copied,
    Event,
    EventKind,
    HostFinding,
    Launched,
    NotRun,
    ProgramJob,
    ProgramOutcome,
    ProgramRun,
    Wrong,
)
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import LaunchSpec
from kernels.simt.trace.trace import Finding

GRID = (2, 1, 1), (32, 1, 1)


def at(line: int) -> Location:
    return Location(line, 5)


ALLOCATIONS = (
    Allocated("host", "h", "malloc", 256, at(3), at(12)),
    Allocated("device", "d", "cudaMalloc", 256, at(4), None),
    Allocated("device", "e", "cudaMalloc", 4096, at(5), at(11)),
)
COPIES = (
    Copied("cudaMemcpy", "HostToDevice", 256, at(6), 0, 1, ("h", "d")),
    Copied("cudaMemcpy", "DeviceToHost", 128, at(9), 1, 0, ("d", "h")),
    Copied("cudaMemcpyFromSymbol", "DeviceToHost", 4, at(10), None, None, ("count", "")),
)
LAUNCHES = (
    Launched("k", at(7), *GRID, 0, 0, request=LaunchRequest(*GRID), blocks=2, recorded=2, given=(1,)),
    Launched("k", at(8), (1, 1, 1), (64, 64, 1), 0, 0, error="cudaErrorInvalidConfiguration", refused=message("too many threads")),
)
LEAK = HostFinding(Wrong.LEAK, at(4), message("d is never given to cudaFree: 256 bytes."))
REFUSED = HostFinding(Wrong.LAUNCH, at(8), message("k does not run"), launch=1, count=3)
STEPS: tuple[tuple[EventKind, int, float, int, int], ...] = (
    (EventKind.ALLOCATE, 3, 0.0, 0, 0), (EventKind.ALLOCATE, 4, 0.0, 1, 0), (EventKind.ALLOCATE, 5, 0.0, 2, 0),
    (EventKind.COPY, 6, 0.01, 0, 0),
    (EventKind.LAUNCH, 7, 0.005, 0, 0), (EventKind.LAUNCH, 8, 0.0, 1, 0), (EventKind.COPY, 9, 0.01, 1, 0), (EventKind.COPY, 10, 0.01, 2, 0),
    (EventKind.FREE, 11, 0.0, 2, 0), (EventKind.PRINT, 10, 0.0, 0, 5), (EventKind.FREE, 12, 0.0, 0, 5), (EventKind.END, 12, 0.0, 0, 5),
)  # fmt: skip


def run_of(steps: tuple[tuple[EventKind, int, float, int, int], ...] = STEPS) -> ProgramRun:
    clock, events = 0.0, []
    for kind, line, lasts, number, output in steps:
        events.append(Event(kind, at(line), clock, clock + lasts, number, output))
        clock += lasts
    return ProgramRun("done\n", 0, ALLOCATIONS, COPIES, LAUNCHES, (LEAK, REFUSED), events=tuple(events))


RUN = run_of()


def box(frame: ProgramFrame, name: str) -> AllocationState:
    return next(each.state for each in frame.boxes if each.name == name)


def test_boxes_say_what_is_ahead_live_freed_and_leaked() -> None:
    assert [box(frame_of(RUN, {}, 1), name) for name in "hde"] == [AllocationState.LIVE, AllocationState.LIVE, AllocationState.AHEAD]
    assert [box(frame_of(RUN, {}, 8), name) for name in "hde"] == [AllocationState.LIVE, AllocationState.LIVE, AllocationState.FREED]
    assert [box(frame_of(RUN, {}, 11), name) for name in "hde"] == [AllocationState.FREED, AllocationState.LEAKED, AllocationState.FREED]


def test_the_memory_of_a_container_has_a_size_and_counts_as_the_hosts() -> None:
    copies = (replace(COPIES[0], source=None, names=("v", "d"), containers=(0, None)), *COPIES[1:])
    events = tuple(replace(each, containers=1024 if 3 <= number < 8 else 0) for number, each in enumerate(RUN.events))
    run = replace(RUN, copies=copies, events=events, containers=(Container(1024, 3, 8),))
    frames = [frame_of(run, {}, number) for number in (2, 3, 7, 8)]
    assert [frame.held(Side.HOST) for frame in frames] == [256, 1280, 1280, 256]
    assert [frame.held(Side.DEVICE) for frame in frames] == [4352, 4352, 4352, 256]
    states = [AllocationState.AHEAD, AllocationState.LIVE, AllocationState.LIVE, AllocationState.FREED]
    assert [box(frame, "v") for frame in frames] == states
    found = [next(each for each in frame.boxes if each.name == "v") for frame in frames]
    assert {each.bytes for each in found} == {1024}
    assert [str(box_fact(each)) for each in found] == ["container, not yet", "container", "container", "container, freed"]


def test_a_fill_is_not_called_a_copy() -> None:
    run = replace(RUN, copies=(replace(COPIES[0], function="cudaMemset", direction="Set"), *COPIES[1:]))
    cells = [cell for cell in frame_of(run, {}, 3).cells if cell.kind is EventKind.COPY]
    assert [str(cell_word(cell)) for cell in cells] == ["fill", "copy", "copy"]


def test_what_is_copied_between_the_sides_stands_face_to_face() -> None:
    rows = {(each.side, each.name): each.row for each in frame_of(RUN, {}, 0).boxes}
    assert rows[Side.HOST, "h"] == rows[Side.DEVICE, "d"]
    assert rows[Side.DEVICE, "count"] == rows[Side.HOST, ""]
    assert len({(side, row) for (side, _), row in rows.items()}) == len(rows)


def test_arrows_are_of_the_copies_so_far_and_the_selected_one_stands_out() -> None:
    assert frame_of(RUN, {}, 2).arrows == ()
    (first,) = frame_of(RUN, {}, 3).arrows
    boxes = frame_of(RUN, {}, 3).boxes
    assert (boxes[first.source].name, boxes[first.target].name, first.bytes, first.now) == ("h", "d", 256, True)
    assert [(arrow.bytes, arrow.now) for arrow in frame_of(RUN, {}, 6).arrows] == [(256, False), (128, True)]


def test_the_clock_goes_on_by_the_predicted_times() -> None:
    counted, predicted = frame_of(RUN, {}, 4), frame_of(RUN, {0: LaunchTime(1.0)}, 4)
    assert counted.length == pytest.approx(0.035)
    assert predicted.length == pytest.approx(1.03)
    assert [bar.time is not None for bar in predicted.bars] == [False, True, False, False, False]
    assert predicted.clock == pytest.approx((0.01, 1.01))
    assert [bar.refused for bar in predicted.bars] == [False, False, True, False, False]


def test_bars_of_children_stand_below_their_parents_which_last_as_long() -> None:
    def made(number: int, parent: int | None, stream: int = 0) -> Launched:
        by = None if parent is None else ((0, 0, 0), (number, 0, 0))
        return Launched(f"k{number}", at(number), *GRID, 0, stream, parent=parent, by=by)

    launches = made(0, None), made(1, 0), made(2, 1), made(3, 0, 3), made(4, 3, 3), made(5, None)
    run = replace(run_of(tuple((EventKind.LAUNCH, number, 1.0, number, 0) for number in range(6))), launches=launches, findings=())
    frame = frame_of(run, {}, 3)
    assert [bar.depth for bar in frame.bars] == [0, 1, 2, 1, 1, 0]
    assert [(bar.began, bar.done, bar.ended) for bar in frame.bars] == [
        (0, 1, 5), (1, 2, 3), (2, 3, 3), (3, 4, 4), (4, 5, 5), (5, 6, 6),
    ]  # fmt: skip
    assert [cell.child for cell in frame.cells] == [False, True, True, True, True, False]
    assert str(sentence(frame)) == "k3 runs, launched by thread 3 of block 0 of launch 1: grid 2, block 32."


def test_a_hundred_thousand_allocations_have_each_their_row() -> None:
    """Each was looked for from the first row on: the page of a program with a long linked list came to no end."""
    many = tuple(Allocated(("device", "host")[number % 2], "node", "new", 16, Location(3, 5), None) for number in range(100_000))
    rows = [
        (each.side, each.row)
        for each in frame_of(replace(RUN, allocations=many, copies=(), launches=(), events=RUN.events[-1:]), {}, 0).boxes
    ]
    assert sorted(rows) == [(side, row) for side in sorted(Side) for row in range(50_000)]


def test_a_launch_names_the_boxes_that_it_was_given_and_findings_mark_their_lines() -> None:
    frame = frame_of(RUN, {}, 4)
    assert [each.name for each in frame.boxes if each.used] == ["d"]
    assert [cell.event for cell in frame.cells if cell.wrong] == [1, 5]


def test_words_say_what_happens_with_numbers() -> None:
    said = [str(sentence(frame_of(RUN, {}, number))) for number in range(len(RUN.events))]
    assert said[0] == "malloc makes h: 256 B of host memory."
    assert said[3] == "256 B go from h (host) to d (device)."
    assert said[4] == "k runs: grid 2, block 32."
    assert said[5] == "k does not run: too many threads"
    assert said[7] == "4 B go from count (device) to a variable (host)."
    assert said[8] == "e is freed: 4 KiB of device memory."
    assert said[11] == "The program ends with status 0."
    assert str(place(frame_of(RUN, {}, 4))) == "Event 5 of 12 · line 7"
    assert str(place(frame_of(replace(RUN, events_left_out=3), {}, 4))) == "Event 5 of 12 · line 7 · 3 further events were not kept"
    assert str(clock_sentence(frame_of(RUN, {0: LaunchTime(1.5)}, 4), "T4")) == "1.5 ms on T4, predicted by the model as written."
    measured = frame_of(RUN, {0: LaunchTime(1.5, 0.25, 9, "H200")}, 4)
    assert measured.clock == pytest.approx((0.01, 0.26))
    assert str(clock_sentence(measured, "T4")).startswith("250 µs on H200, the median of 9 samples. 1.5 ms on T4, predicted")
    assert "accesses" in str(clock_sentence(frame_of(RUN, {}, 4), "T4"))
    part = replace(RUN, launches=(replace(LAUNCHES[0], accesses=9, blocks=64, recorded=2), LAUNCHES[1]))
    assert str(clock_sentence(frame_of(part, {0: LaunchTime(1.5)}, 4), "T4")).endswith("as written. 2 of 64 blocks were recorded.")
    end = frame_of(RUN, {}, 11)
    assert [f"{box_title(each)}: {box_fact(each)}" for each in end.boxes][:2] == ["d: line 4, never freed", "h: line 3, freed in line 12"]
    assert str(finding_text(REFUSED)) == "line 8: k does not run (3 times)"


def test_a_launch_with_a_race_is_marked_in_the_lane() -> None:
    """The race's lines are in the kernel: no event stands there."""
    racing = replace(LAUNCHES[0], findings=(Finding(FindingKind.DATA_RACE, at(1), (0, 0, 0), (), message("x"), at(2)),))
    for launched, marked in ((LAUNCHES[0], []), (racing, [4])):
        frame = frame_of(replace(RUN, launches=(launched, LAUNCHES[1]), findings=()), {}, 0)
        assert [cell.event for cell in frame.cells if cell.wrong] == marked


def test_how_far_races_were_looked_for_is_said() -> None:
    ran = replace(LAUNCHES[0], blocks=4)
    for searched_blocks, searching, said in (
        (4, False, "in every launch."),
        (0, True, "are being looked for."),
        (0, False, "in 0 of 1 launches; the others ran without a record."),
        (1, False, "in some blocks of 1 of 1 launches; what ran without a record was not looked at."),
    ):
        run = replace(RUN, launches=(replace(ran, searched=searched_blocks), LAUNCHES[1]), searching=searching)
        assert str(races_coverage(run)).endswith(said)
    both = replace(RUN, launches=(replace(ran, searched=4), replace(ran, searched=1)), searching=False)
    assert "in 1 of 2 launches, and in some blocks of 1 more;" in str(races_coverage(both))
    assert races_coverage(replace(RUN, launches=())) is None


def test_the_table_has_every_event() -> None:
    table = as_table(frame_of(RUN, {}, 0))
    assert len(table.rows) == len(RUN.events)
    assert [str(each) for each in table.rows[3]] == ["4", "6", "256 B go from h (host) to d (device).", "0 µs", "10 µs"]


def test_a_finding_leads_to_its_event() -> None:
    assert event_of(RUN, REFUSED) == 5
    assert event_of(RUN, LEAK) == 1
    assert event_of(RUN, HostFinding(Wrong.LEAK, at(99), message("x"), other=at(9))) == 6
    assert event_of(RUN, HostFinding(Wrong.STOPPED, Location(0, 0), message("x"))) is None


def test_the_place_is_the_so_many_th_event_of_its_kind() -> None:
    before = frame_of(RUN, {}, 6)
    longer = run_of(((EventKind.ALLOCATE, 2, 0.0, 0, 0), *STEPS))
    assert longer.events[same_event(before, longer)].number == 1
    fewer = run_of(tuple(step for step in STEPS if step[0] is not EventKind.COPY))
    assert same_event(before, fewer) == 6
    assert same_event(frame_of(RUN, {}, 11), fewer) == len(fewer.events) - 1


# ------------------------------------------------------------ the model


class _Times:
    def __init__(self) -> None:
        self.times: Field[dict[int, LaunchTime]] = Field({})


class Room:
    """A page over a program that runs when the test says so."""

    def __init__(self, tmp_path: Path, run: Run | None = None) -> None:
        self.outcome: ProgramOutcome = RUN
        self.tasks = BackgroundTasks()
        self.session = Session("gpu.tiled")
        self.path = tmp_path / "own.cu"
        self.path.write_text("int main() { }\n", encoding="utf-8")
        run = run or (lambda _programs, _job, _tell: self.outcome)
        self.program = HostProgram(self.session.draft_editor, self.session.profile, self.tasks, run)
        self.times = _Times()
        self.page = ProgramPage(self.session, self.program, self.times)  # type: ignore[arg-type]

    def settle(self) -> None:
        self.program.tick()
        while self.program.running.value:
            self.tasks.tick()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = Room(tmp_path)
    assert made.session.draft_editor.open_file(made.path) is None
    made.settle()
    return made


def test_it_is_in_front_when_a_program_is_opened_at_its_first_launch(room: Room) -> None:
    frame = room.page.frame.value
    assert room.page.shown.value
    assert frame is not None
    assert frame.selected == 4
    assert room.page.line.value == 7


def test_a_launch_is_opened_on_the_stage_and_one_that_did_not_run_is_not(room: Room) -> None:
    room.page.select(5)
    assert not room.page.open_launch()
    assert room.page.shown.value
    room.page.select(4)
    assert room.page.open_launch()
    assert (room.program.launch.value, room.page.shown.value, room.page.line.value) == (0, False, None)


def test_a_selected_finding_stays_that_while_others_are_found_before_it(room: Room) -> None:
    """Leaks are told last: a race that is found later stands before them."""
    room.outcome = replace(RUN, findings=(LEAK,))
    room.session.draft_editor.change_text("int main() { return 0; }\n")
    room.settle()
    room.page.select_finding(0)
    room.outcome = replace(RUN, findings=(REFUSED, LEAK))
    room.session.draft_editor.change_text("int main() { return 1; }\n")
    room.settle()
    assert room.page.finding.value == 1
    room.outcome = replace(RUN, findings=(REFUSED,))
    room.session.draft_editor.change_text("int main() { return 2; }\n")
    room.settle()
    assert room.page.finding.value == -1


def test_the_same_file_opened_again_keeps_the_launch_that_is_chosen_then(room: Room) -> None:
    assert room.session.draft_editor.open_file(room.path) is None
    room.settle()
    room.program.launch.value = 1
    room.session.draft_editor.change_text(f"{room.path.read_text(encoding='utf-8')}// a sign\n")
    room.settle()
    assert room.program.launch.value == 1


def test_an_edit_keeps_the_event_and_what_does_not_compile_keeps_the_page(room: Room) -> None:
    room.page.select(6)
    room.outcome = NotRun(message("expected ';'"))
    room.session.draft_editor.change_text("int main() { x }\n")
    room.settle()
    assert room.page.frame.value is not None
    assert room.page.frame.value.selected == 6
    room.outcome = run_of(((EventKind.ALLOCATE, 2, 0.0, 0, 0), *STEPS))
    room.session.draft_editor.change_text("int main() { ; }\n")
    room.settle()
    assert room.page.frame.value.selected == 7
    assert room.page.shown.value


def test_events_are_gone_through_and_findings_point_at_their_lines(room: Room) -> None:
    room.page.select(0)
    room.page.move(-1)
    room.page.move(2)
    assert room.page.frame.value is not None
    assert room.page.frame.value.selected == 2
    room.page.select(99)
    assert room.page.frame.value.selected == 11
    room.page.select_finding(1)
    assert (room.page.frame.value.selected, room.page.line.value) == (5, 8)


def test_it_goes_with_the_file_and_follows_the_predicted_times(room: Room) -> None:
    room.times.times.value = {0: LaunchTime(2.0)}
    assert room.page.frame.value is not None
    assert room.page.frame.value.length == pytest.approx(2.03)
    room.session.draft_editor.close()
    room.settle()
    assert (room.page.shown.value, room.page.offered.value) == (False, False)
    assert room.page.frame.value is None


def test_a_run_is_shown_before_its_races_are_known_and_the_place_is_kept(tmp_path: Path) -> None:
    known, race = threading.Event(), HostFinding(Wrong.DATA_RACE, at(1), message("x"), at(2), launch=0)

    def run(_programs: Programs, _job: ProgramJob, tell: Tell) -> ProgramOutcome:
        tell(replace(RUN, searching=True))
        known.wait(30.0)
        return replace(RUN, findings=(*RUN.findings, race))

    room = Room(tmp_path, run)
    assert room.session.draft_editor.open_file(room.path) is None
    while room.page.frame.value is None:
        room.program.tick()
    assert (room.program.running.value, room.page.frame.value.run.searching) == (False, True)
    room.page.select(6)
    known.set()
    while room.page.frame.value.run.searching:
        room.tasks.tick()
    assert room.page.frame.value.selected == 6
    room.page.next_finding()
    room.page.select_finding(len(RUN.findings))
    assert (room.page.frame.value.selected, room.page.line.value) == (4, 1)
    room.page.next_finding()
    assert room.page.line.value == RUN.findings[0].location.line


# ------------------------------------------------------------ times


PROFILES = {profile.id: profile for profile in profiles()}
TEXT = """__global__ void add(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] += a[i]; }
int main() { }
"""


def test_the_time_of_a_strangers_launch_grows_with_its_grid_and_needs_published_latencies() -> None:
    def time(blocks: int, device: str) -> float | Message:
        arrays: dict[str, Argument] = {"a": np.ones(128 * blocks, np.float32), "b": np.ones(128 * blocks, np.float32), "n": 128 * blocks}
        request = LaunchRequest((blocks, 1, 1), (128, 1, 1), arrays)
        work = work_of(LaunchWorkQuestion(LaunchSpec(TEXT, "add", request)))
        assert isinstance(work, LaunchWork)
        assert (work.written.global_load_sectors, work.written.global_store_sectors) == (2 * 16 * blocks, 16 * blocks)
        found = time_on(work, PROFILES[device])
        return found if isinstance(found, Message) else found.milliseconds

    small, large = time(4, "h100"), time(60_000, "h100")
    assert isinstance(small, float)
    assert isinstance(large, float)
    assert 0.001 < small < large / 5
    work = LaunchWork(1, 32, 0, Workload(), Chain(0, 0, 0, 0, 0), 0)
    assert isinstance(time_on(work, replace(PROFILES["h100"], latencies=None)), Message)
