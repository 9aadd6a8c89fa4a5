"""Races in shared memory as compute-sanitizer's racecheck reported them on an H200 (`racecheck_record.py`): the same kernels race, but for
differences whose reason stands here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.types import Space
from kernels.simt.run.execution import execute
from tests.oracle.corpus import FOLDER, read

RECORDED = json.loads((Path(__file__).parents[1] / "golden" / "racecheck_h200.json").read_text(encoding="utf-8"))["kernels"]
HAZARDS = {Path(name).stem: kernel["hazards"] for name, kernel in RECORDED.items() if "hazards" in kernel}
ONLY_OURS = {
    "atomic-and-plain-read": "it compares no atomics with plain accesses",
    "atomic-and-plain-zero": "it compares no atomics with plain accesses",
    "bins-barrier-1-missing": "it compares no atomics with plain accesses",
    "bins-barrier-2-missing": "it compares no atomics with plain accesses",
    "scope-block-and-plain-read": "it compares no atomics with plain accesses",
    "other-value-read-back": "nvcc keeps the stored value in a register: nothing is read back",
    "scan-barrier-1-missing": "why is not known: scan-in-place, which differs in the order of two reads alone, is reported",
}
ONLY_THEIRS = {
    "one-slot-back-and-forth": "it knows no order through fences and flags",
    "warp-to-warp-flag-block-scope": "it knows no order through fences and flags",
    "warp-to-warp-flag": "it knows no order through fences and flags",
    "warp-to-warp-leader-fences": "it knows no order through fences and flags",
}


def races_in_shared_memory(name: str) -> bool:
    case = read(next(path for path in (FOLDER / "bugs" / f"{name}.cu", FOLDER / "clean" / f"{name}.cu") if path.exists()))
    trace = execute(case.kernel, case.request, case.text)
    races = [each for each in findings(trace) if each.kind == "data-race"]
    return any(trace.sites[trace.rows.site[each.row]].space is Space.SHARED for each in races)


def test_most_kernels_were_recorded() -> None:
    assert len(HAZARDS) >= 117
    assert sum(count > 0 for count in HAZARDS.values()) >= 50
    assert sum(count == 0 for count in HAZARDS.values()) >= 50


@pytest.mark.parametrize("name", sorted(HAZARDS))
def test_shared_memory_races_where_racecheck_says_so(name: str) -> None:
    ours, theirs = races_in_shared_memory(name), HAZARDS[name] > 0
    assert (ours, theirs) == ((True, False) if name in ONLY_OURS else (False, True) if name in ONLY_THEIRS else (theirs, theirs))
