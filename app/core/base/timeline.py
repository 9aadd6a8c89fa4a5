"""The clock of the stage: where in the trace it stands, and how it moves. Time is given to it, never read."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from app.core.base.observable import Field
from kernels.base.messages import message
from kernels.base.values import dataclass

SPEEDS = tuple(2.0**power for power in range(-2, 7))
"""The speeds offered, a quarter to 64 times, each twice the one before."""
SECONDS_PER_UNIT = 0.8
"""How long one unit (a step or a whole tile) takes at speed 1."""


class Unit(StrEnum):
    """Unit of the timeline: what one press of a stepping button moves by, and what the speed counts."""

    STEP = "step"
    BARRIER = "barrier"
    TILE = "tile"
    BLOCK = "block"


UNIT_TITLES = {
    Unit.STEP: message("Step"), Unit.BARRIER: message("Barrier"), Unit.TILE: message("Tile"), Unit.BLOCK: message("Block"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Position:
    """Position on the timeline: `step` is under way and `fraction` of it, from 0 to 1, is done. Only the last step rests at 1: the end."""

    step: int = 0
    fraction: float = 0.0

    @property
    def time(self) -> float:
        """Steps done, as one number."""
        return self.step + self.fraction


@dataclass(frozen=True, slots=True)
class Extent:
    """Extent of a trace: its number of steps, and the first steps of the barrier intervals, tiles and blocks that it has."""

    steps: int = 0
    bounds: Mapping[Unit, tuple[int, ...]] = field(default_factory=dict)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that this trace can be stepped by."""
        return (Unit.STEP, *(unit for unit in Unit if self.bounds.get(unit)))


class Timeline:
    """Moves a position over the steps of a trace: play, pause, step, scrub. Without a trace nothing moves."""

    def __init__(self) -> None:
        self.extent = Field(Extent())
        self.position = Field(Position())
        self.playing = Field(value=False)
        self.speed = Field(1.0)
        self.unit = Field(Unit.STEP)
        self.loop = Field(value=False)
        self.range: Field[tuple[float, float] | None] = Field(None)
        """The part that is looped, in steps; None: all of it."""
        self.held = False
        """Whether time stands still also while playing: samples are being taken."""
        self.sparing = False
        """Whether few pictures a second must do: something is being measured."""

    def load(self, steps: int, bounds: Mapping[Unit, Sequence[int]], progress: float = 0.0) -> None:
        """Stand over another trace, at `progress` (0 to 1) of it; `bounds` are the first steps of its units, in order."""
        extent = Extent(steps, {unit: tuple(starts) for unit, starts in bounds.items()})
        if not steps:
            self.playing.value = False
        self.range.value = None
        self.extent.value = extent
        if self.unit.value not in extent.units:
            self.unit.value = Unit.STEP
        self._move_to(math.floor(progress * steps) if progress < 1 else steps)

    @property
    def progress(self) -> float:
        """The part of the trace that is done, from 0 to 1."""
        steps = self.extent.value.steps
        return self.position.value.time / steps if steps else 0.0

    @property
    def at_end(self) -> bool:
        return self.position.value.time >= self.extent.value.steps

    def play(self) -> None:
        """Start moving; from the end, start again at the beginning."""
        if self.extent.value.steps:
            if self.at_end:
                self._move_to(0)
            self.playing.value = True

    def pause(self) -> None:
        self.playing.value = False

    def toggle(self) -> None:
        """Play if paused, pause if playing."""
        if self.playing.value:
            self.pause()
        else:
            self.play()

    def forward(self) -> None:
        """Pause, and go to the beginning of the next unit."""
        self.next(self.unit.value)

    def back(self) -> None:
        """Pause, and go to the beginning of this unit, or of the one before if already there."""
        self.previous(self.unit.value)

    def next(self, unit: Unit) -> None:
        """Pause, and go to the first step of the next unit of this kind."""
        bounds = self._unit_bounds(unit)
        self.scrub(bounds[min(bisect_right(bounds, self.position.value.time), len(bounds) - 1)])

    def previous(self, unit: Unit) -> None:
        """Pause, and go to the first step of this unit, or of the one before if already there."""
        bounds = self._unit_bounds(unit)
        self.scrub(bounds[max(bisect_left(bounds, self.position.value.time) - 1, 0)])

    def turn_unit(self) -> None:
        """Step by the next larger unit; after the largest by single steps again."""
        units = self.extent.value.units
        self.unit.value = units[(units.index(self.unit.value) + 1) % len(units)]

    def to_start(self) -> None:
        self.scrub(0)

    def to_end(self) -> None:
        self.scrub(self.extent.value.steps)

    def scrub(self, time: float) -> None:
        """Pause, and go to a point of the trace, in steps; beyond its ends is at its ends."""
        self.pause()
        self._move_to(time)

    def set_speed(self, speed: float) -> None:
        """Change the speed; it stays between the slowest and the fastest offered."""
        self.speed.value = min(max(speed, SPEEDS[0]), SPEEDS[-1])

    def faster(self) -> None:
        self.set_speed(self.speed.value * 2)

    def slower(self) -> None:
        self.set_speed(self.speed.value / 2)

    def loop_range(self, begin: float, end: float) -> None:
        """Loop the part between two points, in steps, from its beginning on. An empty part is refused by doing nothing."""
        steps = float(self.extent.value.steps)
        first, last = sorted((min(max(begin, 0.0), steps), min(max(end, 0.0), steps)))
        if last > first:
            self.range.value = (first, last)
            self.loop.value = True
            self._move_to(first)

    def advance(self, seconds: float) -> None:
        """Let time pass. While playing the position moves on; at the end it stops, or starts again if `loop` is set. What is held waits."""
        if not self.playing.value or self.held:
            return
        unit = self.unit.value
        begin, end = (self._to_units(time, unit) for time in self.range.value or (0.0, float(self.extent.value.steps)))
        passed = self._to_units(self.position.value.time, unit) + seconds * self.speed.value / SECONDS_PER_UNIT
        time = self._to_steps(min(passed, end), unit)
        if passed >= end and self.loop.value and end > begin:
            passed = begin + (passed - begin) % (end - begin)
            time = self._to_steps(passed, unit)
        else:
            time = max(time, self.position.value.time)  # to units and back may round down
        self._move_to(time)
        if passed >= end:
            self.pause()

    def _move_to(self, time: float) -> None:
        steps = self.extent.value.steps
        time = min(max(time, 0.0), float(steps))
        step = min(int(time), max(steps - 1, 0))
        self.position.value = Position(step, time - step)

    def _unit_bounds(self, unit: Unit) -> Sequence[int]:
        """The first step of each unit, and the end. A trace whose first tile starts late still starts at 0."""
        extent = self.extent.value
        if unit is Unit.STEP:
            return range(extent.steps + 1)
        starts = extent.bounds.get(unit, ())
        return (*(starts if starts[:1] == (0,) else (0, *starts)), extent.steps)

    def _to_units(self, time: float, unit: Unit) -> float:
        """A point in steps as a point in units: between its bounds a unit passes evenly."""
        bounds = self._unit_bounds(unit)
        if time >= bounds[-1]:
            return float(len(bounds) - 1)
        index = bisect_right(bounds, time) - 1
        return index + (time - bounds[index]) / (bounds[index + 1] - bounds[index])

    def _to_steps(self, units: float, unit: Unit) -> float:
        bounds = self._unit_bounds(unit)
        index = int(units)
        if index >= len(bounds) - 1:
            return float(bounds[-1])
        return bounds[index] + (units - index) * (bounds[index + 1] - bounds[index])
