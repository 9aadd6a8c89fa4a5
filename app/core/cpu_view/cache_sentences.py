"""Sentences about the caches: which level a value came from, and the words of a step that missed."""

from __future__ import annotations

import re
from collections import Counter
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


def geometry_brief(hierarchy: str, level: Level) -> Message:
    """Whose level it is, and how large; its sets and ways are drawn."""
    return message("{model}, {level}: {size}", model=preset_title(hierarchy), level=level.name, size=bytes_text(level.size))


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
    missed = _misses(caches, step)
    if not missed:
        return None
    first, level, source = missed[0], caches.levels[0].name, missed[0].found_in
    if any(each.found_in != source for each in missed):
        return _from_several(missed, level)
    written = list(dict.fromkeys(each.array for each in missed if each.write))
    arrays = [first.array] if first.write else list(dict.fromkeys(each.array for each in missed if not each.write))
    if written and not first.write:
        both = ("matrices", _listed(arrays)), ("written", _listed(written)), ("level", level), ("below", source)
        return Message(_READ_AND_WRITTEN[bool(source)].template, both)
    if len(arrays) > 1:
        matrices = _listed(arrays)
        if source:
            return message("Reads {matrices}: their cache lines are not in {level}, they come from {below}.",
                           matrices=matrices, level=level, below=source)  # fmt: skip
        return message("Reads {matrices}: their cache lines are in no cache, they come from memory.", matrices=matrices)
    lines = _lines(each for each in missed if (each.array, each.write) == (first.array, first.write))
    return Message(_WORDS[first.write, bool(source), len(lines) > 1].template,
                   (("matrix", first.array), ("level", level), ("below", source), ("count", len(lines))))  # fmt: skip


_READ_AND_WRITTEN = {
    True: message("Reads {matrices}, writes {written}: their cache lines are not in {level}, they come from {below}."),
    False: message("Reads {matrices}, writes {written}: their cache lines are in no cache, they come from memory."),
}
_WORDS = {
    (False, True, False): message("Reads {matrix}: the cache line is not in {level}, it comes from {below}."),
    (False, False, False): message("Reads {matrix}: the cache line is in no cache, it comes from memory."),
    (True, True, False): message("Writes {matrix}: the cache line is not in {level}, it comes from {below}."),
    (True, False, False): message("Writes {matrix}: the cache line is in no cache, it comes from memory."),
    (False, True, True): message("Reads {matrix}: {count} cache lines are not in {level}, they come from {below}."),
    (False, False, True): message("Reads {matrix}: {count} cache lines are in no cache, they come from memory."),
    (True, True, True): message("Writes {matrix}: {count} cache lines are not in {level}, they come from {below}."),
    (True, False, True): message("Writes {matrix}: {count} cache lines are in no cache, they come from memory."),
}


def _misses(caches: StageCaches, step: int) -> list[Lookup]:
    return [each for each in caches.lookups(step, 0) if not each.hit]


_FROM_SEVERAL = {
    (False,): message("Reads {matrices}: {count} cache lines are not in {level}: {places}."),
    (True,): message("Writes {matrices}: {count} cache lines are not in {level}: {places}."),
    (False, True): message("Reads and writes {matrices}: {count} cache lines are not in {level}: {places}."),
}


def _from_several(missed: list[Lookup], level: str) -> Message:
    """What was fetched from more than one place: how many lines from which."""
    found = Counter({each.line: each.found_in for each in missed}.values())
    places = [message("{count} in {level}", count=count, level=name) for name, count in sorted(found.items()) if name]
    places += [message("{count} in no cache", count=found[""])] if "" in found else []
    said = reduce(lambda first, second: message("{first}, {second}", first=first, second=second), places)
    words = _FROM_SEVERAL[tuple(sorted({each.write for each in missed}))]
    matrices = _listed(list(dict.fromkeys(each.array for each in missed)))
    return Message(words.template, (("matrices", matrices), ("count", found.total()), ("level", level), ("places", said)))


def _listed(arrays: list[str]) -> Message:
    if len(arrays) == 1:
        return message("{text}", text=arrays[0])
    return message("{first} and {other}", first=", ".join(arrays[:-1]), other=arrays[-1])


def miss_facts(caches: StageCaches, step: int) -> tuple[tuple[Message, Message], ...]:
    """What was fetched, where it was put, and what left for it: of each array's lines."""
    missed, size = _misses(caches, step), caches.levels[0].line
    if not missed:
        return ()
    arrays = [[each for each in missed if each.array == array] for array in dict.fromkeys(each.array for each in missed)]
    fetched = [message("{line}, {bytes} bytes", line=_lines_text(lines), bytes=size * len(lines)) for lines in map(_lines, arrays)]
    title = message("Fetched lines") if len(_lines(missed)) > 1 else message("Fetched line")
    left = map(_left, arrays if any(each.left for each in missed) else [missed])
    facts = (title, fetched), (message("Put in"), map(_put, arrays)), (message("Put out"), left)
    return tuple((title, _each(said)) for title, said in facts)


def _lines(lookups: Iterable[Lookup]) -> tuple[str, ...]:
    """The lines of some lookups, each once."""
    return tuple(dict.fromkeys(each.line for each in lookups))


def _lines_text(lines: tuple[str, ...]) -> Message:
    """The only line; of several how many, the first and the last."""
    if len(lines) == 1:
        return message("{line}", line=lines[0])
    return message("{count} lines, {first} to {last}", count=len(lines), first=lines[0], last=lines[-1])


def _each(said: Iterable[Message]) -> Message:
    """What is said of each array's lines, once where it is the same."""
    return reduce(lambda first, other: message("{first}; {other}", first=first, other=other), dict.fromkeys(said))


def _put(lookups: list[Lookup]) -> Message:
    sets, ways = ({each.set for each in lookups}, {each.way for each in lookups})
    if min(ways) < 0:
        return message("nowhere: the write goes past this level")
    if len(sets) == len(ways) == 1:
        return message("set {set}, way {way}", set=min(sets), way=min(ways))
    words = {
        (True, False): message("sets {sets}, way {ways}"),
        (False, True): message("set {sets}, ways {ways}"),
        (True, True): message("sets {sets}, ways {ways}"),
    }[len(sets) > 1, len(ways) > 1]
    return Message(words.template, (("sets", numbers_text(sets)), ("ways", numbers_text(ways))))


def numbers_text(numbers: Iterable[int]) -> str:
    """Numbers in ascending order, those that follow each other as a range: 0–3, 6."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


_NAMED = 2
"""Lines that left, of which each is named."""


def _left(lookups: list[Lookup]) -> Message:
    """The lines that left; of more than two how many of which array: they leave in no order that first and last would tell."""
    lines = tuple(dict.fromkeys(each.left for each in lookups if each.left))
    if len(lines) > _NAMED:
        arrays = Counter(re.split(r"[\[+]", each)[0] for each in lines)
        said = [message("{count} of {matrix}", count=count, matrix=name) for name, count in arrays.items()]
        each_said = reduce(lambda first, second: message("{first}, {second}", first=first, second=second), said)
        return message("{count} lines: {arrays}", count=len(lines), arrays=each_said)
    if lines:
        return message("{text}", text=", ".join(lines))
    return message("nothing: the ways were empty") if len(lookups) > 1 else message("nothing: the way was empty")


def tell_of_caches(description: StepDescription, caches: StageCaches, step: int) -> StepDescription:
    """The description of a step; where it misses the nearest cache, with what was fetched, from where and in whose place."""
    sentence = miss_sentence(caches, step)
    if sentence is None:
        return description
    return replace(description, sentence=sentence, facts=(*description.facts[:1], *miss_facts(caches, step)))
