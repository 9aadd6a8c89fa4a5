"""What the global memory view shows of a step is what the trace and its analyses say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.sectors import accessed_sectors, lane_ranges, verdict
from kernels.analysis.coalescing import LINE_BYTES, SECTOR_BYTES
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.simt.base.types import Space
from tests.launches.launch_records import launch_of
from tests.launches.trace_queries import warp_addresses

VARIANTS = [each for each in catalogue.VARIANTS if each.interpreted and each.operation is not Operation.HELLO]
SIZES = (8, 37, 64)


@settings(deadline=None)  # the first of each launch executes it
@given(variant=st.sampled_from([each.id for each in VARIANTS]), n=st.sampled_from(SIZES), share=st.floats(0, 1, exclude_max=True))
def test_lines_and_sectors_are_those_of_the_lanes(variant: str, n: int, share: float) -> None:
    index = launch_of(variant, n)
    frame = frame_at(index, int(share * index.steps))
    access = accessed_sectors(index, frame)
    if access is None:
        assert not len(index.steps_in(Space.GLOBAL)) or frame.step < index.steps_in(Space.GLOBAL)[0]
        return
    assert access.past == (frame.site.space is not Space.GLOBAL)
    row, warp = index.place(access.step)
    addresses = warp_addresses(index.trace, row, warp)
    wanted = {int(a) + byte for a in addresses[addresses >= 0] for byte in range(access.site.bytes)}
    sectors = [sector for line in access.lines for sector in line.sectors if sector is not None]
    assert {sector.number * SECTOR_BYTES + byte for sector in sectors for used in sector.used for byte in range(*used)} == wanted
    assert len(sectors) == access.sectors == len({byte // SECTOR_BYTES for byte in wanted})
    assert access.bytes_used == len(wanted)
    assert len(access.lines) == len({w // LINE_BYTES for w in wanted})
    for sector in sectors:
        for lane in sector.lanes:
            assert addresses[lane] < (sector.number + 1) * SECTOR_BYTES
            assert addresses[lane] + access.site.bytes > sector.number * SECTOR_BYTES


@given(lanes=st.sets(st.integers(0, 31), min_size=1))
def test_ranges_name_every_lane_once(lanes: set[int]) -> None:
    named: list[int] = []
    for part in lane_ranges(tuple(sorted(lanes))).split(", "):
        ends = [int(end) for end in part.split("–")]
        named += range(ends[0], ends[-1] + 1)
    assert named == sorted(lanes)


@pytest.mark.parametrize(("variant", "worst"), [("gpu.naive", 2.0), ("gpu.tiled", 1.0), ("gpu.transpose-global", 4.0)])
def test_the_verdict_is_the_ratio_of_the_sectors(variant: str, worst: float) -> None:
    """A warp of the naive kernel reads one word of each of two rows of A: 8 bytes, from two sectors."""
    index = launch_of(variant, 64)
    found = [verdict(accessed_sectors(index, frame_at(index, int(step)))) for step in index.steps_in(Space.GLOBAL)[::37]]
    assert max(each.times for each in found if each is not None) == worst
    assert np.all([each.good == (each.times <= 1) for each in found if each is not None])
