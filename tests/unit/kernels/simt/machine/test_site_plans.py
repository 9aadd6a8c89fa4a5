"""Plans of access sites: a slice where lanes are evenly spaced gives what one item after the other does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from kernels.simt.machine.lanes import Masks
from kernels.simt.machine.log import Bases
from kernels.simt.machine.site_plans import Plan, runs

LANE = np.arange(64)
EVEN = {
    "one after the other": LANE,
    "all the same": LANE * 0,
    "backwards": 63 - LANE,
    "every third": LANE * 3,
    "rows of a matrix": LANE % 16 + LANE // 16 * 100,
    "rows of two matrices": LANE % 8 + LANE // 8 % 4 * 100 + LANE // 32 * 1000,
}
UNEVEN = {"pairs": LANE // 2 % 2 + LANE // 4 * 7, "squares": LANE * LANE, "one astray": np.where(LANE == 40, 0, LANE)}


def plan(index: npt.NDArray[np.int64]) -> Plan:
    base, _ = Bases(64)(index * 4)
    everyone = Masks(64).intern(np.ones(64, np.bool_))
    return Plan(base, everyone, 0, 0, int(index.max()) * 4, aligned=True, index=index, active_index=index, distinct=False)


@pytest.mark.parametrize("index", [*EVEN.values(), *UNEVEN.values()], ids=[*EVEN, *UNEVEN])
def test_what_is_read_are_the_items_at_the_lanes_places(index: npt.NDArray[np.int64]) -> None:
    memory = np.random.default_rng(1).uniform(size=5000).astype(np.float32)
    read = plan(index).read(memory[7:])
    found = read()
    np.testing.assert_array_equal(found, memory[7:][index])
    memory[:] = 0
    assert found.any(), "what was read is an array of its own"
    assert not read().any(), "memory is read each time"


@pytest.mark.parametrize("index", EVEN.values(), ids=EVEN)
def test_evenly_spaced_lanes_are_a_slice(index: npt.NDArray[np.int64]) -> None:
    assert runs(index) is not None


@pytest.mark.parametrize("index", UNEVEN.values(), ids=UNEVEN)
def test_others_are_none(index: npt.NDArray[np.int64]) -> None:
    assert runs(index) is None
