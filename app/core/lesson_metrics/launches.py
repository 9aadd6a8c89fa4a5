"""Counts of a launch that was executed: of all of it, of the lines that hold a piece of text, or of schedules of its first data race."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import prod

import numpy as np

from app.core.gpu_view.blocks import shared_bytes
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Metric, Value
from app.core.lesson_metrics.residency import COUNTS as OF_RESIDENCY
from kernels.analysis.columns import Bools, Ints
from kernels.analysis.reuse import Mode
from kernels.base.messages import Message, message
from kernels.exploration.breaking_schedules import Interleavings, Played, schedules_of_race
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import WARP, Finding

Count = Callable[[LaunchIndex, Metric], Value | Message]
_SEARCHES = 4
"""Searches that are kept: several lesson metrics speak of one."""


def count_of_launch(index: LaunchIndex, metric: Metric) -> Value | Message:
    """Return a lesson metric about a launch. `line`, `space` ("shared", "global") and `operation` choose accesses."""
    return stopped(index) or COUNTS[metric.count](index, metric)


def stopped(index: LaunchIndex) -> Message | None:
    """Why nothing can be counted, or None: the execution was ended before its end."""
    ended = next((each for each in index.record.findings if each.kind is FindingKind.BUDGET_EXCEEDED), None)
    return None if ended is None else message("The execution was stopped before its end: {reason}", reason=ended.message)


def _requests(index: LaunchIndex, metric: Metric) -> Value | Message:
    steps = chosen_steps(index, metric)
    return steps if isinstance(steps, Message) else float(steps.size)


def _accesses(index: LaunchIndex, metric: Metric) -> Value | Message:
    """Accesses of single threads: the active lanes of the chosen warp instructions."""
    steps = chosen_steps(index, metric)
    if isinstance(steps, Message):
        return steps
    trace, order = index.trace, index.record.order
    active = trace.masks.reshape(len(trace.masks), -1, WARP).sum(axis=2)
    return float(active[trace.rows.mask[order.row[steps]], order.warp[steps]].sum())


def _sum(column: str) -> Count:
    """The sum of a cost over the chosen warp instructions."""

    def count(index: LaunchIndex, metric: Metric) -> Value | Message:
        costs = costs_of(index, metric, column)
        return costs if isinstance(costs, Message) else float(costs.sum())

    return count


def _most(column: str) -> Count:
    """The most that one of the chosen warp instructions costs."""

    def count(index: LaunchIndex, metric: Metric) -> Value | Message:
        costs = costs_of(index, metric, column)
        return costs if isinstance(costs, Message) else float(costs.max(initial=0))

    return count


def _lanes_of_bank(index: LaunchIndex, metric: Metric) -> Value | Message:
    """The lanes of the first chosen instruction that need another word of the same bank as lane `lane`."""
    steps = chosen_steps(index, metric)
    if isinstance(steps, Message):
        return steps
    lanes, lane = index.lanes(int(steps[0])), int(metric.number("lane"))
    words = lanes.address // 4
    chosen: Bools = lanes.active & (words % 32 == words[lane] % 32) & (words != words[lane])
    return frozenset(np.flatnonzero(chosen).tolist())


def _lanes_of_sector(index: LaunchIndex, metric: Metric) -> Value | Message:
    """The lanes of the first chosen instruction that read or write the same 32-byte sector as lane `lane`; it is one of them."""
    steps = chosen_steps(index, metric)
    if isinstance(steps, Message):
        return steps
    lanes, lane = index.lanes(int(steps[0])), int(metric.number("lane"))
    return frozenset(np.flatnonzero(lanes.active & (lanes.address // 32 == lanes.address[lane] // 32)).tolist())


def _active_lanes(index: LaunchIndex, metric: Metric) -> Value | Message:
    steps = chosen_steps(index, metric)
    return steps if isinstance(steps, Message) else float(index.lanes(int(steps[0])).active.sum())


def _found(kind: FindingKind | None = None) -> Count:
    """How many findings of a kind there are; of any where none is named."""

    def count(index: LaunchIndex, _fact: Metric) -> Value | Message:
        return float(sum(each.count for each in index.record.findings if kind in (None, each.kind)))

    return count


def _finding_threads(index: LaunchIndex, metric: Metric) -> Value | Message:
    """The threads that findings name, of the kind `name` or of any; of each finding at most 32."""
    return float(len({(each.block, thread) for each in _findings(index, metric) for thread in each.threads}))


def _finding_lanes(index: LaunchIndex, metric: Metric) -> Value | Message:
    """The lanes of the threads that the first finding names, of the kind `name` or of any."""
    width, height, _ = index.trace.block
    threads = [thread for each in _findings(index, metric)[:1] for thread in each.threads]
    return frozenset((x + width * (y + height * z)) % WARP for x, y, z in threads)


def _findings(index: LaunchIndex, metric: Metric) -> list[Finding]:
    return [each for each in index.record.findings if metric.text("name") in ("", each.kind)]


def _total(name: str) -> Count:
    def count(index: LaunchIndex, _fact: Metric) -> Value | Message:
        return whole(index) or float(getattr(index.record.counts[Mode.AS_WRITTEN].totals, name))

    return count


def _bytes(name: str) -> Count:
    def count(index: LaunchIndex, _fact: Metric) -> Value | Message:
        return whole(index) or float(getattr(index.record.counts[Mode.AS_WRITTEN], name))

    return count


def _of_search(number: Callable[[Interleavings], float]) -> Count:
    """A number of what was found, whether a schedule breaks the race or not; 0 where there is no race."""

    def count(index: LaunchIndex, _fact: Metric) -> Value | Message:
        race = next((each for each in index.record.findings if each.kind is FindingKind.DATA_RACE), None)
        if race is None:
            return 0.0
        found = _searched(index.subject, race)
        return found.reason if isinstance(found, NotTraced) else number(found)

    return count


@lru_cache(maxsize=_SEARCHES)
def _searched(subject: Subject, race: Finding) -> Interleavings | NotTraced:
    return schedules_of_race(subject, race)


def _turns(played: Played | None) -> float:
    return float(len(played.turns)) if played is not None else 0.0


_OF_SCHEDULES: Mapping[str, Count] = {
    "schedules_tried": _of_search(lambda found: float(found.tried)),
    "breaking_turns": _of_search(lambda found: _turns(found.breaks)),
    "working_turns": _of_search(lambda found: _turns(found.works)),
    "wrong_elements": _of_search(lambda found: float(found.count)),
}
"""Turns and elements are 0 where no schedule that was tried changes the result."""

COUNTS: Mapping[str, Count] = {
    "requests": _requests,
    "accesses": _accesses,
    "sectors": _sum("sectors"),
    "sectors_ideal": _sum("sectors_ideal"),
    "wavefronts": _sum("wavefronts"),
    "wavefronts_ideal": _sum("wavefronts_ideal"),
    "most_sectors": _most("sectors"),
    "most_wavefronts": _most("wavefronts"),
    "ways": _most("degree"),
    "active_lanes": _active_lanes,
    "lanes_of_bank": _lanes_of_bank,
    "lanes_of_sector": _lanes_of_sector,
    "findings": _found(),
    "finding_threads": _finding_threads,
    "finding_lanes": _finding_lanes,
    "races": _found(FindingKind.DATA_RACE),
    "out_of_bounds": _found(FindingKind.OUT_OF_BOUNDS),
    "uninitialised": _found(FindingKind.UNINITIALISED_READ),
    "divergent_barriers": _found(FindingKind.BARRIER_DIVERGENCE),
    "misaligned": _found(FindingKind.MISALIGNED_ACCESS),
    "deadlocks": _found(FindingKind.DEADLOCK),
    "blocks": lambda index, _fact: float(prod(index.trace.grid)),
    "threads": lambda index, _fact: float(prod(index.trace.block)),
    "warps": lambda index, _fact: float(index.warps),
    "shared_bytes": lambda index, _fact: float(shared_bytes(index)),
    "steps": lambda index, _fact: float(index.steps),
    "printed": lambda index, _fact: float(len(index.trace.printed)),
    "flops": _total("flops"),
    "barriers": _total("barriers"),
    "global_loads": _total("global_load_requests"),
    "global_load_sectors": _total("global_load_sectors"),
    "global_stores": _total("global_store_requests"),
    "shared_loads": _total("shared_load_requests"),
    "bytes_requested": _bytes("global_bytes_requested"),
    "bytes_moved": _bytes("global_bytes_moved"),
    **OF_RESIDENCY,
    **_OF_SCHEDULES,
}


def chosen_steps(index: LaunchIndex, metric: Metric) -> Ints | Message:
    """Return the steps of the accesses that a lesson metric is about, at least one; or why there is none."""
    line, space, operation = metric.text("line"), metric.text("space"), metric.text("operation")
    lines = {number for number, text in enumerate(index.subject.text.splitlines(), start=1) if line in text}
    sites = [
        number
        for number, site in enumerate(index.trace.sites)
        if (not line or (site.location.line in lines and not site.location.file))
        and space in ("", site.space.value)
        and operation in ("", site.operation)
    ]
    steps: Ints = np.flatnonzero(np.isin(index.trace.rows.site, sites)[index.record.order.row])
    if steps.size:
        return steps
    if not line:
        return message("{kernel} makes no such access.", kernel=index.subject.name)
    return message("No access of {kernel} is on a line with '{text}'.", kernel=index.subject.name, text=line)


def costs_of(index: LaunchIndex, metric: Metric, column: str) -> Ints | Message:
    """What each of the chosen warp instructions costs."""
    steps = chosen_steps(index, metric)
    if isinstance(steps, Message):
        return steps
    record = index.record
    costs = getattr(record.costs, column)
    found: Ints = costs[record.costs.case[record.order.row[steps]], record.order.warp[steps]]
    return found


def whole(index: LaunchIndex) -> Message | None:
    """Why sums over the launch cannot be told, or None: some of its blocks were not executed."""
    traced, blocks = len(index.trace.blocks), prod(index.trace.grid)
    if traced == blocks:
        return None
    return message("Only {traced} of {blocks} blocks were executed: smaller matrices can be counted.", traced=traced, blocks=blocks)
