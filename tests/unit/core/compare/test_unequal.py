"""What does other work than the one beside it is said to."""

from __future__ import annotations

from app.core.compare.sentences import unequal
from tests.launch_records import launch_of


def test_sizes_and_work_that_differ_are_said() -> None:
    small, large = launch_of("gpu.tiled", 32, tile=16), launch_of("gpu.tiled", 64, tile=16)
    said = unequal(small, large)
    assert said is not None
    assert "32 × 32 on the left and 64 × 64" in str(said)
    assert unequal(small, launch_of("gpu.naive", 32, tile=16)) is None
    assert unequal(small, small) is None
