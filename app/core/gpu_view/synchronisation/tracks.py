"""Tracks of the picture of a pipeline, and those of barriers in shared memory and of groups of wgmma, from the events of the trace."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import groupby

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.barrier_guards import Guard, barrier_guards
from app.core.gpu_view.synchronisation.pipeline_stages import Filling, Stages
from app.core.gpu_view.synchronisation.warp_waits import barrier_numbers
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP

_WARPGROUP = 4 * WARP
COMMIT, WAIT = "wgmma.commit_group", "wgmma.wait_group"


class Doing(StrEnum):
    """Activity in a stretch of a track."""

    FLIGHT = "flight"
    """Copies are on their way."""
    FULL = "full"
    """All have arrived; nobody has read yet."""
    READ = "read"
    COPY = "copy"
    """A warp issues copies."""
    COMPUTE = "compute"
    STORE = "store"
    PHASE = "phase"
    """A phase of a barrier is not complete."""
    GROUP = "group"
    """A group of wgmma is not waited for."""
    WAIT = "wait"
    """A warp waits for a barrier in shared memory, or for a group."""
    CLASH = "clash"
    """A stage is read while copies are on their way to it."""


DOING = {
    Doing.FLIGHT: message("copies on their way"), Doing.FULL: message("filled"), Doing.READ: message("being read"),
    Doing.COPY: message("issues copies"), Doing.COMPUTE: message("reads and computes"), Doing.STORE: message("stores"),
    Doing.PHASE: message("barrier's phase not complete"), Doing.GROUP: message("wgmma group not waited for"), Doing.WAIT: message("waits"),
    Doing.CLASH: message("read while copies are on their way"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """Stretch of a track, from step `start` to `stop` (exclusive). `filling` is a stage's; `words` say more, at length and in short."""

    start: int
    stop: int
    doing: Doing
    filling: Filling | None = None
    words: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """Track of a stage, a barrier, a warpgroup or a warp, with what it is called in short and at length."""

    short: Message
    long: Message
    bars: tuple[Bar, ...]
    stage: int | None = None
    warp: int | None = None
    guard: Guard | None = None
    """What a barrier is for."""
    number: int = 0
    """Of a barrier."""
    role: Message | None = None
    """Of a warp."""

    @property
    def kind(self) -> object:
        """What it has in common with those that it can be drawn together with; None where it stands alone."""
        if self.guard is not None:
            return self.guard.full
        return None if self.role is None else self.role.template


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring tracks of one kind, from `first` to `stop` (exclusive), with what they are called in short and at length: barriers with
    the stages that they guard, in the same order."""

    short: Message
    long: Message
    first: int
    stop: int


def groups_of(tracks: Sequence[Track]) -> tuple[Group, ...]:
    """All tracks, neighbours of one kind together."""
    found, first = list[Group](), 0
    for _, same in groupby(enumerate(tracks), key=lambda each: each[0] if each[1].kind is None else str(each[1].kind)):
        own = [track for _, track in same]
        short, long = _called(own)
        found.append(Group(short, long, first, first + len(own)))
        first += len(own)
    return tuple(found)


def _called(tracks: Sequence[Track]) -> tuple[Message, Message]:
    one = tracks[0]
    if len(tracks) == 1:
        return one.short, one.long
    if one.guard is not None:
        numbers = ranges_text([each.number for each in tracks])
        stages = ranges_text([stage for each in tracks if each.guard is not None for stage in each.guard.stages])
        if one.guard.full:
            short = message("{numbers}: stages {stages} full", numbers=numbers, stages=stages)
            return short, message("barriers {numbers}: stages {stages} full", numbers=numbers, stages=stages)
        short = message("{numbers}: stages {stages} empty", numbers=numbers, stages=stages)
        return short, message("barriers {numbers}: stages {stages} empty", numbers=numbers, stages=stages)
    assert one.role is not None
    warps = ranges_text([each.warp for each in tracks if each.warp is not None])
    return message("warps {numbers}", numbers=warps), message("warps {numbers}: {role}", numbers=warps, role=one.role)


def ranges_text(numbers: Sequence[int]) -> str:
    """Ascending numbers as they are written, neighbours as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def barrier_tracks(index: LaunchIndex, block: int, stages: Stages) -> tuple[Track, ...]:
    """A track for each barrier in a block's shared memory: its phases, with the bytes and the arrivals that they wait for. It is called
    by the stage that it guards, else by its address."""
    own = [each for each in index.trace.events if each.block == block]
    needed = {each.address: each.value for each in own if each.kind is Happening.BARRIER_INIT}
    guards = barrier_guards(index, block, stages)
    tracks = []
    for address, number in barrier_numbers(index, block).items():
        short = message("barrier {number}", number=number)
        guard = guards.get(address)
        long = message("barrier {number}, byte {address}", number=number, address=address) if guard is None else guard.words(number)
        bars = _phases(index, [each for each in own if each.address == address], needed[address])
        tracks += [Track(short, long, bars, guard=guard, number=number)] if bars else []
    return tuple(tracks)


def _phases(index: LaunchIndex, events: Sequence[Event], arrivals: int) -> tuple[Bar, ...]:
    """Phases of one barrier, from the first arrival or announcement on until they are complete."""
    bars, phase, begun, expected = list[Bar](), 0, None, 0
    for event in events:
        step = step_of(index, event)
        if event.kind in (Happening.BARRIER_EXPECT, Happening.BARRIER_ARRIVE):
            begun = step if begun is None else begun
            expected += event.value if event.kind is Happening.BARRIER_EXPECT else 0
        elif event.kind is Happening.BARRIER_PHASE:
            bars.append(_phase(phase, step if begun is None else begun, step + 1, expected, arrivals))
            phase, begun, expected = phase + 1, None, 0
    if begun is not None:
        bars.append(_phase(phase, begun, index.steps, expected, arrivals))
    return tuple(bars)


def _phase(number: int, start: int, stop: int, expected: int, arrivals: int) -> Bar:
    short = message("phase {number}", number=number)
    if not expected:
        return Bar(
            start, stop, Doing.PHASE, words=(message("phase {number}, arrivals: {arrivals}", number=number, arrivals=arrivals), short)
        )
    long = message("phase {number}: {bytes} transaction bytes, arrivals: {arrivals}", number=number, bytes=expected, arrivals=arrivals)
    return Bar(start, stop, Doing.PHASE, words=(long, message("phase {number}: {bytes} bytes", number=number, bytes=expected), short))


def group_tracks(index: LaunchIndex, block: int) -> tuple[Track, ...]:
    """A track for each of a block's warpgroups that commits groups of wgmma: from when a group is committed until it is waited for."""
    found: dict[int, list[Event]] = {}
    for event in index.trace.events:
        if event.block == block and event.name in (COMMIT, WAIT):
            for number in np.unique(np.flatnonzero(index.trace.masks[event.mask]) // _WARPGROUP).tolist():
                found.setdefault(number, []).append(event)
    return tuple(
        Track(message("group {number}", number=number), message("wgmma, warpgroup {number}", number=number), _groups(index, events, number))
        for number, events in sorted(found.items())
    )


def _groups(index: LaunchIndex, events: Sequence[Event], number: int) -> tuple[Bar, ...]:
    """The groups of one warpgroup; of warps that execute apart, the first one's."""
    lanes = slice(number * _WARPGROUP, (number + 1) * _WARPGROUP)
    first = min(int(index.trace.masks[each.mask][lanes].argmax()) for each in events) + number * _WARPGROUP
    waiting, bars = dict[int, int](), list[Bar]()
    for event in (each for each in events if index.trace.masks[each.mask][first]):
        step = step_of(index, event)
        if event.name == COMMIT:
            waiting[event.value] = step
            continue
        for group in sorted(waiting)[: max(len(waiting) - event.value, 0)]:
            bars.append(Bar(waiting.pop(group), step + 1, Doing.GROUP, words=(message("group {number}", number=group),)))
    bars += [Bar(step, index.steps, Doing.GROUP, words=(message("group {number}", number=group),)) for group, step in waiting.items()]
    return tuple(bars)


def step_of(index: LaunchIndex, event: Event) -> int:
    """The step after which an event happened: the last one of the rows before it."""
    rank = index.record.order.rank
    for row in range(min(event.row, len(rank)) - 1, -1, -1):
        step = int(rank[row].max())
        if step >= 0:
            return step
    return 0
