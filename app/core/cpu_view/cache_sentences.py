"""Sentences about the caches: which level a value came from, and the words of a step that missed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from app.core.base.picture_parts import Verdict
from app.core.cpu_view.addresses import bytes_text
from app.core.cpu_view.caches import Lookup, StageCaches
from app.core.frames.step_description import StepDescription
from kernels.base.messages import Message, message
from kernels.cachesim.geometry import Level
from kernels.cachesim.presets import MACHINE, SCALED

_MISSED = 2.0
_FROM_MEMORY = 8.0
"""How a verdict is drawn: outlined where a level below has the line, filled where only memory has it."""


_PRESETS = {SCALED: message("Scaled model"), MACHINE: message("This machine")}


def preset_title(name: str) -> Message:
    """What a hierarchy of this name is called: processors by theirs."""
    return _PRESETS.get(name) or message("{text}", text=name)


def ways_text(level: Level) -> Message:
    """What a level is like, in a few words."""
    return message("{level}: {sets} sets × {ways} ways", level=level.name, sets=level.sets, ways=level.ways)


def geometry_text(hierarchy: str, level: Level) -> Message:
    """Whose level it is, and what it is like."""
    return message(
        "{model}, {level}: {sets} sets × {ways} ways × {line} bytes = {size}", model=preset_title(hierarchy), level=level.name,
        sets=level.sets, ways=level.ways, line=level.line, size=bytes_text(level.size),
    )  # fmt: skip


def source_of(caches: StageCaches, access: int) -> str:
    """The name of the level where an access found its line; "" where only memory had it."""
    for level, seen in zip(caches.levels, caches.history.levels, strict=True):
        events = seen.events_of(access)
        if events.start < events.stop and bool(seen.found[events].all()):
            return level.name
    return ""


def verdict_of(caches: StageCaches, step: int) -> Verdict | None:
    """Hit or miss in the first level, and where what missed was found; the worst of the step's accesses counts."""
    accesses = caches.accesses_of(step)
    if not accesses:
        return None
    sources = [source_of(caches, access) for access in accesses]
    first = caches.levels[0].name
    missed = [source for source in sources if source != first]
    if not missed:
        return Verdict(message("hit in {level}", level=first), 1)
    brief = message("miss in {level}", level=first)
    if "" in missed:
        return Verdict(message("miss in {level}, from memory", level=first), _FROM_MEMORY, brief)
    return Verdict(message("miss in {level}, hit in {below}", level=first, below=max(missed)), _MISSED, brief)


def miss_sentence(caches: StageCaches, step: int) -> Message | None:
    """What the misses of the step fetched, and from where; None where everything was in the first level."""
    missed = _missed(caches, step)
    if not missed:
        return None
    first, level, source = missed[0], caches.levels[0].name, source_of(caches, missed[0].access)
    if len(missed) > 1:
        matrices = message("{first} and {other}", first=", ".join(each.array for each in missed[:-1]), other=missed[-1].array)
        if source:
            return message("Reads {matrices}: their cache lines are not in {level}, they come from {below}.",
                           matrices=matrices, level=level, below=source)  # fmt: skip
        return message("Reads {matrices}: their cache lines are in no cache, they come from memory.", matrices=matrices)
    words = {
        (False, True): message("Reads {matrix}: the cache line is not in {level}, it comes from {below}."),
        (False, False): message("Reads {matrix}: the cache line is in no cache, it comes from memory."),
        (True, True): message("Writes {matrix}: the cache line is not in {level}, it comes from {below}."),
        (True, False): message("Writes {matrix}: the cache line is in no cache, it comes from memory."),
    }[first.write, bool(source)]
    return Message(words.template, (("matrix", first.array), ("level", level), ("below", source)))


def _missed(caches: StageCaches, step: int) -> list[Lookup]:
    """The first miss of the step; where it reads, that of each other array that is read from the same place."""
    missed = [each for each in caches.lookups(step, 0) if not each.hit]
    if not missed or missed[0].write:
        return missed[:1]
    source = source_of(caches, missed[0].access)
    alike = [each for each in missed if not each.write and source_of(caches, each.access) == source]
    found: dict[str, Lookup] = {}
    for each in alike:
        found.setdefault(each.array, each)
    return list(found.values())


def miss_facts(caches: StageCaches, step: int) -> tuple[tuple[Message, Message], ...]:
    """What was fetched, where it was put, and what left for it."""
    missed, level = _missed(caches, step), caches.levels[0]
    if not missed:
        return ()
    fetched = [message("{line}, {bytes} bytes", line=each.line, bytes=level.line) for each in missed]
    facts = (message("Fetched line"), fetched), (message("Put in"), map(_put, missed)), (message("Put out"), map(_left, missed))
    return tuple((title, _each(said)) for title, said in facts)


def _each(said: Iterable[Message]) -> Message:
    """What is said of each miss, once where it is the same."""
    return reduce(lambda first, other: message("{first}; {other}", first=first, other=other), dict.fromkeys(said))


def _put(lookup: Lookup) -> Message:
    if lookup.way < 0:
        return message("nowhere: the write goes past this level")
    return message("set {set}, way {way}", set=lookup.set, way=lookup.way)


def _left(lookup: Lookup) -> Message:
    return message("{line}", line=lookup.left) if lookup.left else message("nothing: the way was empty")


def tell_of_caches(description: StepDescription, caches: StageCaches, step: int) -> StepDescription:
    """The description of a step; where it misses the nearest cache, with what was fetched, from where and in whose place."""
    sentence = miss_sentence(caches, step)
    if sentence is None:
        return description
    return replace(description, sentence=sentence, facts=(*description.facts[:1], *miss_facts(caches, step)))
