"""A pipeline as a picture: stages of shared memory, copies on their way, and what the block's warps do meanwhile, along the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.core.base.picture_parts import Table, Verdict
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import StepPhase
from app.core.gpu_view.synchronisation.pipeline_stages import Filling, Stages, stages_of
from app.core.gpu_view.synchronisation.tracks import DOING, Bar, Doing, Track, barrier_tracks, group_tracks, ranges_text
from app.core.gpu_view.synchronisation.warp_waits import WarpWait, looks_at_barrier, warp_waits
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

MOST_WARPS = 20
NO_COPIES = message("No asynchronous copies into shared memory were executed.")


@dataclass(frozen=True, slots=True, eq=False)
class PipelinePicture:
    """The tracks of a block between the steps `start` and `stop` (exclusive)."""

    tracks: tuple[Track, ...]
    start: int
    stop: int
    step: int
    ahead: tuple[Filling, ...]
    """The fillings that are on their way during the step."""
    stages: Stages
    hidden: int
    """Warps without a track."""
    waiting: tuple[WarpWait, ...] = ()
    """The warps of the block that wait during the step."""


def pipeline_picture(index: LaunchIndex, frame: Frame) -> PipelinePicture | Message:
    """The picture of a frame: its window moves on by halves, from the first step of the block to its last."""
    found, block = index.once(_Pipelines), frame.block_number
    stages, _, waits = found.of(index, block)
    if not stages.fillings:
        return NO_COPIES
    length = _length(stages, index.steps)
    first, end = found.span(index, block)
    moved = first + (frame.step - first) // (length // 2) * (length // 2) - length // 4
    start = max(min(moved, end - length), first)
    stop = min(start + length, end)
    shown = _shown(index, frame, stages)
    tracks = found.tracks(index, block, (start, stop), shown)
    waiting = tuple(each for each in waits if each.start <= frame.step < each.stop)
    return PipelinePicture(tracks, start, stop, frame.step, stages.on_the_way(frame.step), stages, index.warps - len(shown), waiting)


class _Pipelines:
    """What is found of each block when it is asked for."""

    def __init__(self, _index: LaunchIndex) -> None:
        self._known: dict[int, tuple[Stages, tuple[Track, ...], tuple[WarpWait, ...]]] = {}
        self._spans: dict[int, tuple[int, int]] = {}
        self._last: tuple[object, tuple[Track, ...]] = (None, ())

    def of(self, index: LaunchIndex, block: int) -> tuple[Stages, tuple[Track, ...], tuple[WarpWait, ...]]:
        """The stages, the tracks of barriers and groups, and the waits."""
        if block not in self._known:
            stages = stages_of(index, block)
            tracks = *barrier_tracks(index, block, stages), *group_tracks(index, block)
            self._known[block] = stages, tracks, warp_waits(index, block)
        return self._known[block]

    def span(self, index: LaunchIndex, block: int) -> tuple[int, int]:
        """The first step of a block, and the one behind its last."""
        if block not in self._spans:
            steps = np.flatnonzero(index.trace.rows.block[index.record.order.row] == block)
            self._spans[block] = int(steps[0]), int(steps[-1]) + 1
        return self._spans[block]

    def tracks(self, index: LaunchIndex, block: int, window: tuple[int, int], warps: tuple[int, ...]) -> tuple[Track, ...]:
        """All tracks of a block between two steps; many steps share them."""
        key = block, window, warps
        if self._last[0] != key:
            stages, more, waits = self.of(index, block)
            shown = [replace(each, bars=_within(each.bars, *window)) for each in more]
            tracks = *_stage_tracks(stages, *window), *shown, *_warp_tracks(index, block, stages, waits, window, warps)
            self._last = key, tracks
        return self._last[1]


def _length(stages: Stages, steps: int) -> int:
    """How many steps are shown: one filling more than there are stages, as they follow each other."""
    done = sorted(each.done for each in stages.fillings)
    apart = float(np.median(np.diff(done))) if len(done) > 1 else float(steps)
    return max(int(apart * (len(stages.names) + 1)), 16)


def _stage_tracks(stages: Stages, start: int, stop: int) -> list[Track]:
    tracks = []
    for number, name in enumerate(stages.names):
        bars: list[Bar] = []
        for each in stages.fillings:
            if each.stage == number:
                read = each.done if each.read is None else each.read
                bars.append(Bar(each.issued, each.done, Doing.FLIGHT, each))
                bars.append(Bar(each.done, read, Doing.FULL, each))
                bars.append(Bar(read, read if each.last_read is None else each.last_read + 1, Doing.READ, each))
                if each.clash is not None:
                    bars.append(Bar(each.clash.first, each.clash.last + 1, Doing.CLASH, each, (clash_words(each),)))
        words = message("stage {number}", number=number), message("stage {number}: {name}", number=number, name=name)
        tracks.append(Track(*words, _within(bars, start, stop), stage=number))
    return tracks


def _warp_tracks(
    index: LaunchIndex, block: int, stages: Stages, waits: Sequence[WarpWait], window: tuple[int, int], shown: tuple[int, ...]
) -> list[Track]:
    """What each of some warps executes, and for what it waits."""
    order, trace = index.record.order, index.trace
    steps = np.arange(window[0], min(window[1], index.steps))
    rows, warps = order.row[steps], order.warp[steps]
    own = trace.rows.block[rows] == block
    issued = np.zeros(len(trace.rows.site) + 1, np.bool_)
    if trace.rows.issued is not None:
        issued[np.clip(trace.rows.issued[trace.rows.issued >= 0], 0, len(issued) - 1)] = True
    waited = trace.rows.issued[rows] >= 0 if trace.rows.issued is not None else np.zeros(len(rows), np.bool_)
    phase = index.record.phases[trace.rows.site[rows]]
    kinds = np.select([issued[rows], phase == StepPhase.COMPUTE, phase == StepPhase.STORE], [0, 1, 2], -1)
    kinds[waited] = -1
    kinds[looks_at_barrier(index)[trace.rows.site[rows]]] = -1
    tracks = []
    for warp in shown:
        mine = np.flatnonzero(own & (warps == warp))
        held = [Bar(each.start, each.stop, Doing.WAIT, words=_wait_words(each)) for each in waits if each.warp == warp]
        bars = *_runs(steps[mine].tolist(), kinds[mine].tolist()), *_within(held, *window)
        role = _role(stages, warp)
        words = message("warp {warp}", warp=warp), message("warp {warp}: {role}", warp=warp, role=role)
        tracks.append(Track(*words, bars, warp=warp, role=role))
    return tracks


def _wait_words(wait: WarpWait) -> tuple[Message, ...]:
    return message("waits for {what}", what=wait.what), wait.what, wait.short


def _runs(steps: Sequence[int], kinds: Sequence[int]) -> tuple[Bar, ...]:
    """Neighbouring steps of one kind as one stretch."""
    names, bars = (Doing.COPY, Doing.COMPUTE, Doing.STORE), list[Bar]()
    for step, kind in zip(steps, kinds, strict=True):
        if kind < 0:
            continue
        if bars and bars[-1].stop == step and bars[-1].doing is names[kind]:
            bars[-1] = Bar(bars[-1].start, step + 1, names[kind])
        else:
            bars.append(Bar(step, step + 1, names[kind]))
    return tuple(bars)


def _shown(index: LaunchIndex, frame: Frame, stages: Stages) -> tuple[int, ...]:
    """Up to `MOST_WARPS` warps: that of the step, one of each role, then by number."""
    chosen = {_role(stages, warp).template: warp for warp in reversed(range(index.warps))}
    wanted = dict.fromkeys((frame.warp, *chosen.values(), *range(index.warps)))
    return tuple(sorted(list(wanted)[:MOST_WARPS]))


def _role(stages: Stages, warp: int) -> Message:
    """Whether a warp copies, reads, or both, as it was executed."""
    copies = any(warp in each.copiers for each in stages.fillings)
    reads = any(warp in each.readers for each in stages.fillings)
    if copies and reads:
        return message("producer and consumer")
    return message("producer") if copies else message("consumer") if reads else message("neither copies nor reads")


def _within(bars: Sequence[Bar], start: int, stop: int) -> tuple[Bar, ...]:
    return tuple(each for each in bars if each.start < each.stop and each.start < stop and each.stop > start)


# ------------------------------------------------------------ words


def clash_words(filling: Filling) -> Message:
    """Which line reads a stage while which one's copies are on their way to it."""
    clash = filling.clash
    assert clash is not None
    told = {"stage": filling.stage, "copy": clash.copy_line, "read": clash.read_line}
    if clash.again:
        return message("Line {copy} fills stage {stage} again while line {read} still reads it.", **told)
    return message("Line {read} reads stage {stage} before what line {copy} copies has come.", **told)


def pipeline_verdict(picture: PipelinePicture) -> Verdict | None:
    """Whether a stage on its way is read meanwhile, else how many stages are on their way."""
    clash = next((each for each in picture.ahead if each.clash is not None), None)
    if clash is not None and clash.clash is not None:
        stage = clash.stage
        said = message("stage {stage} overwritten too early", stage=stage)
        return Verdict(said if clash.clash.again else message("stage {stage} read too early", stage=stage), 2.0)
    count = len(picture.ahead)
    if not count:
        return None
    return Verdict(message("1 stage on its way") if count == 1 else message("{count} stages on their way", count=count), 1.0)


def pipeline_sentence(picture: PipelinePicture) -> Message:
    """What is on its way, and what is being read; then who waits."""
    copies, waits = _copies_sentence(picture), waits_sentence(picture)
    return copies if waits is None else message("{first} {other}", first=copies, other=waits)


def waits_sentence(picture: PipelinePicture) -> Message | None:
    """Which warps wait for what during the step; None where none does."""
    found: dict[Message, list[int]] = {}
    for each in picture.waiting:
        found.setdefault(each.what, []).append(each.warp)
    said: Message | None = None
    for what, warps in found.items():
        one = message("Warp {warps} waits for {what}.", warps=warps[0], what=what)
        each_said = one if len(warps) == 1 else message("Warps {warps} wait for {what}.", warps=ranges_text(sorted(warps)), what=what)
        said = each_said if said is None else message("{first} {other}", first=said, other=each_said)
    return said


def _copies_sentence(picture: PipelinePicture) -> Message:
    reading = [each for each in picture.stages.fillings
               if each.read is not None and each.last_read is not None and each.read <= picture.step <= each.last_read]  # fmt: skip
    clash = next((each for each in picture.ahead if each.clash is not None), None)
    if clash is not None:
        return clash_words(clash)
    size = sum(each.issued_by(picture.step) for each in picture.ahead)
    others = _stage_list(picture.ahead)
    read = ", ".join(str(each) for each in sorted({each.stage for each in reading}))
    several = "," in read
    if reading and picture.ahead:
        one, more = (
            message("Stage {read} is read while copies of {bytes} bytes are on their way to {stages}.",
                    read=read, bytes=size, stages=others),
            message("Stages {read} are read while copies of {bytes} bytes are on their way to {stages}.",
                    read=read, bytes=size, stages=others),
        )  # fmt: skip
        return more if several else one
    if reading:
        one = message("Stage {read} is read; no copies are on their way.", read=read)
        return message("Stages {read} are read; no copies are on their way.", read=read) if several else one
    if picture.ahead:
        return message("Copies of {bytes} bytes are on their way to {stages}; no stage is read.", bytes=size, stages=others)
    return message("No copies are on their way, and no stage is read.")


def bar_words(track: Track, bar: Bar) -> Message:
    """What a stretch stands for, with its steps as the timeline counts them."""
    filling = bar.filling
    if filling is None or bar.words:
        what = bar.words[0] if bar.words else DOING[bar.doing]
        return message("{who}: {what}, steps {first} to {last}", who=track.long, what=what, first=bar.start + 1, last=bar.stop)
    return message("{who}, filling {number}, {bytes} bytes: {what}, steps {first} to {last}", who=track.long, number=filling.number + 1,
                   bytes=filling.bytes, what=DOING[bar.doing], first=bar.start + 1, last=bar.stop)  # fmt: skip


def pipeline_table(picture: PipelinePicture) -> Table:
    """A row for each filling that is shown, with its steps as the timeline counts them."""
    shown = [each for each in picture.stages.fillings if each.issued < picture.stop and (each.last_read or each.done) >= picture.start]
    titles = (
        message("Filling"), message("Stage"), message("Bytes"), message("Issued"), message("Complete"), message("First read"),
        message("Last read"),
    )  # fmt: skip
    rows = tuple(
        (str(each.number + 1), f"{each.stage}: {picture.stages.names[each.stage]}", str(each.bytes), str(each.issued + 1),
         str(each.done + 1), "" if each.read is None else str(each.read + 1), "" if each.last_read is None else str(each.last_read + 1))
        for each in shown
    )  # fmt: skip
    return Table(titles, rows)


def _stage_list(fillings: Sequence[Filling]) -> Message:
    numbers = ", ".join(str(each.stage) for each in fillings)
    return message("stage {number}", number=numbers) if len(fillings) == 1 else message("stages {numbers}", numbers=numbers)
