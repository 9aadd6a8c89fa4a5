"""Controller of the stage: asks for traces of what the session shows and shows what came of them, with the counters beside the picture."""

from __future__ import annotations

from app.core.base.picture_parts import Counter, Counters
from app.core.cpu_view.cache_counters import CacheCounters
from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.counters import counters_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject, subject_of
from app.core.session.session import Session
from app.core.stage.model import COMPUTING, AnyPicture, GpuPicture, Picture, StageModel
from app.core.stage.playground import Playground, shows
from app.core.stage.same_place import work_key
from app.core.tracing.stage_tracer import StageReply, StageTracer
from app.core.tracing.work import Work
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.catalogue.case import Case
from kernels.cpusim.trace import Trace
from kernels.simt.trace.launch_spec import NotTraced

LIBRARY_NOTICE = message("This is a library's routine: its kernels come without source, so there is nothing to animate. It is timed.")
"""The notice for GPU variants that launch no kernel of ours."""
RANKS_NOTICE = message(
    "This kernel runs in several processes at once. It is timed; {command} tells what each of them does.", command="tilescope mpi"
)
RUNNING_NOTICE = message("main is running…")
TRACE_AGAIN = message("Trace again")
NOTHING_NOTICE = message("The kernel touches no memory and prints nothing: there is nothing to animate.")


class StageController:
    """Asks whenever a choice asks for another execution; `tick` takes over what has come."""

    def __init__(self, session: Session, stage: StageModel, tracing: StageTracer, playground: Playground) -> None:
        self._session = session
        self._stage = stage
        self._tracing = tracing
        self._playground = playground
        self._asked: object = None
        self._kernel = ""
        """That of what was asked for last."""
        stage.profile.value = session.profile.value
        session.stage.subscribe(lambda _choice: self.ask())
        session.profile.subscribe(self._profile_chosen)
        stage.order.subscribe(lambda _order: self.ask())
        stage.late.subscribe(lambda _late: self._drop_other())
        stage.tries.subscribe(lambda _tries: self._ask_again())
        session.draft_editor.draft.subscribe(lambda _draft: self.ask())
        session.draft_editor.on_stage.subscribe(lambda _shown: self.ask())
        if playground.program is not None:
            playground.program.outcome.subscribe(lambda _outcome: self.ask())
            playground.program.launch.subscribe(lambda _number: self.ask())

    @property
    def ready(self) -> bool:
        """Whether the stage shows what the session asks for, or why it cannot."""
        picture, draft = self._stage.picture.value, self._session.draft_editor.shown
        wanted = self._session.stage.value.variant.id if draft is None else draft.variant_id
        if self._stage.notice.value is not None or self._stage.unbegun.value:
            return not self._stage.busy.value
        return picture is not None and picture.variant_id == wanted and not self._stage.busy.value

    def ask(self) -> None:
        """Ask for the trace of what the session shows, unless that was asked for last."""
        draft = self._session.draft_editor.shown
        if draft is not None and self._playground.waits(draft):
            shown = self._stage.shown.value
            if not isinstance(shown, LaunchIndex) or not shows(shown, draft):
                self._show_nothing(RUNNING_NOTICE)
            self._stage.busy.value = self._stage.outdated.value = True
            return
        nothing = self._playground.nothing_shown(draft) if draft is not None else None
        if nothing is not None:
            self._show_nothing(nothing)
            return
        if self._stage.notice.value == RUNNING_NOTICE:
            self._stage.notice.value = None
        work = self._work()
        if work is None:
            variant = self._session.stage.value.variant
            self._show_nothing(RANKS_NOTICE if variant.device is Device.MPI else variant.measured_only or LIBRARY_NOTICE)
        elif self._asked != work_key(work):
            self._tracing.request(work, self._stage.progress_of(_kernel(work), work if isinstance(work, Subject) else None))
            self._asked, self._kernel = work_key(work), _kernel(work)
            self._stage.failed.value = False
            self._stage.busy.value = self._stage.outdated.value = True
            self._drop_other()

    def _drop_other(self) -> None:
        """Leave the stage empty where its picture would stand long beside the text of another kernel."""
        if self._stage.late.value and self._stage.kernel not in ("", self._kernel):
            self._stage.notice.value = COMPUTING
            self._stage.shown.value = None

    def _show_nothing(self, reason: Message) -> None:
        """Leave the stage empty, and say why."""
        self._asked = None
        self._stage.failed.value = False
        self._tracing.forget()
        self._stage.busy.value = self._stage.outdated.value = False
        self._stage.shown.value = None
        self._stage.notice.value = reason

    def _ask_again(self) -> None:
        self._asked = None
        self.ask()

    def tick(self) -> None:
        """Show what has come. Never waits."""
        self._stage.tick()
        reply = self._tracing.poll()
        if reply is None:
            return
        asked = self._asked
        if self._session.draft_editor.shown is not None:
            self._playground.take(reply)
        if self._asked is asked:  # else the draft turned out to be another one, and the reply is of no use
            self._show(reply)

    def _work(self) -> Work | None:
        draft = self._session.draft_editor.shown
        if draft is not None:
            return self._playground.subject(draft, self._session.profile.value)
        choice = self._session.stage.value
        if choice.variant.device is Device.CPU:
            return Case(choice.variant.id, choice.problem, dict(choice.parameters))
        if not choice.variant.interpreted:
            return None
        return subject_of(choice.variant, choice.problem, choice.parameters, self._session.profile.value, self._stage.order.value)

    def _show(self, reply: StageReply) -> None:
        """A sketch is only shown if it could be made: why not, the whole will say."""
        outcome = reply.outcome
        made = not isinstance(outcome, NotTraced) and not (isinstance(outcome, LaunchRecord) and not outcome.order.steps)
        if not made and not reply.final:
            return
        self._stage.busy.value, self._stage.outdated.value = not reply.final, False
        if isinstance(outcome, NotTraced):
            self._show_failure(outcome)
        elif not made:
            self._stage.notice.value = NOTHING_NOTICE
        else:
            self._stage.notice.value = None
            self._show_trace(reply)
            if self._playground.wants_warps(reply):
                self.ask()

    def _show_failure(self, outcome: NotTraced) -> None:
        """The last picture stays, but none of another kernel."""
        draft, shown = self._session.draft_editor.shown, self._stage.shown.value
        self._stage.failed.value = not outcome.diagnostics
        if draft is None:
            self._stage.notice.value = outcome.reason
            return
        self._stage.notice.value = self._playground.notice(outcome, shown)
        if not isinstance(shown, LaunchIndex) or not shows(shown, draft):
            self._stage.shown.value = None

    def _show_trace(self, reply: StageReply) -> None:
        if isinstance(reply.outcome, LaunchRecord):
            assert isinstance(reply.work, Subject)
            self._stage.shown.value = LaunchIndex(reply.work, reply.outcome)
        elif isinstance(reply.outcome, Trace):
            self._stage.shown.value = TraceIndex(reply.outcome)

    def _profile_chosen(self, profile: Profile) -> None:
        self._stage.profile.value = profile
        self.ask()


def _kernel(work: Work) -> str:
    """Return the key of the kernel that the place in a trace belongs to."""
    return work.variant_id or work.name if isinstance(work, Subject) else work.variant_id


class CounterRows:
    """Counters of the last trace and caches, kept because the next picture is most often of the same."""

    def __init__(self) -> None:
        self._counters: Counters | None = None
        self._cache_counters: CacheCounters | None = None

    def of(self, picture: AnyPicture | None) -> tuple[Counter, ...]:
        """The counters of a picture; none where there is none."""
        if picture is None:
            return ()
        if isinstance(picture, GpuPicture):
            return counters_at(picture.index, picture.frame)
        trace = picture.index.trace
        if self._counters is None or self._counters.trace is not trace:
            self._counters = Counters(trace)
        return (*self._counters.at(picture.frame.step), *self._of_caches(picture))

    def _of_caches(self, picture: Picture) -> tuple[Counter, ...]:
        if picture.caches is None:
            return ()
        if self._cache_counters is None or self._cache_counters.caches is not picture.caches:
            self._cache_counters = CacheCounters(picture.caches)
        return self._cache_counters.at(picture.frame.step)
