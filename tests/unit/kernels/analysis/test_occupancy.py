"""Occupancy as NVIDIA's own header computes it, and plain refusals of what cannot be launched."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from kernels.analysis.occupancy import occupancy, waves

GOLDEN = Path(__file__).parents[3] / "golden" / "occupancy.csv"
LIMITS = {"warps": "limit_warps", "blocks": "limit_blocks", "registers": "limit_regs", "shared memory": "limit_smem"}


def test_every_launch_is_reproduced() -> None:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3240
    for row in rows:
        found = occupancy(row["cc"], int(row["block"]), int(row["regs"]), int(row["smem"]))
        assert (found.blocks_per_sm, found.warps_per_sm) == (int(row["blocks_per_sm"]), int(row["warps"])), row
        assert dict(found.limits) == {name: int(row[column]) for name, column in LIMITS.items()}, row
        assert found.limiters == tuple(name for name, limit in found.limits if limit == found.blocks_per_sm)
        assert (found.refusal is None) == (found.blocks_per_sm > 0)


def test_occupancy_is_the_part_of_the_warps() -> None:
    found = occupancy("9.0", 256, 64, 8192)
    assert (found.blocks_per_sm, found.warps_per_sm, found.occupancy, found.limiters) == (4, 32, 0.5, ("registers",))
    assert occupancy("9.0", 256, 32, 0).limiters == ("warps", "registers")
    assert occupancy("9.0", 128, 16, 100 * 1024).limiters == ("shared memory",)


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        (("9.0", 1025, 32, 0), "1025 threads a block"),
        (("9.0", 0, 32, 0), "0 threads a block"),
        (("9.0", 256, 256, 0), "256 registers a thread"),
        (("9.0", 256, 0, 0), "0 registers a thread"),
        (("9.0", 256, 32, 227 * 1024 + 1), "232449 bytes of shared memory"),
        (("7.5", 256, 32, 65 * 1024), "66560 bytes of shared memory"),
        (("9.0", 256, 32, -1), "-1 bytes of shared memory"),
        (("3.5", 256, 32, 0), "Compute capability 3.5 is not known"),
        (("9.0", 1024, 128, 0), "1024 threads with 128 registers each"),
    ],
)
def test_what_cannot_be_launched_is_refused_with_the_reason(launch: tuple[str, int, int, int], words: str) -> None:
    found = occupancy(*launch)
    assert (found.blocks_per_sm, found.warps_per_sm, found.occupancy) == (0, 0, 0.0)
    assert words in str(found.refusal)


def test_the_most_shared_memory_of_a_block_fits() -> None:
    assert occupancy("9.0", 256, 32, 227 * 1024).blocks_per_sm == 1


def test_a_grid_is_served_in_waves() -> None:
    found = waves(1000, 2, 132)
    assert (found.blocks_per_wave, found.full, found.tail, found.count) == (264, 3, 208, 4)
    assert found.efficiency == pytest.approx(1000 / 1056)
    assert waves(264, 2, 132).efficiency == 1.0
    assert waves(264, 2, 132).count == 1
    with pytest.raises(ValueError, match="at least one block"):
        waves(0, 2, 132)
