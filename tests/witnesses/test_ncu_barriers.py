"""Operations on barriers in shared memory against what Nsight Compute counted on an H200: no wavefront, whichever lanes take part.

`barriers_record.py` made the recording. The one wavefront that each initialised barrier has is of another kind (`op_misc`), and of no line.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.counts import counts
from tests.launches.simt_launch import launch
from tests.witnesses.barriers_record import FAMILIES, ROUNDS, Lanes, cases

RECORD = json.loads((Path(__file__).resolve().parents[1] / "golden" / "ncu_barriers_h200.json").read_text(encoding="utf-8"))
ALL = FAMILIES[0]


def wavefronts(title: str) -> tuple[int, int]:
    """Of all instructions on shared memory, as the profiler gives them by line, and all but those of kind `op_misc`."""
    found = RECORD["single"][title]
    by_line = sum(each["wavefronts"] for each in found["instructions"] if each["opcode"].startswith(("SYNCS", "ATOMS")))
    return by_line, found["counters"][ALL] - found["counters"][f"{ALL}_op_misc"]


@pytest.mark.parametrize(("instruction", "lanes"), cases(), ids=lambda each: each if isinstance(each, str) else each.name)
def test_single_operations_take_the_wavefronts_that_were_counted(instruction: str, lanes: Lanes) -> None:
    totals = counts(launch(lanes.text(instruction), 1, 32, {"out": np.zeros(32, np.uint32), "rounds": ROUNDS})).totals
    ours = totals.shared_load_wavefronts + totals.shared_store_wavefronts + totals.shared_atomic_wavefronts
    assert (ours, ours) == wavefronts(f"{instruction}: {lanes.name}")
    looped = instruction not in ("nothing", "atom")
    assert totals.shared_barrier_requests == 1 + ROUNDS * looped


def test_each_barrier_that_is_initialised_counts_once_apart() -> None:
    for instruction, lanes in cases():
        counted = RECORD["single"][f"{instruction}: {lanes.name}"]["counters"][f"{ALL}_op_misc"]
        barriers = lanes.count if lanes.stride else 1
        turns = int(lanes.stride > 0)  # where lanes take turns one more is counted, of which the machine code shows no reason
        assert counted - turns == barriers * (1 + ROUNDS * (instruction == "init"))
