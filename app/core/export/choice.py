"""Choice of what the window exports, as one value whose habits are remembered, with the range of the timeline that a clip shows."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum

from app.core.export.kinds import (
    CLIPS,
    COLOURS,
    FIGURES,
    PLAYERS,
    RATES,
    REPORTS,
    SCALED,
    TABLES,
    PictureSize,
    refuse_clip,
    refuse_figure,
    refuse_player,
)
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

TRAVELS_BELOW = 5.0
"""Steps a second from which on nothing travels: the pictures go from step to step."""
SLOWEST, FASTEST = 0.1, 10_000.0
"""Steps a second."""


@dataclass(frozen=True, slots=True)
class Range:
    """Range of a clip in time: from the beginning of the step of index `first` (0 is that of the first) to the end of the one before index
    `last`, which the last picture shows. `rate` pictures and `speed` steps pass in a second.
    """

    first: int
    last: int
    rate: int
    speed: float

    @property
    def frames(self) -> int:
        """How many pictures that are: as many of the last step as of the others."""
        whole = math.ceil((self.last - self.first) * self.rate / self.speed)
        return max(whole, math.ceil((self._end - self.first) * self.rate / self.speed) + 1)

    def moment(self, frame: int) -> float:
        """The time of a picture, in steps: `first` is that of the first one; the last one is in the last step."""
        time = min(self.first + frame * self.speed / self.rate, self._end)
        return time if self._travels else math.floor(time)

    @property
    def _travels(self) -> bool:
        return self.speed < TRAVELS_BELOW

    @property
    def _end(self) -> float:
        """The time of the last picture: while data travels, all of it has arrived there."""
        return math.nextafter(self.last, self.first) if self._travels else self.last - 1.0


def refuse_range(chosen: Range, steps: int) -> Message | None:
    """Why the trace of so many steps has no such range, or None."""
    if not steps:
        return message("There is nothing to animate.")
    if chosen.first < 0:
        return message("The first step is 1, not {step}.", step=chosen.first + 1)
    if chosen.last > steps:
        return message("The range ends at step {last}; the trace has {steps} steps.", last=chosen.last, steps=steps)
    if chosen.first >= chosen.last:
        return message("The range must end after it begins: from step {first} to {last} there is nothing.",
                       first=chosen.first + 1, last=chosen.last)  # fmt: skip
    return None


SIZES = ((960, 540), (960, 600), (1000, 562), (1000, 600), (1280, 720), (1600, 900), (1920, 1080), (1000, 1000), (1200, 1600))
"""Width and height that are offered."""
SCALES = (1, 2, 3, 4, 8)
USUAL_STEPS = 60
"""How many steps of a trace a clip has at first."""
LEAD = 10
"""How many of them come before what is worth seeing."""
_USUAL = PictureSize(1600, 900, 2)


def usual_begin(shown: int, computes: int) -> int:
    """The index at which a range begins that nobody has chosen: a little before the step that is `shown`; of a trace at its beginning a
    little before the first one that `computes`, where the range would hardly reach that."""
    if shown:
        return max(0, shown - LEAD)
    return computes - LEAD if computes > USUAL_STEPS - LEAD else 0


class What(StrEnum):
    """The kinds of export that the window has."""

    FIGURE = "figure"
    CLIP = "clip"
    PLAYER = "player"
    """A range of the timeline as a page that plays in a browser."""
    CURVES = "curves"
    """The times that the chart shows, as a table."""
    MEASUREMENTS = "measurements"
    """All times that were measured here, as a table."""
    REPORT = "report"
    """The lab report on the ticked rungs."""


class Of(StrEnum):
    """Subject of a figure: the stage, or one of the pictures of times."""

    STAGE = "stage"
    CURVES = "curves"
    LADDER = "ladder"
    USES = "uses"
    TUNING = "tuning"


KINDS = {
    What.FIGURE: message("Figure"), What.CLIP: message("Clip"), What.PLAYER: message("Player"), What.CURVES: message("Curves"),
    What.MEASUREMENTS: message("Points"), What.REPORT: message("Report"),
}  # fmt: skip
MOVING = (What.CLIP, What.PLAYER)
ENDINGS = {
    What.FIGURE: FIGURES, What.CLIP: CLIPS, What.PLAYER: PLAYERS, What.CURVES: TABLES, What.MEASUREMENTS: TABLES, What.REPORT: REPORTS,
}  # fmt: skip

_FORMATS = {What.FIGURE: "figure", What.CLIP: "clip", What.CURVES: "table", What.MEASUREMENTS: "table", What.REPORT: "report"}


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """Choice of what is exported, and how. `view` is the number of the view that is alone on the picture, 0: all. A clip goes from step
    `first` through step `last`, counted from 1 as they are shown."""

    what: What = What.FIGURE
    of: Of = Of.STAGE
    view: int = 0
    figure: str = FIGURES[0]
    clip: str = CLIPS[0]
    table: str = TABLES[0]
    report: str = REPORTS[0]
    size: PictureSize = _USUAL
    colours: str = COLOURS[0]
    first: int = 1
    last: int = 0
    rate: int = 15
    speed: int = 15

    @property
    def ending(self) -> str:
        """Ending of the file that is written."""
        if self.what is What.PLAYER:
            return PLAYERS[0]
        return str(getattr(self, _FORMATS[self.what]))

    def ending_with(self, ending: str) -> ExportChoice:
        """Return the same choice with another format of this kind."""
        return self if self.what is What.PLAYER else replace(self, **{_FORMATS[self.what]: ending})  # type: ignore[arg-type]  # each of the four is text

    @property
    def range(self) -> Range:
        """Range of the timeline that a clip shows."""
        return Range(self.first - 1, self.last, self.rate, float(self.speed))

    @property
    def scaled(self) -> bool:
        """Whether the file has pixels, so that its scale matters."""
        return self.what is What.CLIP or (self.what is What.FIGURE and self.figure in SCALED)

    def refuse_time(self, name: str, value: int, steps: int) -> Message | None:
        """Why one of the times cannot be this whatever the others are, or None."""
        if name == "first":
            return refuse_range(replace(self, first=value, last=max(value, steps)).range, steps)
        if name == "last":
            return refuse_range(replace(self, first=1, last=value).range, steps)
        if name == "rate" and not RATES[0] <= value <= RATES[1]:
            return message("{name} must be from {least} to {most}.", name=message("Pictures a second"), least=RATES[0], most=RATES[1])
        if name == "speed" and value < 1:
            return message("{name} must be at least {minimum}, not {value}.", name=message("Steps a second"), minimum=1, value=value)
        return None

    def refusal(self, steps: int) -> Message | None:
        """Why this cannot be exported while a trace of so many steps is shown, or None."""
        if self.what is What.FIGURE:
            return refuse_figure(self.size if self.scaled else replace(self.size, scale=1))
        if self.what is What.PLAYER:
            return refuse_range(self.range, steps) or refuse_player(self.size, self.last - self.first + 1)
        if self.what is not What.CLIP:
            return None
        alone = self.refuse_time("rate", self.rate, steps) or self.refuse_time("speed", self.speed, steps)
        return alone or refuse_range(self.range, steps) or refuse_clip(self.size, self.range.frames, self.rate, self.clip)

    def over(self, begin: int, steps: int) -> ExportChoice:
        """Return the choice with a range of the usual length that begins at index `begin`, or earlier where the trace of so many steps ends
        before.
        """
        last = min(begin + USUAL_STEPS, steps)
        return replace(self, first=max(0, last - USUAL_STEPS) + 1, last=last)

    @property
    def habits(self) -> str:
        """The habits of the choice as text, which are remembered until the next start."""
        size = self.size
        return " ".join(
            map(str, (self.figure, self.clip, self.table, self.report, size.width, size.height, size.scale, self.colours, self.rate))
        )


LONGEST_NUMBER = 6
"""Digits of what is remembered."""


def with_habits(text: str) -> ExportChoice:
    """A choice with what was remembered; what cannot be understood counts as not remembered."""
    words, usual = text.split(), ExportChoice()
    if len(words) != 9 or not all(word.isdecimal() and len(word) < LONGEST_NUMBER for word in (*words[4:7], words[8])):
        return usual
    figure, clip, table, report, width, height, scale, colours, rate = words
    size = PictureSize(int(width), int(height), int(scale))
    formats = figure in FIGURES and clip in CLIPS and table in TABLES and report in REPORTS
    known = formats and colours in COLOURS and RATES[0] <= int(rate) <= RATES[1]
    if not known or (size.width, size.height) not in SIZES or size.scale not in SCALES:
        return usual
    return replace(usual, figure=figure, clip=clip, table=table, report=report, size=size, colours=colours, rate=int(rate), speed=int(rate))
