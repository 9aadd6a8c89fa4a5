"""What is said of a comparison: the names of both sides, what differs between them, and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import prod

from app.core.compare.comparison import Pair
from app.core.compare.differences import Difference, coverage_words, differences, main_difference, timed
from app.core.compare.times import pace, times_of
from app.core.launch.index import LaunchIndex
from app.core.results import Results
from app.core.series_names import parameter_text
from kernels.analysis.devices import Profile
from kernels.catalog import find
from kernels.messages import Message, message

NOT_YET = message("Both sides are the same launch. Choose another rung, or change a setting.")


@dataclass(frozen=True, slots=True)
class Report:
    """`headline` is the change to be seen first, `reason` what explains it or what else is to be known."""

    extent: Message
    rows: tuple[Difference, ...]
    headline: Message
    reasons: tuple[Message, ...]


def report(pair: Pair, profile: Profile | None, registers: tuple[int, int], results: Results) -> Report:
    """The whole comparison in words; `registers` are those of a thread on the left and on the right."""
    left, right = pair.left, pair.right
    rows = differences(left, right, profile, registers)
    times = times_of(results, left.subject, right.subject)
    explained = pace({each.title: each for each in rows}, times) if times is not None else None
    if times is not None:
        rows = (*rows, timed(*times.milliseconds, times.n))
    main = main_difference(rows)
    headline = NOT_YET if pair.same else main.sentence if main is not None else message("Both launches cost the same.")
    reasons = (explained, times.source if times is not None else None, coverage_words(left, right))
    return Report(_extent(pair), rows, headline, tuple(each for each in reasons if each is not None))


def name_of(index: LaunchIndex, other: LaunchIndex) -> Message:
    """The variant with its rung, and its settings; the size where the launches differ in it."""
    subject, variant = index.subject, find(index.subject.variant_id)
    if variant is None:
        return message("{text}", text=subject.name)
    title = message("{rung} {title}", rung=variant.rung, title=variant.title)
    if subject.text != variant.source_text:
        title = message("{title}, edited", title=title)
    parts = [parameter_text(variant, name, value) for name, value in sorted(subject.parameters.items()) if _told(name, value, index, other)]
    sizes = [_size(each) for each in (index, other)]
    parts += [message("{size}", size=sizes[0])] if sizes[0] != sizes[1] else []
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts, title)


def _told(name: str, value: int, index: LaunchIndex, other: LaunchIndex) -> bool:
    """Settings in which the sides differ, tiles always, others where they are not at their default."""
    variant = find(index.subject.variant_id)
    assert variant is not None
    return name == "tile" or value != other.subject.parameters.get(name, value) or value != variant.defaults.get(name)


def _size(index: LaunchIndex) -> str:
    matrices = index.subject.matrices
    return f"{matrices[-1].rows} × {matrices[-1].columns}" if matrices else ""


def _extent(pair: Pair) -> Message:
    """How large the launches are."""
    one, other = (_grid(index) for index in (pair.left, pair.right))
    return one if one == other else message("{left} → {right}", left=one, right=other)


def _grid(index: LaunchIndex) -> Message:
    x, y, z = index.trace.block
    threads = f"{x} × {y}" if z == 1 else f"{x} × {y} × {z}"
    return message("{blocks} blocks of {threads}", blocks=prod(index.trace.grid), threads=threads)
