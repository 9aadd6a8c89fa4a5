"""What does other work than the one beside it is said to."""

from __future__ import annotations

from app.core.compare.pairing import Pair
from app.core.compare.sentences import report, step_of_both, unequal
from app.core.frames.views import View
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.step_texts import tell_launch
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of
from tests.measured.timing_results import GPU, measured


def test_sizes_and_work_that_differ_are_said() -> None:
    small, large = launch_of("gpu.tiled", 32, tile=16), launch_of("gpu.tiled", 64, tile=16)
    said = unequal(small, large)
    assert said is not None
    assert "32 × 32 on the left and 64 × 64" in str(said)
    assert unequal(small, launch_of("gpu.naive", 32, tile=16)) is None
    assert unequal(small, small) is None


def test_where_only_the_number_of_accesses_differs_it_opens_at_one_that_the_view_shows() -> None:
    pair = Pair(launch_of("gpu.tiled", 96, tile=32), launch_of("gpu.tiled", 64, tile=16))
    assert pair.view_of_difference is View.SHARED_MEMORY
    assert pair.right.site(0).space is Space.GLOBAL
    step = pair.first_difference(0)
    assert step is not None
    assert pair.right.site(step).space is Space.SHARED
    assert pair.first_difference(1) is None, "there is one already"


def test_sizes_and_the_machine_of_the_times_are_said_also_where_the_work_is_not_the_same() -> None:
    """Counters are of the launches on the stage, times of the largest size that was timed."""
    small, large = launch_of("gpu.tiled", 32, tile=16), launch_of("gpu.tiled", 64, tile=16)
    timed = Results({Provenance.RECORDED: (measured("gpu.tiled", 8192, 2.0, tile=16),)})
    for pair, size, blocks in (
        (Pair(large, large), "64 × 64", "16"),
        (Pair(small, large), "32 × 32 → 64 × 64", "4 blocks of 16 × 16 → 16"),
    ):
        told = [str(each) for each in report(pair, None, (32, 32), timed).conditions]
        assert told == [f"Whole launch at {size}, as written: {blocks} blocks of 16 × 16.", f"Times recorded on {GPU}."]


def test_of_a_step_of_both_it_is_said_whose_it_is_where_they_differ() -> None:
    small, large = launch_of("gpu.transpose-padded", 64, tile=8), launch_of("gpu.transpose-padded", 64, tile=32)
    one, other = (tell_launch(index, frame_at(index, 0)) for index in (small, large))
    title, sentence = map(str, step_of_both(one, other))
    assert title == "Left: Block (0, 0) of 8 × 8 · Right: Block (0, 0) of 2 × 2"
    assert sentence == f"Right: {other.sentence}"
    assert step_of_both(one, one) == (one.title, one.sentence)
