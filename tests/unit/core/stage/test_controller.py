"""What took too long to trace can be tried again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from app.core.base.background import BackgroundTasks
from app.core.gpu_view.index import LaunchIndex
from app.core.programs.host_program import HostProgram
from app.core.session.session import Session
from app.core.stage.controller import RUNNING_NOTICE, StageController
from app.core.stage.model import COMPUTING, StageModel
from app.core.stage.playground import Playground
from app.core.tracing.stage_tracer import StageReply
from kernels.base.messages import message
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Filled, LaunchRequest
from kernels.simt.base.types import Location
from kernels.simt.host.result import Launched, ProgramRun
from kernels.simt.trace.launch_spec import NotTraced
from tests.launches.launch_records import launch_of, record_of

TOO_SLOW = NotTraced(message("Tracing took longer than {seconds} s and was stopped.", seconds=20))


class Tracer:
    """Notes what it is asked; the test answers."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.reply: StageReply | None = None

    def request(self, work: Any, _progress: float) -> None:
        self.asked.append(work)

    def forget(self) -> None:
        pass

    def poll(self) -> StageReply | None:
        found, self.reply = self.reply, None
        return found

    def answer(self, outcome: Any) -> None:
        self.reply = StageReply(self.asked[-1], outcome, final=True)


def test_what_took_too_long_is_asked_for_once_more_and_only_that() -> None:
    session, stage, tracer = Session("gpu.tiled"), StageModel(), Tracer()
    controller = StageController(session, stage, cast("Any", tracer), Playground(session.draft_editor))
    controller.ask()
    stage.try_again()
    assert (len(tracer.asked), stage.failed.value) == (1, False)
    tracer.answer(TOO_SLOW)
    controller.tick()
    assert (stage.failed.value, stage.notice.value) == (True, TOO_SLOW.reason)
    stage.try_again()
    assert (len(tracer.asked), stage.failed.value, stage.busy.value) == (2, False, True)
    stage.try_again()
    assert len(tracer.asked) == 2
    tracer.answer(TOO_SLOW)
    controller.tick()
    assert stage.failed.value


def test_a_library_is_never_tried_again() -> None:
    session, stage, tracer = Session("gpu.cublas"), StageModel(), Tracer()
    StageController(session, stage, cast("Any", tracer), Playground(session.draft_editor)).ask()
    stage.try_again()
    assert (tracer.asked, stage.failed.value, stage.notice.value is not None) == ([], False, True)


def test_beside_the_text_of_a_program_that_runs_stands_no_picture_of_another_kernel(tmp_path: Path) -> None:
    text, file = "__global__ void k(float* p) { *p = 1; }\nint main() { k<<<1, 32>>>(0); }\n", tmp_path / "text.cu"
    file.write_text(text, encoding="utf-8")
    session, stage, tracer = Session("gpu.tiled"), StageModel(), Tracer()
    launched = Launched("k", Location(2, 14), (1, 1, 1), (32, 1, 1), 0, 0, request=LaunchRequest((1, 1, 1), (32, 1, 1), {"p": Filled(1)}))
    tasks = BackgroundTasks()
    program = HostProgram(session.draft_editor, session.profile, tasks, lambda *_: ProgramRun("", 0, launches=(launched,)))
    controller = StageController(session, stage, cast("Any", tracer), Playground(session.draft_editor, program))
    stage.shown.value = launch_of("gpu.tiled", 16, tile=8)

    def seen() -> tuple[object, ...]:
        return stage.shown.value, stage.notice.value, stage.busy.value

    assert session.draft_editor.open_file(file) is None
    assert seen() == (None, RUNNING_NOTICE, True)
    assert not controller.ready
    program.tick()
    while program.running.value:
        tasks.tick()
    assert seen() == (None, None, True)
    assert tracer.asked[-1].entry == "k"
    own = stage.shown.value = record_of(text, 32, {"p": Filled(1)})
    session.draft_editor.change_text(text + "// more\n")
    assert (stage.shown.value, stage.busy.value) == (own, True)


def test_a_picture_of_another_kernel_goes_once_the_next_takes_long() -> None:
    session, stage, tracer = Session("gpu.tiled"), StageModel(), Tracer()
    controller = StageController(session, stage, cast("Any", tracer), Playground(session.draft_editor))
    same = stage.shown.value = launch_of("gpu.tiled", 16, tile=8)

    def seen() -> tuple[object, ...]:
        return stage.shown.value, stage.picture.value, stage.notice.value

    controller.ask()
    stage.late.value = True
    assert stage.shown.value is same
    naive, tiled = catalogue.by_id("gpu.naive"), catalogue.by_id("gpu.tiled")
    session.choose_variant(naive)
    assert seen() == (None, None, COMPUTING)
    other = launch_of("gpu.naive", 16)
    tracer.answer(other.record)
    controller.tick()
    assert (stage.notice.value, stage.kernel) == (None, "gpu.naive")
    stage.late.value = False
    session.choose_variant(tiled)
    assert stage.kernel == "gpu.naive"
    stage.late.value = True
    assert seen() == (None, None, COMPUTING)


def test_who_turns_back_stands_where_he_was() -> None:
    """Also where the picture was gone meanwhile; not once something has moved."""
    session, stage, tracer = Session("gpu.tiled"), StageModel(), Tracer()
    controller = StageController(session, stage, cast("Any", tracer), Playground(session.draft_editor))

    def come(shown: LaunchIndex) -> int:
        tracer.asked.append(shown.subject)
        tracer.answer(shown.record)
        controller.tick()
        return stage.timeline.position.value.step

    naive, tiled = catalogue.by_id("gpu.naive"), catalogue.by_id("gpu.tiled")
    first, larger, other = launch_of("gpu.tiled", 16, tile=4), launch_of("gpu.tiled", 16, tile=8), launch_of("gpu.naive", 16)
    controller.ask()
    come(first)
    stage.timeline.scrub(101)
    stage.late.value = True
    session.choose_variant(naive)
    assert stage.shown.value is None
    session.choose_variant(tiled)
    assert come(first) == 101
    assert come(larger) not in (0, 101)
    assert come(other) == 0
    assert come(first) == 101
    stage.timeline.to_end()
    assert come(other) == 0
    come(first)
    assert stage.timeline.at_end
    come(other)
    stage.timeline.scrub(3)
    assert come(first) == 0
