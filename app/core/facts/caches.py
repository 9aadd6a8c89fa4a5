"""Counts of a CPU kernel whose accesses are led through a model of the caches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.core.facts.fact import Fact, Value
from kernels.cachesim.count import Counts, LevelCounts, Tally, count, refuse_count
from kernels.cachesim.presets import SCALED, preset
from kernels.messages import Message, message

Count = Callable[[Counts, Fact], Value | Message]


def count_in_caches(fact: Fact) -> Value | Message:
    """The answer to a fact about caches: `preset`, `level` (the nearest where none is named) and `array` choose what is counted."""
    setting = fact.of
    counts = refuse_count(setting.variant) or count(
        setting.variant, setting.problem, setting.parameters, preset(fact.text("preset", SCALED)), classified=fact.count in KINDS
    )
    return counts if isinstance(counts, Message) else COUNTS[fact.count](counts, fact)


def _of_tally(name: str) -> Count:
    def found(counts: Counts, fact: Fact) -> Value | Message:
        level = _level(counts, fact)
        if isinstance(level, Message):
            return level
        array = fact.text("array")
        tally = level.arrays.get(array, Tally()) if array else level.total
        return float(getattr(tally, name))

    return found


def _of_kind(name: str) -> Count:
    def found(counts: Counts, fact: Fact) -> Value | Message:
        level = _level(counts, fact)
        if isinstance(level, Message):
            return level
        return (
            message("The misses of {level} are not told apart.", level=level.level.name)
            if level.kinds is None
            else float(getattr(level.kinds, name))
        )

    return found


def _of_level(name: str) -> Count:
    """What a level is like, whatever goes through it."""

    def found(counts: Counts, fact: Fact) -> Value | Message:
        level = _level(counts, fact)
        return level if isinstance(level, Message) else float(getattr(level.level, name))

    return found


KINDS: Mapping[str, Count] = {name: _of_kind(name) for name in ("compulsory", "capacity", "conflict")}
COUNTS: Mapping[str, Count] = {
    **{name: _of_tally(name) for name in ("accesses", "misses", "reads", "writes", "read_misses", "write_misses")},
    **KINDS,
    "cache_bytes": _of_level("size"),
    "line_bytes": _of_level("line"),
    "sets": _of_level("sets"),
}


def _level(counts: Counts, fact: Fact) -> LevelCounts | Message:
    name = fact.text("level")
    if not name:
        return counts.levels[0]
    found = next((level for level in counts.levels if level.level.name == name), None)
    return found or message("There is no cache {level} here.", level=name)
