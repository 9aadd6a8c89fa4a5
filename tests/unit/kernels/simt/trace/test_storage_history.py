"""Histories of memory in files: back exactly as written; what does not fit the trace is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.base.messages import Message
from kernels.simt.base.launch import Filled, Keep
from kernels.simt.trace.contents import Contents
from kernels.simt.trace.storage import read_trace, write_trace
from kernels.simt.trace.trace import Held, Initial, Trace
from tests.simt_launch import launch

TEXT = """
__global__ void k(const short* in, float4* out, int n) {
    __shared__ float tile[40];
    if (threadIdx.x < n) tile[threadIdx.x] = in[threadIdx.x];
    atomicAdd(&tile[threadIdx.x % 7], 1.0f);
    out[threadIdx.x] = make_float4(tile[threadIdx.x], 1, 2, 3);
}
"""


@pytest.fixture(scope="module")
def trace() -> Trace:
    return launch(TEXT, 2, 40, {"in": np.arange(40, dtype=np.int16), "out": Filled(40), "n": 33}, keep=Keep.HISTORY)


def outcome(trace: Trace, folder: Path) -> Trace | Message:
    """What is read from a file of this trace, whether it makes sense or not."""
    assert write_trace(trace, folder / "trace.zip") is None
    return read_trace(folder / "trace.zip")


def test_a_history_comes_back_exactly(trace: Trace, tmp_path: Path) -> None:
    found = outcome(trace, tmp_path)
    assert isinstance(found, Trace)
    assert [each.held for each in found.initial] == [Held.BYTES, Held.UNDEFINED, Held.UNDEFINED]
    assert found.written is not None
    assert trace.written is not None
    for name in ("row", "start", "bytes"):
        np.testing.assert_array_equal(getattr(found.written, name), getattr(trace.written, name))
    whole = np.arange(40)
    for number in range(3):
        for moment in (0, 5, Contents(trace).end):
            one, other = (Contents(each).window(number, whole, moment) for each in (trace, found))
            np.testing.assert_array_equal(one.values, other.values)
            np.testing.assert_array_equal(one.state, other.state)


def test_a_history_without_any_write_comes_back(tmp_path: Path) -> None:
    found = outcome(launch("__global__ void k() {}", 1, 32, {}, keep=Keep.HISTORY), tmp_path)
    assert isinstance(found, Trace)
    assert found.written is not None
    assert (found.written.row.tolist(), found.written.start.tolist(), found.written.bytes.tolist()) == ([], [0], [])


def changes() -> list[Any]:
    def written(**columns: Any) -> Any:
        return lambda trace: replace(trace, written=replace(trace.written, **{name: of(trace.written) for name, of in columns.items()}))

    def first(initial: Initial) -> Any:
        return lambda trace: replace(trace, initial=(initial, *trace.initial[1:]))

    def third(**fields: Any) -> Any:
        return lambda trace: replace(trace, allocations=(*trace.allocations[:2], replace(trace.allocations[2], **fields)))

    return [
        lambda trace: replace(trace, written=None),
        lambda trace: replace(trace, initial=()),
        lambda trace: replace(trace, initial=trace.initial[:-1]),
        first(Initial(Held.BYTES)),
        first(Initial(Held.ZEROS, np.zeros(80, np.uint8))),
        first(Initial(Held.BYTES, np.zeros(79, np.uint8))),
        first(Initial(Held.BYTES, np.zeros((2, 40), np.uint8))),
        written(row=lambda each: each.row[::-1].copy()),
        written(row=lambda each: each.row + 100),
        written(row=lambda each: each.row - 1),
        written(row=lambda each: np.r_[each.row[:1], each.row[:-1]]),
        written(row=lambda each: each.row.reshape(1, -1)),
        written(start=lambda each: each.start + 1),
        written(start=lambda each: each.start[:-1]),
        written(start=lambda each: np.r_[0, each.start[2:3], each.start[2:]]),
        written(start=lambda each: each.start[::-1].copy()),
        written(bytes=lambda each: each.bytes[:-1]),
        written(bytes=lambda each: each.bytes.reshape(-1, 4)),
        written(bytes=lambda each: np.r_[each.bytes, each.bytes]),
        third(address=-4),
        third(bytes=-1),
        third(address=2**70),
        third(bytes=2**62),
        third(element_bytes=-4),
    ]


@pytest.mark.parametrize("number", range(len(changes())))
def test_a_history_that_does_not_fit_is_refused(trace: Trace, tmp_path: Path, number: int) -> None:
    found = outcome(changes()[number](trace), tmp_path)
    assert isinstance(found, Message)
    assert "damaged" in str(found)
