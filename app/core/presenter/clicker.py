"""Forward and back: a press forward reveals, completes or goes on, and a press back undoes exactly one of them."""

from __future__ import annotations

from collections.abc import Callable

from app.core.base.timeline import Timeline
from app.core.lessons.current_lesson import CurrentLesson, LessonMoment, StepState
from app.core.state.snapshot import TimelinePosition
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """Moment of a presentation: where a lesson stands ("" without one), where the stage stands in time, and whether it moves."""

    lesson: str
    number: int
    state: StepState
    place: TimelinePosition
    moving: bool

    def same_step(self, other: Moment) -> bool:
        """Whether the lesson stands in the same place."""
        return (self.lesson, self.number, self.state) == (other.lesson, other.number, other.state)


@dataclass(frozen=True, slots=True)
class _Press:
    """Press forward: from which moment to which."""

    before: Moment
    after: Moment


class Clicker:
    """Clicker of a presentation.

    Without a lesson, forward and back step the stage; `tick` goes back in time as soon as the scene that was set anew is there.
    """

    def __init__(self, player: CurrentLesson, timeline: Timeline, setting: Callable[[], bool]) -> None:
        """`setting` says whether a scene is still being set."""
        self._player, self._timeline, self._setting = player, timeline, setting
        self._presses: list[_Press] = []
        self._returning: Moment | None = None

    @property
    def moment(self) -> Moment:
        """Where everything stands now."""
        playing: LessonMoment | None = self._player.playing.value
        place, moving = TimelinePosition.of(self._timeline), self._timeline.playing.value
        if playing is None:
            return Moment("", 0, StepState.TOLD, place, moving)
        return Moment(playing.lesson.id, playing.number, playing.state, place, moving)

    def forward(self) -> None:
        """Complete what moves; else reveal what is asked; else go on. At the end nothing happens."""
        before = self.moment
        self._returning = None
        if before.moving:
            self._complete()
        elif before.lesson:
            self._player.next()
        else:
            self._timeline.forward()
        after = self.moment
        if after != before:
            self._presses.append(_Press(before, after))

    def back(self) -> None:
        """Undo the last press forward. Where the lesson was moved otherwise meanwhile, go back by one."""
        now, self._returning = self.moment, None
        if self._presses and not self._presses[-1].after.same_step(now):
            self._presses.clear()
        if self._presses:
            self._undo(self._presses.pop())
        elif now.lesson:
            self._player.back()
        else:
            self._timeline.back()

    def tick(self) -> None:
        """Never waits."""
        if self._returning is None or self._setting():
            return
        target, self._returning = self._returning, None
        if target.same_step(self.moment):
            self._stand_at(target)

    def _undo(self, press: _Press) -> None:
        if not press.before.same_step(press.after):
            self._player.back()
        self._returning = press.before
        self.tick()

    def _complete(self) -> None:
        """Move the timeline to its end, or to the end of the part that is repeated."""
        part = self._timeline.range.value
        self._timeline.scrub(self._timeline.extent.value.steps if part is None else part[1])

    def _stand_at(self, moment: Moment) -> None:
        moment.place.go(self._timeline)
        if moment.moving:
            self._timeline.play()
