"""A lesson that is being played: where it is, what was answered, what is known of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from app.core.facts.fact import Fact, Value
from app.core.facts.finder import FactFinder
from app.core.launch.subject import Subject
from app.core.lessons.asking import Answer, Judged, judge
from app.core.lessons.lesson import Action, Lesson, Step
from app.core.lessons.numbers import numbers_of
from app.core.lessons.scene import Scene
from app.core.observable import Field
from app.core.playground.draft import Draft
from kernels.messages import Message


class Stage(StrEnum):
    """What a step waits for."""

    ASKING = "asking"
    """An answer."""
    WAITING = "waiting"
    """An action."""
    TOLD = "told"
    """Nothing: all is said."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A moment of a lesson. `given` is an answer that cannot be judged yet; `answers` are those of all steps, by number."""

    lesson: Lesson
    number: int
    stage: Stage
    numbers: Mapping[str, Value | Message]
    given: Answer | None = None
    answers: Mapping[int, Judged | Message] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def judged(self) -> Judged | Message | None:
        """What became of the answer to this step's question."""
        return self.answers.get(self.number)

    @property
    def last(self) -> bool:
        return self.number + 1 == len(self.lesson.steps)


class Player:
    """At most one lesson is played. `tick` takes over what was found; it never waits."""

    def __init__(
        self, finder: FactFinder, show: Callable[[Scene], object], subject: Callable[[Draft], Subject], done: Callable[[Action], bool]
    ) -> None:
        """`show` sets a scene, `subject` makes a launch of a lesson's own text, `done` says whether an action was done."""
        self.playing: Field[Playing | None] = Field(None)
        self._finder = finder
        self._show = show
        self._subject = subject
        self._done = done
        self._of_texts: dict[Fact, Value | Message] = {}
        self._asked: set[str] = set()
        finder.known.subscribe(lambda _known: self._renew())

    def open(self, lesson: Lesson, number: int = 0) -> None:
        """Begin a lesson, or go on with it at a step."""
        self._of_texts, self._asked = {}, set()
        self._enter(lesson, min(max(number, 0), len(lesson.steps) - 1), {})

    def close(self) -> None:
        """Leave the lesson; the program stays as it is."""
        self.playing.value = None
        self._finder.want(())

    def go(self, number: int) -> None:
        """Go to a step of the lesson."""
        now = self.playing.value
        if now is not None and 0 <= number < len(now.lesson.steps):
            self._enter(now.lesson, number, now.answers)

    def next(self) -> None:
        """On with it: what is asked is revealed without an answer, then the next step."""
        now = self.playing.value
        if now is None:
            return
        if now.stage is Stage.TOLD:
            self.go(now.number + 1)
        else:
            self.playing.value = replace(now, stage=Stage.TOLD, given=None)

    def back(self) -> None:
        """Undo one `next`: back to the question, or to the step before with all that it says."""
        now = self.playing.value
        if now is None:
            return
        if now.stage is Stage.TOLD and _first_stage(now.step) is not Stage.TOLD:
            self.playing.value = replace(now, stage=_first_stage(now.step), answers=_without(now.answers, now.number))
        elif now.number > 0:
            self.go(now.number - 1)
            before = self.playing.value
            if before is not None:
                self.playing.value = replace(before, stage=Stage.TOLD)

    def answer(self, given: Answer) -> None:
        """Take an answer: a number, a lane, or the name of a choice."""
        now = self.playing.value
        if now is not None and now.stage is Stage.ASKING:
            self.playing.value = replace(now, given=given)
            self._judge()

    def show_again(self) -> None:
        """Set the scene of the step again."""
        now = self.playing.value
        if now is not None and now.step.scene is not None:
            self._show(now.step.scene)

    def tick(self) -> None:
        """See whether an action was done, and ask for numbers of the lesson's own texts."""
        now = self.playing.value
        if now is None:
            return
        if now.stage is Stage.WAITING and now.step.action is not None and self._done(now.step.action):
            self.playing.value = replace(now, stage=Stage.TOLD)
        self._ask_of_texts(now)

    def _enter(self, lesson: Lesson, number: int, answers: Mapping[int, Judged | Message]) -> None:
        step = lesson.steps[number]
        ahead = lesson.steps[number + 1 : number + 2]
        self._finder.want(fact for each in (step, *ahead) for fact in each.facts)
        self.playing.value = Playing(lesson, number, _first_stage(step), numbers_of(step.values, self._find), None, answers)
        if step.scene is not None:
            self._show(step.scene)

    def _find(self, fact: Fact) -> Value | Message | None:
        return self._of_texts.get(fact) if fact.kernel else self._finder.known.value.get(fact)

    def _renew(self) -> None:
        now = self.playing.value
        if now is not None:
            self.playing.value = replace(now, numbers=numbers_of(now.step.values, self._find))
            self._judge()

    def _judge(self) -> None:
        """Judge the given answer as soon as that can be done."""
        now = self.playing.value
        if now is None or now.given is None or now.step.question is None:
            return
        judged = judge(now.step.question, now.given, now.numbers)
        if judged is not None:
            self.playing.value = replace(now, stage=Stage.TOLD, given=None, answers={**now.answers, now.number: judged})

    def _ask_of_texts(self, now: Playing) -> None:
        wanted: dict[str, list[Fact]] = {}
        for fact in now.step.facts:
            if fact.kernel and fact not in self._of_texts:
                wanted.setdefault(fact.kernel, []).append(fact)
        for kernel, facts in wanted.items():
            if not self._asked:
                self._asked.add(kernel)
                self._finder.want_of_text(self._subject(now.lesson.kernels[kernel]), tuple(facts), partial(self._take, facts))
                return

    def _take(self, facts: list[Fact], found: tuple[Value | Message, ...]) -> None:
        self._asked.clear()
        self._of_texts.update(zip(facts, found, strict=True))
        self._renew()


def _first_stage(step: Step) -> Stage:
    return Stage.ASKING if step.question is not None else Stage.WAITING if step.action is not None else Stage.TOLD


def _without(answers: Mapping[int, Judged | Message], number: int) -> dict[int, Judged | Message]:
    return {each: judged for each, judged in answers.items() if each != number}
