"""The clock of the stage: where in the trace it stands, and how it moves. Time is given to it, never read."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.core.observable import Field

SPEEDS = tuple(2.0**power for power in range(-2, 7))
"""The speeds offered, a quarter to 64 times, each twice the one before."""
SECONDS_PER_UNIT = 0.8
"""How long one unit (a step or a whole tile) takes at speed 1."""


class Unit(StrEnum):
    """What one press of a stepping button moves by, and what the speed counts."""

    STEP = "step"
    TILE = "tile"


@dataclass(frozen=True, slots=True)
class Position:
    """`step` is under way and `fraction` of it, from 0 to 1, is done. Only the last step rests at 1: the end."""

    step: int = 0
    fraction: float = 0.0

    @property
    def time(self) -> float:
        """Steps done, as one number."""
        return self.step + self.fraction


@dataclass(frozen=True, slots=True)
class Extent:
    """How long a trace is: its number of steps and the first step of each tile."""

    steps: int = 0
    tiles: tuple[int, ...] = ()


class Timeline:
    """Moves a position over the steps of a trace: play, pause, step, scrub. Without a trace nothing moves."""

    def __init__(self) -> None:
        self.extent = Field(Extent())
        self.position = Field(Position())
        self.playing = Field(value=False)
        self.speed = Field(1.0)
        self.unit = Field(Unit.STEP)
        self.loop = Field(value=False)

    def load(self, steps: int, tiles: Sequence[int], progress: float = 0.0) -> None:
        """Stand over another trace, at `progress` (0 to 1) of it; `tiles` are the first steps of its tiles, in order."""
        extent = Extent(steps, tuple(tiles))
        if not steps:
            self.playing.value = False
        self.extent.value = extent
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
        if self.unit.value is Unit.TILE:
            self.next_tile()
        else:
            self.scrub(math.floor(self.position.value.time) + 1)

    def back(self) -> None:
        """Pause, and go to the beginning of this unit, or of the one before if already there."""
        if self.unit.value is Unit.TILE:
            self.previous_tile()
        else:
            self.scrub(math.ceil(self.position.value.time) - 1)

    def next_tile(self) -> None:
        """Pause, and go to the first step of the next tile."""
        bounds = self._unit_bounds(Unit.TILE)
        self.scrub(bounds[min(bisect_right(bounds, self.position.value.time), len(bounds) - 1)])

    def previous_tile(self) -> None:
        """Pause, and go to the first step of this tile, or of the one before if already there."""
        bounds = self._unit_bounds(Unit.TILE)
        self.scrub(bounds[max(bisect_left(bounds, self.position.value.time) - 1, 0)])

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

    def advance(self, seconds: float) -> None:
        """Let time pass. While playing the position moves on; at the end it stops, or starts again if `loop` is set."""
        if not self.playing.value:
            return
        unit = self.unit.value
        count = len(self._unit_bounds(unit)) - 1
        passed = self._to_units(self.position.value.time, unit) + seconds * self.speed.value / SECONDS_PER_UNIT
        if passed >= count and self.loop.value:
            passed %= count
        self._move_to(self._to_steps(passed, unit))
        if passed >= count:
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
        starts = extent.tiles if extent.tiles[:1] == (0,) else (0, *extent.tiles)
        return (*starts, extent.steps)

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
