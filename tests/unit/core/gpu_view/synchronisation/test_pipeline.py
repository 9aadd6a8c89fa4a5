"""A pipeline in a picture: which stages copies fill, when they are read, and what barriers and groups wait for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.barrier_guards import barrier_guards
from app.core.gpu_view.synchronisation.pipeline import (
    PipelinePicture,
    bar_words,
    pipeline_picture,
    pipeline_sentence,
    pipeline_table,
    pipeline_verdict,
)
from app.core.gpu_view.synchronisation.pipeline_stages import copies_ahead, stages_of
from app.core.gpu_view.synchronisation.tracks import Doing, barrier_tracks, group_tracks, groups_of
from app.core.gpu_view.synchronisation.warp_waits import engine_reads, warp_waits
from kernels.base.messages import Message
from kernels.simt.trace.events import Happening
from tests.launches.launch_records import launch_of, recorded
from tests.launches.tensor_kernels import product
from tests.oracle.corpus import FOLDER, read
from tests.oracle.instructions import filled


def picture(variant: str, n: int, step: int, **parameters: int) -> PipelinePicture:
    index = launch_of(variant, n, **parameters)
    found = pipeline_picture(index, frame_at(index, step))
    assert isinstance(found, PipelinePicture), found
    return found


def test_copies_fill_the_stages_in_turn() -> None:
    index = launch_of("gpu.async", 128)
    stages = stages_of(index, 0)
    assert stages.names == ("As[0], Bs[0]", "As[1], Bs[1]", "As[2], Bs[2]")
    assert [each.stage for each in stages.fillings[:7]] == [0, 1, 2, 0, 1, 2, 0]
    copied = stages.fillings[: 128 // 8]
    assert {each.bytes for each in copied} == {(64 + 128) * 8 * 4}
    for each in copied:
        assert each.read is not None
        assert each.last_read is not None
        assert each.issued < each.done < each.read <= each.last_read
    for one, other in zip(copied, copied[3:], strict=False):
        assert one.last_read is not None
        assert one.last_read < other.issued


def test_only_copies_that_are_issued_are_on_their_way() -> None:
    """While a stage is being filled, the sentence counts what of its copies is issued, up to all bytes."""
    index = launch_of("gpu.async", 64, tile=64)
    filling = stages_of(index, 0).fillings[3]
    steps = [step for step, _ in filling.sizes]
    assert len(steps) > 2
    assert (filling.issued_by(steps[0] - 1), filling.issued_by(steps[0])) == (0, filling.sizes[0][1])
    assert filling.issued_by(steps[-1]) == filling.bytes
    for step in (steps[0], steps[-1]):
        shown = picture("gpu.async", 64, step, tile=64)
        issued = sum(each.issued_by(step) for each in shown.ahead)
        assert f"copies of {issued} bytes" in str(pipeline_sentence(shown)).lower()
        assert (issued < sum(each.bytes for each in shown.ahead)) is (step == steps[0])


def test_copies_are_ahead_by_one_stage_less_than_there_are() -> None:
    shown = picture("gpu.async", 128, 1006)
    assert len(shown.ahead) == 2
    verdict = pipeline_verdict(shown)
    assert verdict is not None
    assert str(verdict.text) == "2 stages on their way"
    assert "is read while copies of" in str(pipeline_sentence(shown))
    assert [track.stage for track in shown.tracks][:4] == [0, 1, 2, None]
    assert len(pipeline_table(shown).rows) >= 3


@pytest.mark.parametrize(
    ("stages", "step", "said"),
    [(2, 1740, "Stage 0 is read; no copies"), (2, 1860, "Stages 0, 1 are read; no copies"),
     (4, 2460, "Stage 0 is read while copies of 147456 bytes"), (4, 2580, "Stages 0, 1 are read while copies of 98304 bytes")],
)  # fmt: skip
def test_all_stages_that_are_read_are_named(stages: int, step: int, said: str) -> None:
    """Tensor cores read a stage until its group is waited for, when the next one has begun: as many are named as have a frame."""
    shown = picture("gpu.wgmma-bf16", 512, step, stages=stages)
    framed = [bar.filling.stage for track in shown.tracks for bar in track.bars
              if bar.doing is Doing.READ and bar.filling is not None and bar.start <= step < bar.stop]  # fmt: skip
    assert framed == [0, 1][: 1 + ("Stages" in said)]
    assert str(pipeline_sentence(shown)).startswith(said)


def test_tracks_of_one_kind_can_be_drawn_together_and_none_is_left_out() -> None:
    shown = picture("gpu.wgmma-clusters-bf16", 512, 2521)
    groups = groups_of(shown.tracks)
    assert [number for each in groups for number in range(each.first, each.stop)] == [*range(len(shown.tracks))]
    assert [str(each.long) for each in groups if each.stop > each.first + 1] == [
        "barriers 0–7: stages 0–7 full", "barriers 8–15: stages 0–7 empty", "warps 0–3: consumer", "warps 5–7: neither copies nor reads",
    ]  # fmt: skip
    assert [str(each.short) for each in groups][-3:] == ["warps 0–3", "warp 4", "warps 5–7"]


def test_a_launch_without_such_copies_has_no_pipeline() -> None:
    index = launch_of("gpu.tiled", 16)
    assert not copies_ahead(index)
    assert isinstance(pipeline_picture(index, frame_at(index, 0)), Message)


def test_a_pipeline_with_one_warp_has_two_stages_of_both_tiles() -> None:
    stages = stages_of(product(), 0)
    assert stages.names == ("stages[0]", "stages[1]")
    assert [(each.stage, each.bytes) for each in stages.fillings] == [(0, 4096), (1, 4096), (0, 4096)]


def test_barriers_say_which_bytes_they_wait_for() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    stages = stages_of(index, 0)
    assert [(each.stage, each.bytes, set(each.copiers)) for each in stages.fillings] == [(0, 49152, {8}), (1, 49152, {8})]
    assert all(each.readers and 8 not in each.readers for each in stages.fillings)
    tracks = barrier_tracks(index, 0, stages)
    assert dict(tracks[0].bars[0].words[0].arguments) == {"number": 0, "bytes": 49152, "arrivals": 1}
    for filling, track in zip(stages.fillings, tracks, strict=False):
        (bar,) = track.bars
        assert bar.start <= filling.issued < filling.done <= bar.stop


def guards(index: LaunchIndex) -> list[str]:
    """What the tracks of barriers are called, of those that guard a stage."""
    return [str(track.long) for track in barrier_tracks(index, 0, stages_of(index, 0)) if track.guard is not None]


def test_barriers_are_called_by_the_stage_that_they_guard() -> None:
    full = [f"barrier {stage}: stage {stage} full" for stage in range(4)]
    empty = [f"barrier {4 + stage}: stage {stage} empty" for stage in range(4)]
    assert guards(launch_of("gpu.wgmma-bf16", 512)) == [*full, *empty]


def test_what_barriers_guard_is_told_by_addresses_not_by_places_or_names() -> None:
    """Full and empty barriers exchange their places: what they are for goes with them."""
    index = launch_of("gpu.wgmma-bf16", 512)
    stages = stages_of(index, 0)
    inits = sorted({each.address for each in index.trace.events if each.kind is Happening.BARRIER_INIT})
    other = dict(zip(inits, inits[4:] + inits[:4], strict=True))
    events = tuple(
        replace(each, other=other.get(each.other, each.other)) if each.kind is Happening.COPY_ISSUED
        else replace(each, address=other.get(each.address, each.address)) if each.address in other else each
        for each in index.trace.events
    )  # fmt: skip
    moved = LaunchIndex(index.subject, replace(index.record, trace=replace(index.trace, events=events)))
    before, after = barrier_guards(index, 0, stages), barrier_guards(moved, 0, stages)
    assert len(before) == 8
    assert after == {other[address]: guard for address, guard in before.items()}


def test_a_barrier_that_is_waited_for_once_or_for_all_stages_guards_none() -> None:
    index = launch_of("gpu.wgmma-bf16", 512)
    stages, events = stages_of(index, 0), index.trace.events
    copies = [each for each in events if each.kind is Happening.COPY_ISSUED]
    wait = replace(copies[0], kind=Happening.BARRIER_WAITED, address=1 << 17, other=-1)
    for before in ([copies[0]], copies):
        more = tuple(one for each in events for one in ((wait, each) if each in before else (each,)))
        found = barrier_guards(LaunchIndex(index.subject, replace(index.record, trace=replace(index.trace, events=more))), 0, stages)
        assert found
        assert 1 << 17 not in found


def test_copies_without_barriers_have_no_guards() -> None:
    assert guards(launch_of("gpu.async", 128)) == []


def test_groups_are_drawn_until_they_are_waited_for() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    (track,) = group_tracks(index, 0)[:1]
    assert {bar.doing for bar in track.bars} == {Doing.GROUP}
    assert [str(bar.words[0]) for bar in track.bars] == ["group 0", "group 1"]
    assert track.bars[0].stop > track.bars[1].start


def test_every_warpgroup_and_every_warp_has_its_track() -> None:
    index = launch_of("gpu.wgmma-bf16", 128, tile_rows=128)
    shown = picture("gpu.wgmma-bf16", 128, index.steps // 2, tile_rows=128)
    assert [str(track.long) for track in group_tracks(index, 0)] == ["wgmma, warpgroup 0", "wgmma, warpgroup 1"]
    assert [track.warp for track in shown.tracks if track.warp is not None] == list(range(9))
    assert shown.hidden == 0


def of_corpus(name: str) -> LaunchIndex:
    case = read(FOLDER / "instructions" / f"{name}.cu")
    return recorded(case.text, filled(case.kernel, case.request))


def test_a_stage_that_is_overwritten_too_early_is_told_with_both_lines() -> None:
    index = of_corpus("defect-stage-in-use")
    clashing = [each for each in stages_of(index, 0).fillings if each.clash is not None]
    assert clashing
    first = clashing[0]
    assert first.clash is not None
    assert first.issued <= first.clash.first <= first.clash.last < first.done
    shown = pipeline_picture(index, frame_at(index, first.clash.first))
    assert isinstance(shown, PipelinePicture)
    assert str(pipeline_sentence(shown)) == "Line 13 fills stage 0 again while line 40 still reads it."
    verdict = pipeline_verdict(shown)
    assert verdict is not None
    assert (str(verdict.text), verdict.good) == ("stage 0 overwritten too early", False)
    bar = next(bar for track in shown.tracks for bar in track.bars if bar.doing is Doing.CLASH)
    assert (bar.start, bar.stop) == (first.clash.first, first.clash.last + 1)


def test_a_stage_that_is_read_before_it_has_come() -> None:
    index = of_corpus("defect-wait-count")
    clash = next(each.clash for each in stages_of(index, 0).fillings if each.clash is not None)
    assert not clash.again


def test_a_pipeline_without_a_mistake_has_no_clash() -> None:
    for name in ("cp-async-three-stages", "bulk-load-two-stages", "mbarrier-producer-consumer", "cluster-multicast"):
        assert not any(each.clash for each in stages_of(of_corpus(name), 0).fillings)


def test_the_producer_and_the_consumers_are_named_by_what_they_did() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    shown = picture("gpu.wgmma-bf16", 128, index.steps // 2)
    roles = {track.warp: str(track.long) for track in shown.tracks if track.warp is not None}
    assert (roles[8], roles[0]) == ("warp 8: producer", "warp 0: consumer")
    track = next(track for track in shown.tracks if track.stage == 0)
    assert "bytes: copies on their way, steps" in str(bar_words(track, track.bars[0]))


def test_each_wait_says_who_waits_for_which_phase_and_until_when() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    waits = warp_waits(index, 0)
    phases = barrier_tracks(index, 0, stages_of(index, 0))
    at_stages = [each for each in waits if str(each.what) == "barrier 0, phase 0"]
    assert {each.warp for each in at_stages} == set(range(8))
    assert max(each.stop - each.start for each in waits) > 10
    assert all(each.start < each.stop >= phases[0].bars[0].stop for each in at_stages)
    producer = [str(each.what) for each in waits if each.warp == 8 and "free" in str(each.what)]
    assert producer == ["barrier 4, free from the start", "barrier 5, free from the start"]
    assert {str(each.what) for each in waits if "group" in str(each.what)} == {f"groups (wgmma.wait_group {left})" for left in (0, 1)}


def test_a_warp_waits_for_one_number_of_groups_at_a_time() -> None:
    """After a single step of k two waits follow one another with nothing between them: the one that leaves no group says all."""
    waits = [each for each in warp_waits(launch_of("gpu.wgmma-bf16", 64), 0) if "group" in str(each.what)]
    assert {each.warp for each in waits} >= {1, 2, 3}
    assert len({(each.warp, each.start, each.stop) for each in waits}) == len(waits)
    assert {str(each.what) for each in waits} == {"groups (wgmma.wait_group 0)"}


def test_a_warp_waits_for_one_thing_at_a_time() -> None:
    """Copies that come in while it waits for its groups do so before it looks at their barrier."""
    index = launch_of("gpu.wgmma-clusters-bf16", 128)
    for block in (0, 1):
        waits = warp_waits(index, block)
        for warp in range(4):
            own = [each for each in waits if each.warp == warp]
            assert len(own) >= 3
            assert all(before.stop <= after.start for before, after in pairwise(own)), own


def test_what_comes_from_another_block_fills_the_stage_that_its_barrier_counts_it_for() -> None:
    """Of 24,576 bytes a stage the block copies A and half of B, the other half of B comes from the other block of the cluster."""
    index = launch_of("gpu.wgmma-clusters-bf16", 192)
    for block in (0, 1):
        stages = stages_of(index, block)
        assert stages.names == ("stages + 0", "stages + 24576", "stages + 49152")
        assert [(each.stage, each.bytes, set(each.copiers)) for each in stages.fillings] == [(each, 24576, {4}) for each in range(3)]


def test_a_stage_is_read_until_the_last_group_that_reads_it_has_been_waited_for() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    reads = engine_reads(index, 0)
    assert len(reads) > 20
    assert all(step <= last for step, last in reads.items())
    for filling, group in zip(stages_of(index, 0).fillings, group_tracks(index, 0)[0].bars, strict=True):
        assert filling.read is not None
        assert filling.last_read is not None
        assert filling.read <= group.start < group.stop - 1 <= filling.last_read


def test_copies_of_a_thread_are_waited_for_until_they_are_there() -> None:
    index = launch_of("gpu.async", 128)
    waits = [each for each in warp_waits(index, 0) if each.warp == 0]
    fillings = stages_of(index, 0).fillings[: 128 // 8]
    assert {str(each.what) for each in waits} == {"its own copies (wait_group)"}
    assert len(waits) == len(fillings)
    assert all(wait.stop <= filling.done + 1 for wait, filling in zip(waits, fillings, strict=True))


def test_the_sentence_says_who_waits() -> None:
    index = launch_of("gpu.wgmma-bf16", 128)
    waits = [each for each in warp_waits(index, 0) if str(each.what) == "barrier 0, phase 0"]
    wait = waits[-1]
    shown = pipeline_picture(index, frame_at(index, wait.stop - 1))
    assert isinstance(shown, PipelinePicture)
    assert "Warp 7 waits for barrier 0, phase 0." in str(pipeline_sentence(shown))
    both = pipeline_picture(index, frame_at(index, wait.stop - 2))
    assert isinstance(both, PipelinePicture)
    assert "Warps 6–7 wait for barrier 0, phase 0." in str(pipeline_sentence(both))
    track = next(each for each in shown.tracks if each.warp == wait.warp)
    bar = next(each for each in track.bars if each.doing is Doing.WAIT and each.start == wait.start)
    said = f"warp {wait.warp}: consumer: waits for barrier 0, phase 0, steps {wait.start + 1} to {wait.stop}"
    assert str(bar_words(track, bar)) == said


def test_a_barrier_that_no_phase_of_is_completed_is_waited_for_to_the_end() -> None:
    index = of_corpus("defect-expect-too-many-bytes")
    last = warp_waits(index, 0)[-1]
    assert last.stop == index.steps
    assert str(last.what) == "barrier 0, phase 0"


def test_what_is_shown_ends_with_the_launch() -> None:
    for variant, n in (("gpu.wgmma-bf16", 64), ("gpu.async", 128)):
        index = launch_of(variant, n)
        windows = []
        for step in (0, index.steps // 2, index.steps - 1):
            shown = picture(variant, n, step)
            assert 0 <= shown.start <= step < shown.stop <= index.steps
            windows.append(shown.stop - shown.start)
        assert len(set(windows)) == 1


def test_the_time_begins_and_ends_with_the_block() -> None:
    index = launch_of("gpu.async", 128)
    block_of = index.trace.rows.block[index.record.order.row]
    blocks = sorted({int(block) for block in block_of})
    assert len(blocks) > 1
    for block in blocks:
        steps = [step for step in range(index.steps) if block_of[step] == block]
        for step in (steps[0], steps[len(steps) // 2], steps[-1]):
            shown = pipeline_picture(index, frame_at(index, step))
            assert isinstance(shown, PipelinePicture)
            assert steps[0] <= shown.start <= step < shown.stop <= steps[-1] + 1
        first = pipeline_picture(index, frame_at(index, steps[0]))
        assert isinstance(first, PipelinePicture)
        assert first.start == steps[0]
