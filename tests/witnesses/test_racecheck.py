"""Races in shared memory as compute-sanitizer's racecheck reported them on an H100 (`racecheck_record.py`): the same kernels race, between
the same lines, but for differences whose reason stands here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.types import Space
from kernels.simt.run.execution import execute
from tests.oracle.corpus import FOLDER
from tests.witnesses.racecheck_record import prepared

RECORDED = json.loads((Path(__file__).parents[1] / "golden" / "racecheck_h100.json").read_text(encoding="utf-8"))["kernels"]
ATOMICS, ORDER, ASM, HEADER, RELAXED = (
    "it compares no atomics with plain accesses",
    "it knows no order through fences and flags",
    "it tells a statement of several lines by its second line",
    "it tells an asynchronous copy by a line of CUDA's header",
    "it takes a relaxed arrival for one that releases",
)
ONLY_OURS = {
    "atomic-and-plain-read": ATOMICS,
    "atomic-and-plain-zero": ATOMICS,
    "bins-barrier-1-missing": ATOMICS,
    "bins-barrier-2-missing": ATOMICS,
    "cluster-arrives-relaxed": RELAXED,
    "cluster-barrier-made-without-fence": RELAXED,
    "cluster-block-barrier-for-cluster-sync": "what a block stores before its own barrier it takes as seen by its cluster",
    "cluster-message-with-a-relaxed-arrival": RELAXED,
    "cluster-relaxed-before-its-fence": RELAXED,
    "cluster-relaxed-behind-a-fence-of-the-barrier": RELAXED,
    "cluster-relaxed-behind-a-fence-of-the-block": RELAXED,
    "cluster-relaxed-fence-of-one-without-barrier": RELAXED,
    "defect-stmatrix-read-at-once": "it tells nothing of what stmatrix stores",
    "ptx-barrier-with-a-number-filled-again": "it takes a meeting at a barrier with a number for one of all warps",
    "scope-block-and-plain-read": ATOMICS,
    "other-value-read-back": "nvcc keeps the stored value in a register: nothing is read back",
}
ONLY_THEIRS = {
    "copy-not-waited-for": "each thread reads what it copies itself: that is no race, but read before it is written",
    "one-slot-back-and-forth": ORDER,
    "warp-to-warp-flag-block-scope": ORDER,
    "warp-to-warp-flag": ORDER,
    "warp-to-warp-leader-fences": ORDER,
    "ptx-barriers-with-numbers": "it knows no order through bar.arrive",
}
OTHER_LINES = {
    "copy-into-stage-in-use": HEADER,
    "copy-waited-for-by-each": HEADER,
    "two-stages-without-second-barrier": HEADER,
    "one-slot-filled-without-fence": ORDER,
    "defect-bulk-not-waited-for": ASM,
    "defect-load-before-barrier": ASM,
    "ptx-copy-not-waited-for": ASM,
    "ptx-cp-async-wait-too-few": ASM,
    "ptx-ldmatrix-without-syncwarp": ASM,
    "ptx-stage-given-back-early": ASM,
    "syncwarp-of-each-half": "it remembers the last write of a byte alone, and line 13 has written there since line 11",
    "warp-reduction-without-syncwarp": "nvcc leaves out the store of line 13, which that of line 14 overwrites",
    "work-efficient-scan-barrier-3-missing": "with step 1 nvcc loads, and stores, two elements at once, in lines 29 and 31",
}
Lines = list[list[int]]


def races_in_shared_memory(name: str) -> Lines:
    """The lines of each race in shared memory."""
    case = prepared(FOLDER / name)
    trace = execute(case.kernel, case.request, case.text)
    races = [each for each in findings(trace) if each.kind == "data-race" and trace.sites[trace.rows.site[each.row]].space is Space.SHARED]
    pairs = {tuple(sorted((each.location.line, (each.other or each.location).line))) for each in races}
    return [list(pair) for pair in sorted(pairs)]


def test_all_kernels_were_recorded() -> None:
    assert len(RECORDED) >= 230
    assert sum(kernel["hazards"] > 0 for kernel in RECORDED.values()) >= 55
    assert sum(kernel["hazards"] == 0 for kernel in RECORDED.values()) >= 130
    named = ONLY_OURS.keys() | ONLY_THEIRS.keys() | OTHER_LINES.keys()
    assert named <= {Path(name).stem for name in RECORDED}


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_shared_memory_races_between_the_lines_that_racecheck_says(name: str) -> None:
    ours, theirs, stem = races_in_shared_memory(name), RECORDED[name]["lines"], Path(name).stem
    expected = (True, False) if stem in ONLY_OURS else (False, True) if stem in ONLY_THEIRS else (RECORDED[name]["hazards"] > 0,) * 2
    assert (bool(ours), RECORDED[name]["hazards"] > 0) == expected
    alike = stem not in ONLY_OURS.keys() | ONLY_THEIRS.keys() | OTHER_LINES.keys()
    assert (ours == theirs) == (alike or (stem in ONLY_THEIRS and not theirs))
