"""What does other work than the one beside it is said to."""

from __future__ import annotations

from app.core.compare.pairing import Pair
from app.core.compare.sentences import unequal
from app.core.gpu_view.views import View
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of


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
