"""Edited texts on the GPU: what the window learns of a run, whatever becomes of the process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from app.core.base.background import BackgroundTasks
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import subject_of_draft
from app.core.programs.frame import LaunchTime
from app.core.programs.host_program import HostProgram
from app.core.programs.page import LaunchTimes
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.labels import detail_of
from app.core.results.quantities import Quantity
from app.core.results.query import select
from app.core.results.relative_times import series_of
from app.core.session.draft import Draft
from app.core.session.session import SIZE_AXIS, Session
from app.core.stage.playground import GpuRuns, endless_wait, job_of, result_of
from app.core.tracing.stage_tracer import StageTracer
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.gpu.text_run import TextRun, Timed, run_apart
from kernels.measure.results import EDITED, Result, Status
from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.base.types import Location
from kernels.simt.frontend.parse import parse
from kernels.simt.host.result import Launched, ProgramRun
from tests.devices import gpu_answers
from tests.launches.launch_records import record_of

READY = DeviceStatus(Device.GPU, Availability.READY, "Toy GPU")
ABSENT = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", message("No NVIDIA GPU found."))
FOUND = Timed((0.5, 0.25, 0.75), {"gpu": "Toy GPU"}, 0.0, 1e-6)


def session() -> Session:
    made = Session("gpu.tiled")
    assert made.set_stage_problem(Problem.square(Operation.MATMUL, 128)) is None
    assert made.draft_editor.edit_copy() is None
    made.draft_editor.found(tuple(parse(made.stage.value.variant.source_text).kernels))
    return made


def draft_of(made: Session) -> Draft:
    draft = made.draft.value
    assert draft is not None
    return draft


def job(draft: Draft, made: Session) -> TextRun:
    found = job_of(draft, subject_of_draft(draft, made.profile.value))
    assert found is not None
    return found


def test_the_job_is_the_launch_of_the_stage_and_verified_where_it_is_the_variants() -> None:
    made = session()
    own = job(draft_of(made), made)
    assert (own.entry, own.launch.grid, own.launch.block, own.defines) == ("matmul_tiled", (8, 8, 1), (16, 16, 1), {"TILE": 16})
    assert own.point is not None
    assert own.point.problem == Problem(Operation.MATMUL, 128, 128, 128)
    assert own.texts == {"A": "16384:random", "B": "16384:random", "C": "16384", "M": "128", "N": "128", "K": "128"}
    assert made.draft_editor.set_argument("K", "64") is None
    assert job(draft_of(made), made).point is None


def test_a_process_that_dies_is_told_and_the_next_one_answers() -> None:
    made = session()
    asked = job(draft_of(made), made)
    died = run_apart(asked, lambda: False, gpu_answers.dies)
    assert isinstance(died, Message)
    assert "ended unexpectedly" in str(died)
    found = run_apart(asked, lambda: False, gpu_answers.timed)
    assert isinstance(found, Timed)
    assert found.conditions["text length"] == len(asked.text)


def test_a_run_without_end_is_stopped_by_the_clock_and_by_the_user() -> None:
    made = session()
    asked = job(draft_of(made), made)
    assert "longer than 0.3" in str(run_apart(asked, lambda: False, gpu_answers.never_ends, seconds=0.3))
    assert str(run_apart(asked, lambda: True, gpu_answers.never_ends)) == "The run was stopped."


@pytest.mark.parametrize(
    ("status", "found", "said", "added"),
    [
        (READY, FOUND, "0.5 ms on Toy GPU, the median of 3 samples. The result is right.", 1),
        (READY, replace(FOUND, relative_error=None), "0.5 ms on Toy GPU, the median of 3 samples.", 1),
        (READY, replace(FOUND, times_ms=(), reason=message("Wrong result.")), "Wrong result.", 1),
        (READY, message("An illegal address."), "An illegal address.", 0),
        (ABSENT, FOUND, "No NVIDIA GPU found.", 0),
    ],
)
def test_what_came_of_a_run_is_said_and_goes_to_the_curves(status: DeviceStatus, found: Timed | Message, said: str, added: int) -> None:
    made, background_tasks, results = session(), BackgroundTasks(), list[Result]()
    runs = GpuRuns(made, background_tasks, lambda: status, results.append, lambda _job: found)
    runs.start()
    end = time.monotonic() + 5
    while status.ready and "Running" in str(runs.said.value) and time.monotonic() < end:
        background_tasks.tick()
    assert str(runs.said.value) == said
    assert len(results) == added


def test_the_launches_of_a_program_are_timed_as_they_were_made_one_of_each_kind(tmp_path: Path) -> None:
    made, background_tasks = Session("gpu.tiled"), BackgroundTasks()
    path = tmp_path / "own.cu"
    path.write_text("__global__ void k(float* a) { a[0] = 1; }\nint main() { }\n", encoding="utf-8")
    assert made.draft_editor.open_file(path) is None
    request = LaunchRequest((2, 1, 1), (32, 1, 1), {"a": np.ones(64, np.float32)})
    ran = Launched("k", Location(2, 14), request.grid, request.block, 0, 0, request=request)
    refused = replace(ran, request=None, refused=message("too many threads"))
    outcome = ProgramRun("", 0, launches=(refused, ran, ran))
    program = HostProgram(made.draft_editor, made.profile, background_tasks, lambda _programs, _job, _tell: outcome)
    times = LaunchTimes(made, program, cast("StageTracer", None))
    asked: list[TextRun] = []

    def run(job: TextRun) -> Timed:
        asked.append(job)
        return FOUND

    runs = GpuRuns(made, background_tasks, lambda: READY, lambda _result: None, run, launch_times=times)
    runs.start()
    assert "no launch that ran" in str(runs.said.value)
    program.tick()
    settle(background_tasks, lambda: not program.running.value)
    runs.start()
    settle(background_tasks, lambda: bool(times.times.value))
    assert [(job.entry, job.launch.arguments is request.arguments) for job in asked] == [("k", True)]
    assert times.times.value == {1: LaunchTime(None, 0.5, 3, "Toy GPU"), 2: LaunchTime(None, 0.5, 3, "Toy GPU")}
    assert str(runs.said.value) == "Launches timed on Toy GPU: 1."


def settle(background_tasks: BackgroundTasks, done: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not done() and time.monotonic() < end:
        background_tasks.tick()
    assert done()


def test_an_edited_copy_has_a_line_of_its_own_beside_the_variants() -> None:
    made = session()
    draft = draft_of(made)
    edited = result_of(draft, FOUND)
    assert edited is not None
    assert edited.status is Status.MEASURED
    assert edited.conditions["text"] == "copy of gpu.tiled"
    plain = replace(edited, point=Case("gpu.tiled", edited.point.problem, {"tile": 16}), times_ms=(1.0, 1.0))
    made.tick(edited.point.variant, ticked=True)
    results = Results({Provenance.MEASURED: (plain, edited)})
    chosen = replace(made.timing.value, parameters={**made.timing.value.parameters, "gpu.tiled": {"tile": 16}})
    lines = series_of(select(results, chosen, SIZE_AXIS, frozenset(Provenance)), SIZE_AXIS, Quantity.TIME, results)
    assert [(dict(line.key.parameters).get(EDITED), line.points[0].value) for line in lines] == [(None, 1.0), (1, 0.5)]
    assert str(detail_of(lines[1].key)) == "edited copy, tile 16"
    over_tiles = series_of(select(results, chosen, "tile", frozenset(Provenance)), "tile", Quantity.TIME, results)
    assert len(over_tiles) == 2


def test_another_launch_than_the_variants_is_timed_but_has_no_place_on_its_curves() -> None:
    made = session()
    assert made.draft_editor.set_block("8, 8") is None
    assert result_of(draft_of(made), FOUND) is None


def test_a_launch_that_waits_for_ever_is_not_run_and_the_line_is_said() -> None:
    text = "__global__ void wait(volatile int* flag)\n{\n    while (flag[0] == 0) {}\n}\n"
    made, background_tasks, asked = Session("gpu.tiled"), BackgroundTasks(), list[TextRun]()
    assert made.draft_editor.edit_copy() is None
    made.draft_editor.change_text(text)
    draft = draft_of(made)
    index = record_of(text, 32, {"flag": Filled(1, Fill.ZEROS)})
    subject = replace(index.subject, name=draft.name, variant_id=draft.variant_id)
    shown = LaunchIndex(subject, index.record)

    def run(job: TextRun) -> Timed:
        asked.append(job)
        return FOUND

    runs = GpuRuns(made, background_tasks, lambda: READY, lambda _result: None, run, shown=lambda: shown)
    runs.start()
    assert "Not run on the GPU, where it would never end. Line 3: " in str(runs.said.value)
    assert asked == []
    made.draft_editor.change_text(text.replace("== 0", "== 1"))
    assert endless_wait(shown, draft_of(made)) is None
