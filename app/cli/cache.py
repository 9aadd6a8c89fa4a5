"""`tilescope cache`: what a variant's accesses to memory meet in the caches, counted from its own source."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict, replace

from app.cli.base.console import Console, aligned
from app.cli.base.errors import Refused, accept, require
from app.cli.base.heartbeat import at_work, beating
from app.cli.base.options import parameter_options, problem_sizes
from app.cli.base.parser import Group
from app.cli.base.request import as_typed, run_point
from app.cli.base.sentences import size_text
from app.core.base.parsing import one_of, shown
from app.core.tuning.sentences import settings_text
from kernels.base.limits import Limits, refuse
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES
from kernels.cachesim.count import Counts, LevelCounts, MissCount, count, refuse_count
from kernels.cachesim.execute import addresses_of
from kernels.cachesim.geometry import Hierarchy, parse_levels, with_tlb
from kernels.cachesim.presets import MACHINE, PRESETS, preset
from kernels.catalogue.case import Case
from kernels.jit.compile import set_cache_directory
from kernels.measure.export import point_object

OWN = "given"
"""The name of a hierarchy that the command line gives."""


def add_options(group: Group) -> None:
    """Add a CPU variant and caches."""
    problem_sizes(group)
    group.option("--level", "NAME:SIZE:WAYS:LINE[:lru|plru|fifo][:wb|wt]", message(
        "a cache, sizes in bytes, the nearest first; may be repeated"
    ), action="append", default=[])  # fmt: skip
    group.option("--preset", "NAME", message("the caches of a processor: {choices}", choices=", ".join(PRESETS)))
    parameter_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Count and write the result; what goes wrong is refused."""
    asked = run_point(options)
    point = _on_one_thread(asked)
    hierarchy = _hierarchy(options)
    require(refuse_count(point.variant))
    reason = refuse(point.variant, point.problem, point.parameters, Limits(memory_bytes=free_memory_bytes()))
    require(as_typed(reason, point.variant))
    set_cache_directory(console.places.numba_cache)
    counted = _Counted(point.variant_id)
    with beating(counted.words, console):
        counts = accept(count(point.variant, point.problem, point.parameters, hierarchy, classified=True, tell=counted.add))
    if options.json:
        console.print_json(_entry(point, counts))
    else:
        _print(point, counts, console)
    if point != asked:
        console.tell(console.text(message("{variant}: counted on one thread.", variant=point.variant_id)))
    return 0


class _Counted:
    """Progress of a count."""

    def __init__(self, variant_id: str) -> None:
        self._variant_id = variant_id
        self._accesses = 0

    def add(self, accesses: int) -> None:
        self._accesses += accesses

    def words(self, seconds: int) -> Message:
        if not self._accesses:
            return at_work(self._variant_id)(seconds)
        millions = self._accesses / 1e6
        return message(
            "{variant}: {millions} million accesses after {seconds} s", variant=self._variant_id, millions=millions, seconds=seconds
        )


def _on_one_thread(point: Case) -> Case:
    """Find what is counted: a kernel that shares its work out does all of it in one thread there."""
    if point.parameters.get("threads", 1) == 1 or point.variant.library:
        return point
    return replace(point, parameters={**point.parameters, "threads": 1})


def _hierarchy(options: argparse.Namespace) -> Hierarchy:
    if not options.level:
        return preset(accept(one_of("--preset", options.preset or MACHINE, PRESETS)))
    if options.preset is not None:
        raise Refused(message("{one} and {other} exclude each other.", one="--level", other="--preset"))
    return Hierarchy(OWN, accept(parse_levels("--level", [shown(text, length=80) for text in options.level])))


def _entry(point: Case, counts: Counts) -> dict[str, object]:
    return {
        **point_object(point),
        "hierarchy": counts.hierarchy.name,
        "levels": [_level_entry(level) for level in counts.levels],
        "tlb": None if counts.tlb is None else _level_entry(counts.tlb),
        "arrays": _array_entries(counts),
        "lines": _line_entries(counts),
    }


def _level_entry(counted: LevelCounts) -> dict[str, object]:
    level = counted.level
    return {
        "name": level.name,
        **asdict(counted.total),
        "write_backs": counted.write_backs,
        "misses_by_kind": None if counted.kinds is None else asdict(counted.kinds),
        "size": level.size,
        "ways": level.ways,
        "line": level.line,
        "replacement": level.replacement,
        "writing": level.writing,
    }


def _array_entries(counts: Counts) -> dict[str, object]:
    """List for each array where it lies, its accesses, and what became of them at each level."""
    addresses = addresses_of(counts.problem.shapes)
    entries: dict[str, object] = {}
    for name, missed in counts.levels[0].arrays.items():
        place: dict[str, object] = {}
        if name in counts.problem.shapes:
            rows, columns = counts.problem.shapes[name]
            place = {"address": addresses[name], "bytes": rows * columns * FLOAT32_BYTES}
        levels = [{"name": level.level.name, **asdict(level.arrays.get(name, MissCount()))} for level in counts.levels]
        entries[name] = {**place, **asdict(missed), "levels": levels}
    return entries


def _line_entries(counts: Counts) -> list[dict[str, object]]:
    """List for each line of source that touches memory, in their order, what became of its accesses at each level."""
    return [
        {
            "source": place.source,
            "line": place.line,
            "levels": [{"name": level.level.name, **asdict(level.lines.get(place, MissCount()))} for level in counts.levels],
        }
        for place in sorted(counts.levels[0].lines, key=lambda place: (place.source, place.line))
    ]


def _print(point: Case, counts: Counts, console: Console) -> None:
    """Print what is counted, each level, and each array at the nearest."""
    subject = [
        (
            console.text(message("Variant")),
            console.text(message("{variant}: {title}", variant=point.variant_id, title=point.variant.title)),
        ),
        (console.text(message("Size")), console.text(size_text(point.problem))),
    ]
    if point.parameters:
        subject.append((console.text(message("Parameters")), settings_text(point)))
    nearest = counts.levels[0]
    levels = {counted.level.name: counted.total for counted in with_tlb(counts.levels, counts.tlb)}
    arrays = _table(console, message("Array, at {level}", level=nearest.level.name), nearest.arrays)
    for line in (*aligned(subject), "", *_table(console, message("Level"), levels), "", *arrays):
        console.print(line)
    if counts.hierarchy.note is not None:
        console.tell(console.text(counts.hierarchy.note))


def _table(console: Console, first: Message, misses: Mapping[str, MissCount]) -> list[str]:
    header = [first, message("Reads"), message("Writes"), message("Read misses"), message("Write misses"), message("Miss rate")]
    return aligned([[console.text(title) for title in header], *(_row(console, name, missed) for name, missed in misses.items())])


def _row(console: Console, name: str, missed: MissCount) -> list[str]:
    number = console.translator.number
    rate = "—" if not missed.accesses else console.text(message("{percent} %", percent=100 * missed.misses / missed.accesses))
    return [name, *(number(value) for value in (missed.reads, missed.writes, missed.read_misses, missed.write_misses)), rate]
