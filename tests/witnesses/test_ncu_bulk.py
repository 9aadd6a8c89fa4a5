"""Copies and updates in bulk, `st.async` and `red.async` against what Nsight Compute counted on an H200: no request and no wavefront.

`bulk_record.py` made the recording, of two blocks of a cluster that each move BYTES. What it does count are words read and written in the
banks, and the sectors that come and go.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.analysis.counts import COPY, counts, warp_costs
from kernels.analysis.findings import findings
from kernels.analysis.workload import workload
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch
from tests.witnesses.bulk_record import BLOCKS, BYTES, MOVES, text

RECORD = json.loads((Path(__file__).resolve().parents[1] / "golden" / "ncu_bulk_h200.json").read_text(encoding="utf-8"))["moves"]
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"
REQUESTS = "smsp__inst_executed_op_{}.sum"
READ, WRITTEN = ("l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum")
WORD = 4


def executed(name: str) -> Trace:
    trace = launch(text(name), BLOCKS, 32, {"out": np.zeros(BYTES * BLOCKS, np.int8), "in": np.ones(BYTES, np.int8)})
    assert findings(trace) == ()
    return trace


def counted(name: str, counter: str) -> int:
    return int(RECORD[name]["counters"].get(counter, 0))


@pytest.mark.parametrize("name", MOVES)
def test_what_moves_by_itself_is_no_request_and_takes_no_wavefront(name: str) -> None:
    """Of the same launch the stores of its threads are counted, and so here."""
    trace = executed(name)
    totals: Any = counts(trace).totals
    for kind in ("load", "store"):
        short = {"load": "ld", "store": "st"}[kind]
        assert getattr(totals, f"shared_{kind}_wavefronts") == counted(name, WAVEFRONTS.format(short))
        assert getattr(totals, f"shared_{kind}_requests") == counted(name, REQUESTS.format(f"shared_{short}"))
        assert getattr(totals, f"global_{kind}_requests") == counted(name, REQUESTS.format(f"global_{short}")) == 0
    assert totals.shared_atomic_requests == totals.shared_atomic_wavefronts == counted(name, REQUESTS.format("shared_atom")) == 0
    assert totals.shared_store_wavefronts == 2 * BLOCKS * BYTES // 128
    assert sum(each["wavefronts"] for each in RECORD[name]["instructions"]) == workload(trace).shared_wavefronts_by_line
    assert warp_costs(trace).wavefronts.sum() == warp_costs(executed("nothing")).wavefronts.sum()


@pytest.mark.parametrize("name", MOVES)
def test_what_moves_from_and_to_global_memory_are_sectors(name: str) -> None:
    """Of an update the profiler has no counter of its own."""
    totals = counts(executed(name)).totals
    each_once = 1 if name == "load for both" else BLOCKS  # both receive what one has asked for: here the sectors that are read
    assert totals.global_load_sectors * BLOCKS // each_once == counted(name, READ)
    assert totals.global_store_sectors == counted(name, WRITTEN)
    work = workload(executed(name))
    assert (work.bulk_received_sectors, work.bulk_store_sectors) == (counted(name, READ), counted(name, WRITTEN))


@pytest.mark.parametrize(("name", "read", "written"), [
    ("nothing", 0, 0), ("load", 0, 1), ("load for both", 0, 1), ("store", 1, 0), ("update of global memory", 1, 0),
    ("copy to the other block", 1, 1),
])  # fmt: skip
def test_the_bytes_are_those_that_the_banks_gave_and_took(name: str, read: int, written: int) -> None:
    """But for 8 words that are read where nothing moves, and fewer than 8 where something does."""
    trace = executed(name)
    lines = [line for line in counts(trace).lines if line.operation == COPY]
    moved = sum(line.bytes_moved or 0 for line in lines)
    assert moved == counts(trace).totals.shared_copied_bytes == (read + written) * BLOCKS * BYTES
    assert all((line.requests, line.wavefronts) == (0, None) for line in lines)
    there = [
        counted(name, f"l1tex__data_bank_{kind}.sum") - counted("nothing", f"l1tex__data_bank_{kind}.sum") for kind in ("reads", "writes")
    ]
    assert there[1] * WORD == written * BLOCKS * BYTES
    assert abs(there[0] * WORD - read * BLOCKS * BYTES) <= 8 * WORD
