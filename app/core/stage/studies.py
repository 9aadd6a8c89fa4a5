"""Background studies beside the shown kernel: what the caches do, and what every stop of a parameter would cost.

They are asked for one after the other, while nothing else is to be traced.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.cpu_view.cache_question import CacheAnswer, CacheQuestion, ColdRun, CountsQuestion, HistoryQuestion
from app.core.cpu_view.caches import StageCaches, aligned
from app.core.cpu_view.index import TraceIndex
from app.core.execution.questions import CostQuestion, LaunchCost
from app.core.gpu_view.subject import subject_of
from app.core.session.session import STAGE_SIZES, Session, refuse_stage
from app.core.session.undo import ChoiceHistory
from app.core.stage.compiled import Compiled
from app.core.stage.model import StageModel
from app.core.stage.predictions import Predictions
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Parameter, Problem
from kernels.cachesim.count import Counts, refuse_count
from kernels.cachesim.history import History
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.simt.trace.launch_spec import NotTraced


def sizes_of(execution: ColdRun) -> Mapping[int, CountsQuestion]:
    """Square matrices of the sizes that the stage offers, and of the shown one."""
    case = execution.case
    squares = {n: Problem.square(case.problem.operation, n) for n in sorted({*STAGE_SIZES, case.problem.n})}
    made = {n: replace(case, problem=each) for n, each in squares.items() if n in STAGE_SIZES or each == case.problem}
    return {n: CountsQuestion(replace(execution, case=each)) for n, each in made.items() if _possible(each)}


def tiles_of(execution: ColdRun) -> Mapping[int, CountsQuestion]:
    """The shown tile, and those that the kernel offers, as long as they are smaller than the matrices, with the first that is not."""
    case, found = execution.case, {}
    variant = find(case.variant_id)
    parameter = None if variant is None else next((each for each in variant.parameters if each.name == "tile"), None)
    for stop in () if parameter is None else sorted({*parameter.stops, case.parameters["tile"]}):
        made = replace(case, parameters={**case.parameters, "tile": stop})
        if _possible(made):
            found[stop] = CountsQuestion(replace(execution, case=made))
        if stop >= max(case.problem.m, case.problem.n, case.problem.k):
            break
    return found


def _possible(case: Case) -> bool:
    variant = find(case.variant_id)
    if variant is None:
        return False
    return (refuse_stage(variant, case.problem) or refuse(variant, case.problem, case.parameters, Limits())) is None


MOST_KNOWN = 64
"""Answers that are kept, the newest ones."""
MOST_HISTORY_BYTES = 64 << 20
"""Memory of the histories among them; the newest is kept however large it is. A large one has some tens of megabytes."""
TAKES_TURNS = message("On the stage the threads take turns; the cache model follows one thread, so there is nothing to show beside them.")


class CacheStudy:
    """Fills in the stage's caches; `counts` has the misses of the whole execution by their kinds."""

    def __init__(self, session: Session, stage: StageModel, tracer: StageTracer) -> None:
        self.counts: Field[Counts | None] = Field(None)
        self.by_size: Field[Mapping[int, Counts]] = Field({})
        """What matrices of other sizes would miss, as far as it is known."""
        self.by_tile: Field[Mapping[int, Counts]] = Field({})
        """What other tiles would miss, where the kernel has tiles."""
        self._session = session
        self._stage = stage
        self._tracer = tracer
        self._known: dict[CacheQuestion, CacheAnswer | Message] = {}
        self._wanted: tuple[CacheQuestion, ...] = ()
        """What is not known yet, the most wanted first. To look for it at each tick would take a fortieth of a core, also at rest."""
        stage.shown.subscribe(lambda _shown: self._show())
        session.stage.subscribe(lambda _choice: self._look())
        session.caches.subscribe(lambda _choice: self._show())

    @property
    def settled(self) -> bool:
        """Whether the stage has its caches, or none are to come."""
        return next(self._missing(), None) is None

    @property
    def compared(self) -> bool:
        """Whether all that is asked of other settings is known."""
        return next(self._other(), None) is None

    def tick(self) -> None:
        """Ask for what is missing, if the tracer has time."""
        if self._wanted and self._tracer.free:
            self._tracer.ask(self._wanted[0], partial(self._answered, self._wanted[0]))

    def _look(self) -> None:
        self._wanted = (*self._missing(), *self._other())

    def _missing(self) -> Iterator[CacheQuestion]:
        """What is not known yet, the most wanted first."""
        execution = self._execution()
        if execution is not None:
            wanted: tuple[CacheQuestion, ...] = HistoryQuestion(execution), CountsQuestion(execution, classified=True)
            yield from (each for each in wanted if each not in self._known)

    def _other(self) -> Iterator[CacheQuestion]:
        """What of other settings is not known yet."""
        execution = self._execution()
        if execution is not None:
            asked = (*sizes_of(execution).values(), *tiles_of(execution).values())
            yield from (each for each in asked if each not in self._known)

    def _execution(self) -> ColdRun | None:
        """What the shown trace is of, in the chosen caches; None where that has no caches to show."""
        shown, variant = self._stage.shown.value, self._session.stage.value.variant
        if not isinstance(shown, TraceIndex) or variant.device is not Device.CPU or refuse_count(variant) is not None:
            return None
        trace = shown.trace
        return ColdRun(Case(trace.variant_id, trace.problem, trace.parameters), self._session.caches.value.hierarchy)

    def _answered(self, question: CacheQuestion, outcome: Outcome) -> None:
        self._known[question] = outcome if isinstance(outcome, CacheAnswer) else _reason(outcome)
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._forget_histories()
        self._show()

    def _forget_histories(self) -> None:
        """Keep the newest histories, as many as there is memory for."""
        histories = [(question, answer.bytes) for question, answer in self._known.items() if isinstance(answer, History)]
        taken = sum(size for _, size in histories)
        for question, size in histories[:-1]:
            if taken <= MOST_HISTORY_BYTES:
                return
            del self._known[question]
            taken -= size

    def _show(self) -> None:
        self._look()
        shown, execution = self._stage.shown.value, self._execution()
        found = self._known.get(HistoryQuestion(execution)) if execution is not None else None
        counts = self._known.get(CountsQuestion(execution, classified=True)) if execution is not None else None
        self.counts.value = counts if isinstance(counts, Counts) else None
        self.by_size.value = self._counted(sizes_of(execution)) if execution is not None else {}
        self.by_tile.value = self._counted(tiles_of(execution)) if execution is not None else {}
        if isinstance(found, History) and isinstance(shown, TraceIndex) and aligned(shown, found):
            self._stage.caches_missing.value = None
            before = self._stage.caches.value
            if before is None or before.index is not shown or before.history is not found:
                self._stage.caches.value = StageCaches(shown, found)
            return
        self._stage.caches_missing.value = TAKES_TURNS if isinstance(found, History) else found if isinstance(found, Message) else None
        self._stage.caches.value = None

    def _counted(self, questions: Mapping[int, CountsQuestion]) -> Mapping[int, Counts]:
        answers = {value: self._known.get(question) for value, question in questions.items()}
        return {value: answer for value, answer in answers.items() if isinstance(answer, Counts)}


def _reason(outcome: Outcome) -> Message:
    return outcome.reason if isinstance(outcome, NotTraced) else message("The cache model gave no answer.")


REST_S = 0.6
"""How long nothing must have been traced before the first question."""
MOST_COSTS_KNOWN = 1000


class StopCosts:
    """Costs at the stops of a parameter. `costs` are those known for the stops of `parameter`; None where a cost was looked for and there
    is none."""

    def __init__(self, session: Session, tracer: StageTracer, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._tracer = tracer
        self._clock = clock
        self._known: dict[Case, LaunchCost | None] = {}
        self._missing: tuple[int, ...] = ()
        self._changed_at = clock()
        self.costs: Field[Mapping[int, LaunchCost | None]] = Field({})
        session.stage.subscribe(self._changed)
        self._show()

    @property
    def parameter(self) -> Parameter | None:
        """The parameter whose stops are compared: the tile of a CUDA kernel."""
        variant = self._session.stage.value.variant
        if not variant.interpreted:
            return None
        return next((each for each in variant.parameters if each.name == "tile"), None)

    @property
    def settled(self) -> bool:
        """Whether nothing is missing."""
        return not self._missing

    def tick(self) -> None:
        """Ask for what is missing, if the tracer has time."""
        if not self._tracer.idle:
            self._changed_at = self._clock()
        elif self._missing and self._tracer.free and self._clock() - self._changed_at > REST_S:
            self._ask(self._session.stage.value, self._missing[0])

    def _ask(self, choice: Case, stop: int) -> None:
        subject = subject_of(choice.variant, choice.problem, self._at(choice, stop).parameters, self._session.profile.value)
        self._tracer.ask(CostQuestion(subject), partial(self._answered, self._at(choice, stop)))

    def _answered(self, key: Case, outcome: Outcome) -> None:
        self._known[key] = outcome if isinstance(outcome, LaunchCost) else None
        while len(self._known) > MOST_COSTS_KNOWN:
            del self._known[next(iter(self._known))]
        self._show()

    def _changed(self, _choice: Case) -> None:
        self._changed_at = self._clock()
        self._show()

    def _show(self) -> None:
        choice = self._session.stage.value
        keys = {stop: self._at(choice, stop) for stop in self._stops(choice)}
        self._missing = tuple(stop for stop, key in keys.items() if key not in self._known)
        self.costs.value = {stop: self._known[key] for stop, key in keys.items() if key in self._known}

    def _stops(self, choice: Case) -> tuple[int, ...]:
        """The stops that can be, the shown one first."""
        parameter = self.parameter
        if parameter is None:
            return ()
        shown = choice.parameters[parameter.name]
        legal = [
            stop for stop in parameter.stops if refuse(choice.variant, choice.problem, self._at(choice, stop).parameters, Limits()) is None
        ]
        return tuple(sorted(legal, key=lambda stop: abs(legal.index(stop) - legal.index(shown)) if shown in legal else stop))

    def _at(self, choice: Case, stop: int) -> Case:
        """The choice with the parameter at a stop."""
        assert self.parameter is not None
        return replace(choice, parameters={**choice.parameters, self.parameter.name: stop})


class IdleWork:
    """Work for idle time: what goes with changing by hand what is executed. Everything in it is slow, and done when nothing else is."""

    def __init__(self, session: Session, stage: StageModel, tracer: StageTracer, background_tasks: BackgroundTasks) -> None:
        self.history = ChoiceHistory(session)
        self.caches = CacheStudy(session, stage, tracer)
        self.stop_costs = StopCosts(session, tracer)
        self.compiled = Compiled(stage, background_tasks)
        self.predictions = Predictions(session, tracer)

    def tick(self) -> None:
        """Ask for what is missing. Never waits."""
        self.caches.tick()
        self.stop_costs.tick()
        self.compiled.tick()
        self.predictions.tick()

    def shutdown(self) -> None:
        """Give up what is under way."""
        self.compiled.shutdown()
