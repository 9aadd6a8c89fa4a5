"""For every race of the corpus whose result can differ two schedules are found: one that is wrong, and one that works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.breaking_schedules import Interleavings, interleavings
from kernels.analysis.races import races
from kernels.simt.run.execution import execute
from kernels.simt.run.scheduled import follow
from tests.oracle.corpus import files, read

RACY = [path for path in files("bugs") if any(kind == "data-race" for kind, _ in read(path).findings)]
UNCHANGED = {
    "plain-read-beside-atomic-maximum": "what a stale value lets through is compared once more",
    "stencil-in-place": "the mean of what stands around is what stands there",
    "two-arrays-one-pointer": "nobody reads what is written",
    "block-scope-counter": "atomics are made in one go, whatever their scope",
    "block-scope-beside-device-scope": "atomics are made in one go, whatever their scope",
    "last-block-without-fence": "each thread's accesses happen in its order",
    "shuffle-for-syncwarp": "the lanes of a warp store before they meet",
    "shuffle-through-warp": "the lanes of a warp store before they meet",
    "equal-values-one-only-reads": "the lanes of a warp store before one of them reads",
    "warp-to-warp-lanes-do-not-meet": "the lanes of a warp store before one of them sets the flag",
}
"""Where no schedule changes the result, and why."""
WHOLE_ATOMICS = frozenset(["scope-block-beside-system", "scope-block-maximum-of-all", "scope-block-object-of-all"])
"""Atomics are made in one go, whatever their scope."""
IN_ORDER = frozenset(
    [
        "barrier-of-blocks-without-fence",
        "chain-second-fence-missing",
        "chain-second-fence-narrow",
        "chained-sums-fence-of-the-block",
        "chained-sums-without-fence",
        "lock-beside-copies-without-acquire",
        "lock-freed-plainly",
        "lock-object-relaxed-freeing",
        "lock-object-relaxed-taking",
        "lock-of-block-scope",
        "lock-of-lanes-of-two-blocks",
        "lock-of-lanes-without-acquire",
        "lock-of-lanes-without-release",
        "lock-of-warps-spinning-without-fences",
        "lock-with-narrow-acquire",
        "lock-with-narrow-release",
        "lock-without-acquire",
        "lock-without-fences",
        "lock-without-release",
        "message-atomic-flag-without-fence",
        "message-atomic-of-the-block",
        "message-fence-behind-the-flag",
        "message-fence-of-the-block",
        "message-flag-without-fence",
        "message-object-of-the-block",
        "message-plain-flag",
        "message-relaxed-between-narrow-fences",
        "message-relaxed-load",
        "message-relaxed-store",
        "message-release-of-another-object",
        "message-writer-without-fence",
        "one-slot-filled-without-fence",
        "ticket-lock-narrow",
        "ticket-lock-without-acquire",
        "ticket-lock-without-release",
        "wait-for-a-later-block-without-fence",
        "warp-to-warp-without-fence",
    ]
)
"""Flags and locks without a fence that reaches: each thread's accesses happen in its order, and are seen by all at once."""


@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
def test_a_race_has_a_schedule_that_breaks_it_and_one_that_works(path: Path) -> None:
    case = read(path)
    broken = 0
    for finding in races(execute(case.kernel, case.request)).findings:
        found = interleavings(case.kernel, case.request, finding)
        assert isinstance(found, Interleavings), found
        assert found.tried > 1
        if found.breaks is None:
            assert "the same result" in str(found.sentence)
            continue
        broken += 1
        assert found.count == 0 or found.wrong
        assert found.wrong == () or found.wrong[-1].operation != "load"
        assert len(found.breaks.turns) >= 1
        again = [follow(case.kernel, case.request, each.schedule) for each in (found.works, found.breaks)]
        if found.works.trace.blocks == again[0].trace.blocks:
            assert any(not np.array_equal(held, again[1].memory[name]) for name, held in again[0].memory.items())
    assert bool(broken) == (path.stem not in {*UNCHANGED, *WHOLE_ATOMICS, *IN_ORDER})
