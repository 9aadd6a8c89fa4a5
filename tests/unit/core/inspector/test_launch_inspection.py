"""What the inspector says of a launch: occupancy, roofline, findings, what the compiler made of it, what other stops cost and took."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import pytest

from app.core.base.background import BackgroundTasks
from app.core.execution.questions import LaunchCost
from app.core.gpu_view.frame import frame_at
from app.core.inspector.compiler_notes import compiler_notes
from app.core.inspector.finding_rows import WARNING, checked_text, finding_rows, next_finding
from app.core.inspector.occupancy_sentences import RegisterSource, occupancy_card, own_profile
from app.core.inspector.roofline import attainable, roofline
from app.core.inspector.setting_bars import stop_times
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session, profile_named
from app.core.stage.compiled import REST_S, Compiled
from app.core.stage.model import StageModel
from app.core.stage.studies import REST_S as QUESTION_REST_S
from app.core.stage.studies import StopCosts
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.analysis.device_profiles import profiles
from kernels.analysis.occupancy import ASSUMED_REGISTERS
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue import catalogue
from kernels.compiled.kernel import CompiledKernel
from kernels.compiled.listing import Instruction, Usage
from kernels.nvrtc.tools import find_tools
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import launch_of, record_of
from tests.measured.timing_results import measured
from tests.witnesses.bulk_record import BLOCKS, BYTES
from tests.witnesses.bulk_record import text as bulk_text

H200 = profile_named("h200")
RACE = """__global__ void race(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def test_the_card_says_what_limits_and_what_would() -> None:
    index = launch_of("gpu.tiled", 64)
    card = occupancy_card(index, profile_named("rtx-4070"), 32)
    assert (card.percent, card.slots, card.blocks, card.warps) == (100, 48, 6, 8)
    assert [str(each) for each in card.sentences] == ["6 blocks of 8 warps on each SM.", "Limit: 48 warps an SM."]
    assert "Registers would allow 8 blocks." in map(str, card.others)
    assert "Shared memory would allow 33 blocks." in map(str, card.others)


def test_too_many_registers_are_refused_with_the_reason() -> None:
    card = occupancy_card(launch_of("gpu.tiled", 64, tile=32), H200, 128)
    assert card.percent == card.blocks == 0
    assert [str(each) for each in card.sentences] == [
        "1024 threads with 128 registers each need more than the 65536 registers that a block can have."
    ]


def test_a_launch_stands_below_the_roof_of_its_device() -> None:
    place = roofline(launch_of("gpu.tiled", 64), H200)
    assert place.memory_limits
    assert (
        str(place.words)
        == "Of memory and arithmetic, memory limits: 3.56 FLOP per byte as written; this GPU needs 14 to be limited by arithmetic."
    )
    assert place.attainable == pytest.approx(3.5556 * 4800, rel=1e-3)
    assert attainable(H200, 1e6) == H200.fp32_gflops
    assert attainable(H200, H200.ridge) == pytest.approx(H200.fp32_gflops)


def test_what_computes_nothing_has_no_intensity() -> None:
    place = roofline(launch_of("gpu.transpose-shared", 32), H200)
    assert place.intensity is None
    assert not place.memory_limits


def test_a_race_is_listed_with_both_lanes_and_lines_at_the_step_where_it_shows() -> None:
    index = record_of(RACE, 64, {"out": Filled(64)})
    rows = finding_rows(index)
    race = next(row for row in rows if str(row.kind) == "Data race")
    assert race.step is not None
    assert frame_at(index, race.step, 0.0).line == 4
    assert "warp" in str(race.places)
    assert "line 3" in str(race.places)
    assert "line 4" in str(race.places)
    assert next_finding(rows, -1) == race.step
    assert next_finding(rows, race.step) == race.step  # round to the first


def test_findings_stand_in_the_order_of_their_steps() -> None:
    text = "__global__ void k(float *a) {\n    float x = a[threadIdx.x];\n    a[threadIdx.x + 8] = x;\n}\n"
    index = record_of(text, 32, {"a": Filled(32)})
    steps = [row.step for row in finding_rows(index) if row.step is not None]
    assert set(steps) == {0, 1}
    assert steps == sorted(steps)
    assert next_finding(finding_rows(index), 0) == 1


def test_an_assertion_that_fails_is_listed() -> None:
    text = "__global__ void k(int* a) {\n    assert(threadIdx.x < 32);\n    a[threadIdx.x] = 1;\n}\n"
    (row,) = finding_rows(record_of(text, 33, {"a": Filled(33)}))
    assert (str(row.kind), row.line) == ("Ends the launch", 2)


def test_without_findings_what_was_checked_is_said() -> None:
    index = launch_of("gpu.tiled", 64)
    assert finding_rows(index) == ()
    assert next_finding((), 0) is None
    assert str(checked_text(index)).startswith("16 of 16 blocks checked for data races")


def test_the_compilers_warnings_come_last() -> None:
    index = record_of("__global__ void k(float *a) {\n    float x;\n    a[threadIdx.x] = x;\n}\n", 32, {"a": Filled(32)})
    assert index.record.diagnostics
    assert finding_rows(index)[-1].kind == WARNING


def compiled(*instructions: tuple[int, str], registers: int = 40) -> CompiledKernel:
    made = tuple(Instruction(16 * place, line, "", opcode, "") for place, (line, opcode) in enumerate(instructions))
    return CompiledKernel(90, (13, 0), Usage(registers, 0, 0, 0, 0), made)


def test_reads_that_the_compiler_joins_are_told() -> None:
    text = "__global__ void k(float *a, float *b) {\n    b[threadIdx.x] = a[threadIdx.x];\n}\n"
    index = record_of(text, 32, {"a": Filled(32), "b": Filled(32)})
    same = compiled((2, "LDG.E"), (2, "STG.E"))
    assert compiler_notes(index, same) == ()
    joined = compiler_notes(index, compiled((2, "LDG.E.128"), (2, "STG.E")))
    assert [str(each.sentence) for each in joined] == ["The compiler joins accesses to a[threadIdx.x] on line 2: 1 of 16 bytes each."]
    gone = compiler_notes(index, compiled((2, "STG.E")))
    assert [str(each.sentence) for each in gone] == ["The compiler has removed the reads of a[threadIdx.x] on line 2."]


BRANCHES = """__global__ void k(float *out, int n) {
    __shared__ float a[64];
    if (threadIdx.x < n)
        a[threadIdx.x] = out[threadIdx.x];
    else
        a[threadIdx.x] = 0.0f;
    out[threadIdx.x] = a[threadIdx.x ^ 1];
}
"""


@pytest.mark.parametrize(
    ("line", "written"), [pytest.param(4, 1, id="in one of the branches"), pytest.param(3, 0, id="at their condition")]
)
def test_writes_of_branches_that_were_merged_are_not_said_to_be_removed(line: int, written: int) -> None:
    """The machine code names one line for both, as its line table does for an if and its else."""
    index = record_of(BRANCHES, 32, {"out": Filled(32), "n": 16})
    around = ((4, "LDG.E"), (7, "LDS"), (7, "STG.E"))
    told = {note.line: str(note.sentence) for note in compiler_notes(index, compiled((line, "STS"), (line, "STS"), *around))}
    assert told[6] == (
        f"The machine code has no writes of a[threadIdx.x] on line 6. On line {line} it has 2, the text {written}:"
        " the compiler can have merged them there."
    )
    assert not any("removed" in sentence for sentence in told.values())
    assert compiler_notes(index, compiled((0, "STS"), *around)) == ()  # on no line: nothing is known of it
    gone = compiler_notes(index, compiled((4, "STS"), *around))
    assert [str(note.sentence) for note in gone] == ["The compiler has removed the writes of a[threadIdx.x] on line 6."]


def test_copies_in_bulk_and_barriers_are_not_said_to_be_removed() -> None:
    """The machine code has instructions of their own for them, which are no loads and stores."""
    index = record_of(bulk_text("load"), 32, {"out": Filled(BYTES * BLOCKS), "in": Filled(BYTES, Fill.ARANGE)}, BLOCKS)
    (stored,) = {site.location.line for site in index.trace.sites if not site.function}
    assert compiler_notes(index, compiled((stored, "STS"))) == ()


class Following:
    """A stage with a compiler whose answer the test gives, and a clock."""

    def __init__(self, answer: CompiledKernel | Message) -> None:
        self.now, self.asked = 0.0, 0
        self.stage, self.background_tasks = StageModel(), BackgroundTasks()
        self.stage.profile.value = H200
        self.answer = answer
        self.compiled = Compiled(self.stage, self.background_tasks, self._compile, lambda: self.now)

    def _compile(self, _job: object) -> CompiledKernel | Message:
        self.asked += 1
        return self.answer

    def rest(self) -> None:
        """Time passes, and the task is done."""
        self.now += 2 * REST_S
        self.compiled.tick()
        end = time.monotonic() + 10
        while self.compiled.answer.value is None and time.monotonic() < end:
            self.background_tasks.tick()
            time.sleep(0.002)
        self.background_tasks.join(5)


@pytest.mark.skipif(isinstance(find_tools(), Message), reason="the compiler's tools are not installed")
def test_registers_come_from_the_compiler_unless_the_user_says_otherwise() -> None:
    following = Following(compiled(registers=72))
    following.stage.shown.value = launch_of("gpu.tiled", 64)
    assert (following.stage.registers.value, following.compiled.source.value) == (ASSUMED_REGISTERS, RegisterSource.ASSUMED)
    following.compiled.tick()
    assert following.asked == 0  # a launch that is dragged past is not compiled
    following.rest()
    assert (following.stage.registers.value, following.compiled.source.value) == (72, RegisterSource.COMPILER)
    following.compiled.choose_registers(100)
    assert (following.stage.registers.value, following.compiled.source.value) == (100, RegisterSource.USER)
    following.stage.shown.value = launch_of("gpu.naive", 16)
    assert following.compiled.source.value is RegisterSource.ASSUMED
    following.stage.shown.value = launch_of("gpu.tiled", 64)
    assert following.stage.registers.value == 100


def test_a_compiler_that_says_no_leaves_the_assumption() -> None:
    following = Following(message("no"))
    following.stage.shown.value = launch_of("gpu.tiled", 64)
    following.rest()
    assert following.stage.registers.value == ASSUMED_REGISTERS
    assert following.compiled.source.value is RegisterSource.ASSUMED


class Questioned:
    """A tracer that has time and remembers what it was asked."""

    idle = free = True

    def __init__(self) -> None:
        self.asked: list[tuple[int, Callable[[Outcome], None]]] = []

    def ask(self, question: object, answered: Callable[[Outcome], None]) -> None:
        self.asked.append((question.subject.launch.block[0], answered))  # type: ignore[attr-defined]


def test_every_legal_stop_is_asked_for_once_the_shown_one_first() -> None:
    now = [0.0]
    session, tracer = Session("gpu.tiled"), Questioned()
    costs = StopCosts(session, cast(StageTracer, tracer), lambda: now[0])
    costs.tick()
    assert not tracer.asked
    for number in range(1, 7):
        now[0] = 2 * QUESTION_REST_S * number
        costs.tick()
        if len(tracer.asked) == number:
            tracer.asked[-1][1](LaunchCost(float(number)))
    assert tracer.asked[0][0] == 16
    assert sorted(stop for stop, _ in tracer.asked) == [4, 8, 16, 32]
    assert set(costs.costs.value) == {4, 8, 16, 32}
    session.set_stage_parameter("tile", 8)
    assert set(costs.costs.value) == {4, 8, 16, 32}  # known already
    session.set_stage_problem(Problem.square(Operation.MATMUL, 128))
    assert costs.costs.value == {}


def test_times_are_of_the_shown_parameters_at_the_size_with_most_stops() -> None:
    results = [measured("gpu.naive", 2048, float(tile), tile=tile, rows=0) for tile in (8, 16, 32)]
    results += [measured("gpu.naive", 4096, 9.0, tile=16, rows=0), measured("gpu.naive", 2048, 1.0, tile=32, rows=4)]
    session = Session("gpu.naive")
    found = stop_times(Results({Provenance.RECORDED: tuple(results)}), session.stage.value, "tile")
    assert found is not None
    assert (found.n, dict(found.milliseconds), found.provenance) == (2048, {8: 8.0, 16: 16.0, 32: 32.0}, Provenance.RECORDED)
    assert str(found.title).startswith("Kernel time in ms, n = 2048, recorded on "), "what is cut in a narrow panel is the machine"
    here = measured("gpu.naive", 512, 1.0, tile=16, rows=0)
    both = stop_times(Results({Provenance.RECORDED: tuple(results), Provenance.MEASURED: (here,)}), session.stage.value, "tile")
    assert both is not None
    assert both.provenance is Provenance.MEASURED
    assert stop_times(Results(), session.stage.value, "tile") is None


@pytest.mark.parametrize(
    ("name", "sms", "found"),
    [
        ("NVIDIA H200", 132, "h200"),
        ("NVIDIA H100 80GB HBM3", 132, "h100"),
        ("NVIDIA H100 PCIe", 114, None),
        ("NVIDIA GeForce RTX 4070 Ti", 60, None),
        ("Tesla T4", 40, "t4"),
        ("", 0, None),
    ],
)
def test_the_machines_own_gpu_is_known_by_its_model_and_its_multiprocessors(name: str, sms: int, found: str | None) -> None:
    status = DeviceStatus(Device.GPU, Availability.READY, name, details={"multiprocessors": sms})
    own = own_profile({Device.GPU: status}, profiles())
    assert (own.id if own else None) == found


def test_every_variant_of_the_catalogue_has_a_card() -> None:
    for variant in catalogue.VARIANTS:
        if variant.interpreted and variant.operation is not Operation.HELLO and "registers" not in variant.features:
            assert occupancy_card(launch_of(variant.id, 32), H200, 32).percent > 0
