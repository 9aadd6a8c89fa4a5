"""For every race of the corpus whose result can differ two schedules are found: one that is wrong, and one that works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.races import races
from kernels.exploration.breaking_schedules import Interleavings, interleavings
from kernels.simt.run.execution import execute
from kernels.simt.run.scheduled import follow
from tests.oracle.corpus import files, read, said

RACY = [path for path in files("bugs") if any(kind == "data-race" for kind, _ in said(path))]
UNCHANGED = {
    "plain-read-beside-atomic-maximum": "what a stale value lets through is compared once more",
    "stencil-in-place": "the mean of what stands around is what stands there",
    "two-arrays-one-pointer": "nobody reads what is written",
    "message-atomic-of-the-block": "both fences are of the device, and such fences stand in one order for all (PTX: Fence-SC)",
    "lock-freed-plainly": "all fences are of the device, and such fences stand in one order for all (PTX: Fence-SC)",
    "ptx-ldmatrix-without-syncwarp": "a warp that loads matrices goes as a whole here, and sees its own stores",
    "message-plain-flag": "both fences are of the device; only a compiler may keep the flag in a register",
}
"""Where no schedule changes the result, and why."""
BY_ENGINE = {"ptx-copy-not-waited-for"}
"""Where one of the two accesses is the copy engine's, which no turn of a thread moves."""
ONLY_WEAK = frozenset(
    [
        "barrier-of-blocks-without-fence",
        "cluster-relaxed-before-its-fence",
        "last-block-without-fence",
        "lock-of-block-scope",
        "lock-without-acquire",
        "lock-without-release",
        "message-flag-without-fence",
        "message-relaxed-load",
        "scope-block-maximum-of-all",
        "shuffle-for-syncwarp",
        "warp-to-warp-without-fence",
    ]
)
"""Some of those in which no order of accesses changes the result, if all see each at once."""


@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
def test_a_race_has_a_schedule_that_breaks_it_and_one_that_works(path: Path) -> None:
    case = read(path)
    broken = 0
    for finding in races(execute(case.kernel, case.request)):
        found = interleavings(case.kernel, case.request, finding)
        if path.stem in BY_ENGINE:
            assert str(found) == "The two accesses are not made in the blocks that were executed again."
            return
        assert isinstance(found, Interleavings), found
        assert found.tried > 1
        if found.breaks is None:
            assert "the same result" in str(found.sentence)
            assert ("went together" in str(found.sentence)) == (path.stem == "ptx-ldmatrix-without-syncwarp")
            continue
        broken += 1
        assert found.count == 0 or found.wrong
        assert found.wrong == () or found.wrong[-1].operation != "load"
        assert len(found.breaks.turns) >= 1
        again = [follow(case.kernel, case.request, each.schedule) for each in (found.works, found.breaks)]
        if found.works.trace.blocks == again[0].trace.blocks:
            assert any(not np.array_equal(held, again[1].memory[name]) for name, held in again[0].memory.items())
        assert path.stem not in ONLY_WEAK or found.breaks.trace.unordered is not None
    assert bool(broken) == (path.stem not in UNCHANGED)
