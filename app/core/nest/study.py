"""Asks what the caches do while the shown kernel is executed, when nothing else is to be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain

from app.core.frames_index import TraceIndex
from app.core.nest.caches import StageCaches, aligned
from app.core.nest.other_settings import sizes_of, tiles_of
from app.core.nest.question import CacheAnswer, CacheQuestion, CountsQuestion, Execution, HistoryQuestion
from app.core.observable import Field
from app.core.session import Session
from app.core.stage_model import StageModel
from app.core.stage_tracer import StageTracer
from app.core.trace_worker import Outcome
from kernels.cachesim.count import Counts, refuse_count
from kernels.cachesim.history import History
from kernels.messages import Message, message
from kernels.simt.worker import NotTraced
from kernels.spec import Device

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
        stage.shown.subscribe(lambda _shown: self._show())
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
        question = next(chain(self._missing(), self._other()), None) if self._tracer.free else None
        if question is not None:
            self._tracer.ask(question, partial(self._answered, question))

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

    def _execution(self) -> Execution | None:
        """What the shown trace is of, in the chosen caches; None where that has no caches to show."""
        shown, variant = self._stage.shown.value, self._session.stage.value.variant
        if not isinstance(shown, TraceIndex) or variant.device is not Device.CPU or refuse_count(variant) is not None:
            return None
        trace = shown.trace
        return Execution.of(trace.variant_id, trace.problem, trace.parameters, self._session.caches.value.hierarchy)

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
