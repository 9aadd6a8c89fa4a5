"""Times that several sides measured in turn, compared turn by turn, and how a window's event loop fared meanwhile."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.disturbance_sentences import DISTURBED_BY, DISTURBED_SHARE
from tests.perf.figures import p99

COMMAND, AGAIN = "command", "again"
"""The side that the others are compared with, and the same once more, as the control."""
SHORT_MS = 0.1
"""Below it twice as much is allowed."""
ALLOWED, ALLOWED_SHORT = 1.05, 1.10
DIP = 0.9
"""A rate below this part of both its neighbours' is a dip."""
GAP_MS = 50.0

Found = Mapping[str, Any]
"""One result as `tilescope sweep --json` writes it."""
Key = tuple[str, int, str]
"""Of a point: variant, n, and the parameters as text."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side measured in one turn: `side` is a front of the window, the command, or the command again.

    `ticks` tells how the window's event loop fared (`measured_window`), `shown_s` of a turn without results how long its start took.
    """

    side: str
    number: int
    results: Sequence[Found]
    ticks: Mapping[str, Any] = field(default_factory=dict)
    shown_s: float = 0.0


def key_of(result: Found) -> Key:
    """The point of a result."""
    return result["id"], result["n"], ",".join(f"{name}={value}" for name, value in result["parameters"].items())


def by_point(turns: Iterable[Turn], side: str) -> dict[Key, dict[int, Found]]:
    """The results of a side, by point and number of the turn."""
    found: dict[Key, dict[int, Found]] = {}
    for turn in turns:
        for result in turn.results if turn.side == side else ():
            found.setdefault(key_of(result), {})[turn.number] = result
    return found


@dataclass(frozen=True, slots=True)
class Ratio:
    """A point as a side and the command measured it, turn by turn, ms."""

    key: Key
    mine: Sequence[float]
    command: Sequence[float]

    @property
    def pairs(self) -> list[float]:
        """The side's time over the command's in each turn."""
        return [one / other for one, other in zip(self.mine, self.command, strict=True)]

    @property
    def median(self) -> float:
        """Of the pairs."""
        return statistics.median(self.pairs)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between which half of the pairs lie."""
        if len(self.mine) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.pairs, n=4, method="inclusive")
        return low, high

    @property
    def between(self) -> str:
        """The quartiles as text."""
        return "{:.3f}-{:.3f}".format(*self.quartiles)

    @property
    def apart(self) -> float:
        """The median or its inverse: how far apart, whoever is the faster."""
        return max(self.median, 1 / self.median)

    @property
    def short(self) -> bool:
        """Whether it is a time that may differ by more."""
        return statistics.median(self.command) < SHORT_MS

    @property
    def allowed(self) -> float:
        return ALLOWED_SHORT if self.short else ALLOWED


def ratios(turns: Sequence[Turn], side: str) -> list[Ratio]:
    """Of the points that both have verified times of in the same turns, in the order of the ladder."""
    mine, its = by_point(turns, side), by_point(turns, COMMAND)
    found = []
    for key in sorted(mine, key=lambda key: (_place(key), key)):
        both = [(one["median_ms"], other["median_ms"]) for number, one in mine[key].items()
                if (other := its.get(key, {}).get(number)) is not None and one["verified"] and other["verified"]]  # fmt: skip
        if both:
            found.append(Ratio(key, *zip(*both, strict=True)))
    return found


def _place(key: Key) -> int:
    return [each.id for each in VARIANTS].index(key[0])


def agrees(ratio: Ratio, control: Ratio | None) -> str:
    """How a ratio agrees: "" within what is allowed, "~" no further than half of the control's pairs, "*" it does not."""
    if ratio.apart <= ratio.allowed:
        return ""
    return "~" if control is not None and control.quartiles[0] <= ratio.median <= control.quartiles[1] else "*"


def dips(turns: Sequence[Turn], side: str) -> list[Key]:
    """Points where the side's rate lies below both its neighbours' along n, and the command's does not lie as low."""
    mine, its = _depths(turns, side), _depths(turns, COMMAND)
    return [key for key, depth in mine.items() if depth < DIP and key in its and its[key] > depth * ALLOWED]


def _depths(turns: Sequence[Turn], side: str) -> dict[Key, float]:
    """Each point's rate over the lower one of its two neighbours' along n."""
    curves: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for (variant, n, parameters), results in by_point(turns, side).items():
        rates = [rate for each in results.values() if each["verified"] and (rate := each.get("gflops") or each.get("gbytes_per_s"))]
        if rates:
            curves.setdefault((variant, parameters), []).append((n, statistics.median(rates)))
    return {
        (variant, n, parameters): rate / min(left, right)
        for (variant, parameters), curve in curves.items()
        for (_, left), (n, rate), (_, right) in zip(sorted(curve), sorted(curve)[1:], sorted(curve)[2:], strict=False)
    }


def disturbed(results: Iterable[Found]) -> str:
    """In how many turns, how much at most, by whom; "-" where nobody did."""
    told = [each["conditions"] for each in results]
    marked = [each for each in told if each.get(DISTURBED_SHARE)]
    causes = sorted({cause for each in marked for cause in str(each.get(DISTURBED_BY, "")).split(",") if cause})
    most = max((each[DISTURBED_SHARE] for each in marked), default=0)
    return f"{len(marked)} of {len(told)}, {100 * most:.0f} % {'+'.join(causes)}".rstrip() if marked else "-"


def lines(turns: Sequence[Turn]) -> Iterator[str]:
    """A table for each side beside the command, what all come to, and how the windows fared."""
    sides = [each for each in dict.fromkeys(turn.side for turn in turns) if each not in (COMMAND, AGAIN)]
    control = {each.key: each for each in ratios(turns, AGAIN)}
    wide = max((len(key[2]) for side in sides for key in by_point(turns, side)), default=0)
    for side in sides:
        yield f"\nwindow, {side} in front, beside the command; times in ms"
        yield (f"{'variant':<27} {'n':>5} {'parameters':<{wide}} {'window':>9} {'command':>9} {'pairs':>5} {'ratio':>7} "
               f" {'half within':<13} {'control, half within':<21} who disturbed: window | command")  # fmt: skip
        its, commands = by_point(turns, side), by_point(turns, COMMAND)
        for ratio in ratios(turns, side):
            yield _row(ratio, control.get(ratio.key), its[ratio.key].values(), commands[ratio.key].values(), wide)
        yield from _lacking(turns, side, wide)
    yield ""
    for side in (*sides, AGAIN):
        yield from _summary(turns, side, control)
    yield "\nthe windows' event loop, ms late, and their interface thread"
    for side in sides:
        yield from map(str, fared(turns, side))


def _row(ratio: Ratio, control: Ratio | None, mine: Iterable[Found], its: Iterable[Found], wide: int) -> str:
    variant, n, parameters = ratio.key
    beside = "" if control is None else f"{control.median:.3f}, {control.between}"
    return (
        f"{variant:<27} {n:>5} {parameters:<{wide}} {statistics.median(ratio.mine):>9.4g} {statistics.median(ratio.command):>9.4g}"
        f" {len(ratio.mine):>5} {ratio.median:>7.3f}{agrees(ratio, control):<1} {ratio.between:<13} {beside:<21}"
        f" {disturbed(mine)} | {disturbed(its)}"
    )


def _lacking(turns: Sequence[Turn], side: str, wide: int) -> Iterator[str]:
    """Of what there is no ratio, and why."""
    there = {each.key for each in ratios(turns, side)}
    mine, its = by_point(turns, side), by_point(turns, COMMAND)
    for key in dict.fromkeys((*mine, *its)):
        if key not in there:
            yield f"{key[0]:<27} {key[1]:>5} {key[2]:<{wide}} {_outcome(mine.get(key))} | {_outcome(its.get(key))}"


def _outcome(results: Mapping[int, Found] | None) -> str:
    if not results:
        return "not measured"
    last = list(results.values())[-1]
    return f"{last['status']}: {last['reason']}" if last["reason"] else str(last["status"])


def _summary(turns: Sequence[Turn], side: str, control: Mapping[Key, Ratio]) -> Iterator[str]:
    """How many points agree, the worst of the short and of the others, and the dips."""
    found, name = ratios(turns, side), "command, control" if side == AGAIN else f"window, {side}"
    for short, allowed in ((False, ALLOWED), (True, ALLOWED_SHORT)):
        these = [each for each in found if each.short is short]
        if these:
            worst = max(these, key=lambda each: each.apart)
            within = sum(each.apart <= allowed for each in these)
            scattered = 0 if side == AGAIN else sum(agrees(each, control.get(each.key)) == "~" for each in these)
            yield (f"{name}, {'below' if short else 'from'} {SHORT_MS} ms{'' if short else ' on'}: {within} of {len(these)} points within"
                   f" {100 * (allowed - 1):.0f} %{f', {scattered} more as far as the control' if scattered else ''},"
                   f" worst {worst.median:.3f} ({_named(worst.key)})")  # fmt: skip
    if found:
        yield f"{name}: median of all points {statistics.median(each.median for each in found):.3f}"
    if side != AGAIN:
        yield f"{name}: dips that the command does not have: {', '.join(map(_named, dips(turns, side))) or 'none'}"


def _named(key: Key) -> str:
    return f"{key[0]} at n = {key[1]}"


@dataclass(frozen=True, slots=True)
class Fared:
    """How a window's event loop fared in a phase, ms late; of the longest gap what was its own work, and for what it had no core."""

    side: str
    phase: str
    p99_ms: float
    longest_ms: float
    own_ms: float
    waited_ms: float
    over: int
    """Gaps of more than 50 ms; `over_own` of them without the time that it had no core."""
    over_own: int
    share: float
    seconds: float
    shown_s: float

    def __str__(self) -> str:
        shown = f", seen after {self.shown_s:.2f} s" if self.shown_s else ""
        return (
            f"{self.side:<6} in front, {self.phase:<17} p99 {self.p99_ms:6.1f}  longest {self.longest_ms:6.1f} (own work {self.own_ms:.1f},"
            f" no core for {self.waited_ms:.1f}); over {GAP_MS:.0f}: {self.over}, without waiting for a core {self.over_own};"
            f" {100 * self.share:.1f} % of a core in {self.seconds:.0f} s{shown}"
        )


def fared(turns: Sequence[Turn], side: str) -> Iterator[Fared]:
    """The start, the first measurement, and all later ones."""
    mine = [turn for turn in turns if turn.side == side and turn.ticks]
    measuring = [turn for turn in mine if turn.results]
    phases = {"opening": [turn for turn in mine if not turn.results], "first measurement": measuring[:1], "measuring": measuring[1:]}
    for phase, these in phases.items():
        if these:
            late, own, waited = ([each for turn in these for each in turn.ticks[name]] for name in ("late", "own", "waited"))
            longest, seconds = max(range(len(late)), key=late.__getitem__), sum(turn.ticks["seconds"] for turn in these)
            yield Fared(
                side, phase, p99(late), late[longest], own[longest], waited[longest], sum(each > GAP_MS for each in late),
                sum(each - without > GAP_MS for each, without in zip(late, waited, strict=True)),
                sum(turn.ticks["share"] * turn.ticks["seconds"] for turn in these) / seconds, seconds, max(turn.shown_s for turn in these),
            )  # fmt: skip
