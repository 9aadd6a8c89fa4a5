"""Predictions of the shown launch, beside what was measured: asked for while nothing else is to be traced."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.core.base.observable import Field
from app.core.predictions.counters import Measured
from app.core.predictions.question import Beside, PredictionQuestion, launches_of
from app.core.session.session import Session
from app.core.tracing.stage_tracer import StageTracer
from app.core.tracing.work import Outcome
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue.case import Case
from kernels.simt.trace.launch_spec import NotTraced

REST_S = 1.0
"""How long nothing must have been traced before the question."""
MOST_KNOWN = 64
Key = tuple[Case, str]
"""What is launched, and the id of the GPU's profile."""


class Predictions:
    """Predictions of the launch on the stage. `beside` is None while it is not known, and where the stage shows no launch of the catalogue;
    a reason where there is none."""

    def __init__(self, session: Session, tracer: StageTracer, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._tracer = tracer
        self._clock = clock
        self._changed_at = clock()
        self._known: dict[Key, Beside | Message | None] = {}
        self._imported: dict[Key, Measured] = {}
        self.beside: Field[Beside | Message | None] = Field(None)
        session.stage.subscribe(lambda _choice: self._changed())
        session.profile.subscribe(lambda _profile: self._changed())
        session.draft_editor.on_stage.subscribe(lambda _shown: self._changed())

    @property
    def settled(self) -> bool:
        """Whether what can be known of the shown launch is known."""
        key = self._key()
        return key is None or key in self._known

    def tick(self) -> None:
        """Ask, if the tracer has time."""
        if not self._tracer.idle:
            self._changed_at = self._clock()
        elif self._tracer.free and self._clock() - self._changed_at > REST_S and not self.settled:
            key = self._key()
            assert key is not None
            question = PredictionQuestion(key[0], self._session.profile.value, self._imported.get(key))
            self._tracer.ask(question, partial(self._answered, key))

    def take_counters(self, path: Path) -> Message | None:
        """Take what Nsight Compute wrote of the shown launch for its measured counters; the reason where that cannot be."""
        from app.core.predictions.ncu_csv import imported_counters

        key, choice = self._key(), self._session.stage.value
        if key is None:
            return message("Nothing is predicted of what the stage shows.")
        found = imported_counters(path, launches_of(choice.variant, choice.problem, choice.parameters))
        if isinstance(found, Message):
            return found
        self._imported[key] = found
        self._known.pop(key, None)
        self._changed()
        return None

    def _answered(self, key: Key, outcome: Outcome) -> None:
        refused = outcome.reason if isinstance(outcome, NotTraced) else None
        self._known[key] = outcome if isinstance(outcome, Beside) else refused
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._show()

    def _changed(self) -> None:
        self._changed_at = self._clock()
        self._show()

    def _show(self) -> None:
        key = self._key()
        self.beside.value = None if key is None else self._known.get(key)

    def _key(self) -> Key | None:
        """What is shown, as far as there is a prediction of it."""
        choice: Case = self._session.stage.value
        variant, problem = choice.variant, choice.problem
        if variant.launch is None or variant.operation is Operation.HELLO or self._session.draft_editor.shown is not None:
            return None
        if refuse(variant, problem, choice.parameters, Limits()) is not None:
            return None
        return choice, self._session.profile.value.id
