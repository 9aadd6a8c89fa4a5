"""Search for the edges of the draft: asks for one launch, or run, after the other, and makes one of them the current one."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.execution.edge_rows import AnyTried, failing
from app.core.execution.questions import EdgeQuestion, EdgesQuestion, PlannedEdges, TriedEdge
from app.core.gpu_view.subject import Subject, subject_of_draft
from app.core.programs.host_program import HostProgram, has_main, split_arguments
from app.core.session.draft import Draft, LaunchSettings
from app.core.session.draft_arguments import understand
from app.core.session.session import Session
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.analysis.program_races import look
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.exploration.edge_cases import Edge, Plan, ProgramEdge, ProgramPlan, Tried, TriedProgram
from kernels.simt.host.process import Programs
from kernels.simt.host.result import SHORT_RUN, ProgramJob, ProgramOutcome
from kernels.simt.run.arguments import text_of
from kernels.simt.trace.launch_spec import NotTraced

CANCELLED = message("Cancelled.")
_NO_ANSWER = message("There was no answer.")


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A search as far as it is: of a `text`, with a plan once there is one. `reason` says why it went no further."""

    text: str
    plan: Plan | ProgramPlan | None = None
    tried: tuple[AnyTried, ...] = ()
    compared: bool = False
    running: bool = True
    reason: Message | None = None

    @property
    def smallest(self) -> AnyTried | None:
        """The smallest that fails, as far as is known."""
        return failing(self.tried)


class EdgeSearch:
    """Search for the edges of the draft. `state` is None while nothing was searched, or the text is another one by now."""

    def __init__(self, session: Session, program: HostProgram, tracer: StageTracer, background_tasks: BackgroundTasks) -> None:
        self.state: Field[Search | None] = Field(None)
        self._session, self._program, self._tracer, self._background_tasks = session, program, tracer, background_tasks
        self._subject: Subject | None = None
        self._job: ProgramJob | None = None
        self._programs: Programs | None = None
        self._busy = False
        """Whether a program runs in the background."""
        self._answered: Callable[[Outcome], None] | None = None
        session.draft_editor.draft.subscribe(lambda _draft: self._follow())
        session.draft_editor.on_stage.subscribe(lambda _shown: self._follow())

    def start(self) -> None:
        """Search the draft that the stage shows, as it is launched now. Another search is given up."""
        draft = self._session.draft_editor.shown
        self.cancel()
        if draft is None:
            return
        if has_main(draft.text):
            words = split_arguments(self._program.arguments.value)
            self._subject, self._job = (
                None,
                ProgramJob(draft.text, draft.path, words, SHORT_RUN, look=look, readable=self._program.files.of(draft.path)),
            )
        else:
            self._subject, self._job = subject_of_draft(draft, self._session.profile.value), None
        self.state.value = Search(draft.text)

    def cancel(self) -> None:
        """Stop; what was found stays."""
        if self._answered is not None:
            self._tracer.withdraw(self._answered)
            self._answered = None
        if self._programs is not None:
            self._programs.cancel()
            self._programs = None
        if self.state.value is not None and self.state.value.running:
            self._end(CANCELLED)

    def close(self) -> None:
        """Give up what was found, too."""
        self.cancel()
        self.state.value = None

    def tick(self) -> None:
        """Ask for what comes next, where the stage wants nothing. Never waits."""
        search = self.state.value
        if search is None or not search.running:
            return
        if self._job is not None:
            self._run_next(search, self._job)
        elif self._subject is not None and self._tracer.free:
            self._ask_next(search, self._subject)

    def show(self, tried: AnyTried) -> None:
        """Make a launch, or a run, that was tried the draft's own."""
        if isinstance(tried, TriedProgram):
            self._program.arguments.value = shlex.join(tried.edge.arguments)
            return
        draft = self._session.draft_editor.shown
        if draft is not None:
            self._session.draft_editor.launch_as(settings_of_edge(draft, tried.edge))

    # ------------------------------------------------------------ launches, one question after the other

    def _ask_next(self, search: Search, subject: Subject) -> None:
        if search.plan is None:
            self._answered = lambda outcome: self._planned(search, outcome)
            self._tracer.ask(EdgesQuestion(subject), self._answered)
            return
        assert isinstance(search.plan, Plan)
        if len(search.tried) == len(search.plan.edges):
            self._end()
            return
        edge = search.plan.edges[len(search.tried)]
        self._answered = lambda outcome: self._take(search, _tried(edge, outcome))
        self._tracer.ask(EdgeQuestion(subject, edge), self._answered)

    def _planned(self, search: Search, outcome: Outcome) -> None:
        if self.state.value is not search:
            return
        if isinstance(outcome, PlannedEdges):
            self.state.value = replace(search, plan=outcome.plan, compared=outcome.compared)
        else:
            self._end(outcome.reason if isinstance(outcome, NotTraced) else _NO_ANSWER)

    def _take(self, search: Search, tried: AnyTried) -> None:
        if self.state.value is search:
            self.state.value = replace(search, tried=(*search.tried, tried))

    def _end(self, reason: Message | None = None) -> None:
        if self.state.value is not None:
            self.state.value = replace(self.state.value, running=False, reason=reason)

    # ------------------------------------------------------------ runs of a program, each in a process of its own

    def _run_next(self, search: Search, job: ProgramJob) -> None:
        if self._busy:
            return
        plan, programs = search.plan, Programs()
        if isinstance(plan, ProgramPlan) and len(search.tried) == len(plan.edges):
            self._end()
            return
        self._busy, self._programs = True, programs
        if isinstance(plan, ProgramPlan):
            edge = plan.edges[len(search.tried)]
            self._background_tasks.send("edges", lambda: _try(job, edge, programs), lambda tried: self._ran(search, tried))
        else:
            self._background_tasks.send("edges", lambda: _plan(job, programs), lambda plan: self._planned_program(search, plan))

    def _planned_program(self, search: Search, plan: ProgramPlan | Message) -> None:
        self._busy = False
        if self.state.value is search:
            self.state.value = replace(search, plan=plan) if isinstance(plan, ProgramPlan) else replace(search, running=False, reason=plan)

    def _ran(self, search: Search, tried: TriedProgram) -> None:
        self._busy = False
        self._take(search, tried)

    def _follow(self) -> None:
        """A search is of one text: of another one nothing is known."""
        search, draft = self.state.value, self._session.draft_editor.shown
        if search is not None and (draft is None or draft.text != search.text):
            self.close()


def settings_of_edge(draft: Draft, edge: Edge) -> LaunchSettings:
    """The launch of a draft with an edge's grid, sizes, indices and order; a matrix stays one."""
    settings = draft.settings
    arguments = dict(settings.arguments)
    for name, value in (*edge.launch.arguments.items(), *edge.variables.items()):
        text = text_of(value)
        if text is None:
            text = f"{settings.arguments[name]}:{edge.order}" if name == edge.array and edge.order else settings.arguments[name]
        elif understand(settings.arguments.get(name, "")) is not None and len(edge.shapes.get(name, ())) > 1:
            text = "x".join(map(str, edge.shapes[name])) + "".join(text.partition(":")[1:])
        arguments[name] = text
    said = {"grid", *(["block"] if edge.launch.block != settings.block else []), *(f"argument {name}" for name in edge.launch.arguments)}
    launch = edge.launch
    return replace(
        settings,
        grid=launch.grid,
        block=launch.block,
        shared_bytes=launch.shared_bytes,
        arguments=arguments,
        guessed=settings.guessed - said,
        turned=edge.turned,
    )


def _tried(edge: Edge, outcome: Outcome) -> Tried:
    if isinstance(outcome, TriedEdge):
        return outcome.tried
    return Tried(edge, reason=outcome.reason if isinstance(outcome, NotTraced) else _NO_ANSWER)


def _plan(job: ProgramJob, programs: Programs) -> ProgramPlan | Message:
    from kernels.exploration.program_edges import plan_program  # it brings the interpreter with it

    return plan_program(job, lambda each: _run(each, programs))


def _try(job: ProgramJob, edge: ProgramEdge, programs: Programs) -> TriedProgram:
    from kernels.exploration.program_edges import try_program

    return try_program(job, edge, lambda each: _run(each, programs))


def _run(job: ProgramJob, programs: Programs) -> ProgramOutcome:
    return programs.run(job)
