"""What every stop of a parameter would cost, asked one after the other while nothing else is to be traced."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from app.core.launch.cost_question import CostQuestion, LaunchCost
from app.core.launch.subject import subject_of
from app.core.observable import Field
from app.core.session import Session, StageChoice
from app.core.stage_tracer import StageTracer
from app.core.trace_worker import Outcome
from kernels.limits import Limits, refuse
from kernels.spec import Parameter

REST_S = 0.6
"""How long nothing must have been traced before the first question."""
MOST_KNOWN = 1000
Key = tuple[str, int, int, int, tuple[tuple[str, int], ...]]


class StopCosts:
    """`costs` are those known for the stops of `parameter`; None where a cost was looked for and there is none."""

    def __init__(self, session: Session, tracer: StageTracer, clock: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._tracer = tracer
        self._clock = clock
        self._known: dict[Key, LaunchCost | None] = {}
        self._changed_at = clock()
        self.costs: Field[Mapping[int, LaunchCost | None]] = Field({})
        session.stage.subscribe(self._changed)

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
        choice = self._session.stage.value
        return all(self._key(choice, stop) in self._known for stop in self._stops(choice))

    def tick(self) -> None:
        """Ask for what is missing, if the tracer has time."""
        if not self._tracer.idle:
            self._changed_at = self._clock()
        elif self._tracer.free and self._clock() - self._changed_at > REST_S:
            choice = self._session.stage.value
            missing = next((stop for stop in self._stops(choice) if self._key(choice, stop) not in self._known), None)
            if missing is not None:
                self._ask(choice, missing)

    def _ask(self, choice: StageChoice, stop: int) -> None:
        subject = subject_of(choice.variant, choice.problem, self._parameters(choice, stop), self._session.profile.value)
        self._tracer.ask(CostQuestion(subject), partial(self._answered, self._key(choice, stop)))

    def _answered(self, key: Key, outcome: Outcome) -> None:
        self._known[key] = outcome if isinstance(outcome, LaunchCost) else None
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._show()

    def _changed(self, _choice: StageChoice) -> None:
        self._changed_at = self._clock()
        self._show()

    def _show(self) -> None:
        choice = self._session.stage.value
        keys = {stop: self._key(choice, stop) for stop in self._stops(choice)}
        self.costs.value = {stop: self._known[key] for stop, key in keys.items() if key in self._known}

    def _stops(self, choice: StageChoice) -> tuple[int, ...]:
        """The stops that can be, the shown one first."""
        parameter = self.parameter
        if parameter is None:
            return ()
        shown = choice.parameters[parameter.name]
        legal = [
            stop for stop in parameter.stops if refuse(choice.variant, choice.problem, self._parameters(choice, stop), Limits()) is None
        ]
        return tuple(sorted(legal, key=lambda stop: abs(legal.index(stop) - legal.index(shown)) if shown in legal else stop))

    def _parameters(self, choice: StageChoice, stop: int) -> dict[str, int]:
        assert self.parameter is not None
        return dict(choice.parameters) | {self.parameter.name: stop}

    def _key(self, choice: StageChoice, stop: int) -> Key:
        problem = choice.problem
        return choice.variant.id, problem.m, problem.n, problem.k, tuple(sorted(self._parameters(choice, stop).items()))
