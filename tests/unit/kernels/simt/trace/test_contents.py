"""What memory holds at chosen moments: of kernels whose every value is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.simt.base.launch import Fill, Filled, Keep
from kernels.simt.base.types import Space
from kernels.simt.trace.contents import INITIAL, UNDEFINED, WRITTEN, Contents, by_piece_and_moment, scalars_of
from kernels.simt.trace.trace import Allocation, Trace
from tests.launches.memory_replay import assert_window
from tests.launches.simt_launch import launch

ROUNDS = """
__global__ void k(float* out) {
    for (int i = 0; i < 3; ++i)
        out[threadIdx.x] = 10.0f * i + threadIdx.x;
}
"""


def kept(text: str, grid: Any, block: Any, arguments: Any, **options: Any) -> Trace:
    return launch(text, grid, block, arguments, keep=Keep.HISTORY, **options)


def number(trace: Trace, name: str) -> int:
    return [array.name for array in trace.allocations].index(name)


def window(trace: Trace, name: str, moment: int, block: int = 0) -> tuple[list[Any], list[int], list[int]]:
    contents = Contents(trace)
    array = number(trace, name)
    assert_window(contents, trace, array, moment, block)
    found = contents.window(array, np.arange(contents.scalars(array)), moment, block)
    return found.values.tolist(), found.state.tolist(), found.writer.tolist()


def test_a_trace_without_a_history_has_no_contents() -> None:
    trace = launch(ROUNDS, 1, 32, {"out": Filled(32)})
    assert (trace.initial, trace.written) == ((), None)
    with pytest.raises(ValueError, match="no history"):
        Contents(trace)


def test_a_history_is_kept_instead_of_results() -> None:
    assert kept(ROUNDS, 1, 32, {"out": Filled(32)}).values == {}


def test_warps_of_a_row_arrive_one_after_the_other() -> None:
    trace = kept(ROUNDS, 1, 64, {"out": Filled(70, Fill.ZEROS)})
    values, state, writer = window(trace, "out", 0)
    assert (set(values), set(state), set(writer)) == ({0.0}, {INITIAL}, {-1})
    values, state, writer = window(trace, "out", 3)
    assert values == [10.0 + i for i in range(32)] + [float(i) for i in range(32, 64)] + [0.0] * 6
    assert state == [WRITTEN] * 64 + [INITIAL] * 6
    assert writer == [2] * 32 + [1] * 32 + [-1] * 6
    assert window(trace, "out", Contents(trace).end)[0][:64] == [20.0 + i for i in range(64)]
    assert window(trace, "out", 10**9) == window(trace, "out", Contents(trace).end)
    assert window(trace, "out", -5) == window(trace, "out", 0)


def test_an_array_without_a_fill_is_undefined_until_written() -> None:
    trace = kept(ROUNDS, 1, 32, {"out": Filled(40)})
    assert window(trace, "out", 0)[1] == [UNDEFINED] * 40
    assert window(trace, "out", 1)[1] == [WRITTEN] * 32 + [UNDEFINED] * 8


def test_an_element_is_undefined_until_all_of_its_bytes_are_written() -> None:
    text = """
    __global__ void k(int* out) {
        char* bytes = reinterpret_cast<char*>(out);
        for (int i = 0; i < 4; ++i) bytes[4 * threadIdx.x + i] = i + 1;
    }
    """
    trace = kept(text, 1, 32, {"out": Filled(32)})
    assert window(trace, "out", 3) == ([0] * 32, [UNDEFINED] * 32, [2] * 32)
    assert window(trace, "out", 4) == ([0x04030201] * 32, [WRITTEN] * 32, [3] * 32)
    given = kept(text, 1, 32, {"out": Filled(32, Fill.ZEROS)})
    assert window(given, "out", 2) == ([0x0201] * 32, [WRITTEN] * 32, [1] * 32)


def test_of_lanes_at_one_place_the_winner_is_shown() -> None:
    trace = kept("__global__ void k(int* out) { out[threadIdx.x / 8] = threadIdx.x; }", 1, 32, {"out": Filled(4)})
    assert window(trace, "out", 1)[0] == [7, 15, 23, 31]


def test_atomics_leave_their_result() -> None:
    text = "__global__ void k(int* bins) { atomicAdd(&bins[threadIdx.x % 3], 1); atomicAdd(&bins[0], 5); }"
    trace = kept(text, 1, 32, {"bins": Filled(3, Fill.ARANGE)})
    assert window(trace, "bins", 0)[0] == [0, 1, 2]
    assert window(trace, "bins", 1)[0] == [11, 12, 12]
    assert window(trace, "bins", 2) == ([171, 12, 12], [WRITTEN] * 3, [1, 0, 0])


def test_each_block_has_shared_memory_of_its_own_and_global_memory_stays() -> None:
    text = """
    __global__ void k(int* out) {
        __shared__ int tile[32];
        tile[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
        __syncthreads();
        out[32 * blockIdx.x + threadIdx.x] = tile[31 - threadIdx.x];
    }
    """
    trace = kept(text, 2, 32, {"out": Filled(64, Fill.ZEROS)})
    assert window(trace, "tile", 3, block=0)[0] == list(range(32))
    assert window(trace, "tile", 3, block=1)[1] == [UNDEFINED] * 32
    assert window(trace, "tile", 4, block=1)[0] == list(range(100, 132))
    assert window(trace, "out", 4)[0] == [*range(31, -1, -1), *[0] * 32]


def test_dynamic_arrays_share_their_bytes() -> None:
    text = """
    __global__ void k(float* out) {
        extern __shared__ int whole[];
        extern __shared__ float real[];
        whole[threadIdx.x] = 0x3F800000;
        out[threadIdx.x] = real[threadIdx.x];
    }
    """
    trace = kept(text, 1, 32, {"out": Filled(32)}, shared_bytes=128)
    assert window(trace, "real", 1) == ([1.0] * 32, [WRITTEN] * 32, [0] * 32)
    assert window(trace, "whole", 1)[0] == [0x3F800000] * 32


def test_vectors_are_shown_as_scalars() -> None:
    text = "__global__ void k(float4* out) { out[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3); }"
    trace = kept(text, 1, 32, {"out": Filled(33)})
    values, state, _ = window(trace, "out", 1)
    assert values == [x for t in range(32) for x in (float(t), 1.0, 2.0, 3.0)] + [0.0] * 4
    assert state == [WRITTEN] * 128 + [UNDEFINED] * 4


def test_a_store_that_went_nowhere_changes_nothing() -> None:
    text = """
    __global__ void k(int* a, int* b) {
        __shared__ int first[16]; __shared__ int second[32];
        second[threadIdx.x] = -1;
        first[threadIdx.x + 8] = 7;
        a[threadIdx.x + 24] = 9;
        *reinterpret_cast<int*>(reinterpret_cast<char*>(b) + threadIdx.x * 2) = 5;
    }
    """
    trace = kept(text, 1, 32, {"a": Filled(32, Fill.ZEROS), "b": Filled(32, Fill.ZEROS)})
    assert {each.kind for each in trace.findings} == {"out-of-bounds", "misaligned-access"}
    assert window(trace, "first", 4)[1] == [UNDEFINED] * 8 + [WRITTEN] * 8
    assert window(trace, "second", 4)[0] == [-1] * 32
    assert window(trace, "a", 4)[0] == [0] * 24 + [9] * 8
    assert window(trace, "b", 4) == ([5] * 16 + [0] * 16, [WRITTEN] * 16 + [INITIAL] * 16, [3] * 16 + [-1] * 16)


def test_elements_that_do_not_exist_are_undefined_and_the_shape_is_kept() -> None:
    trace = kept(ROUNDS, 1, 32, {"out": Filled(32, Fill.ZEROS)})
    found = Contents(trace).window(0, np.array([[-1, 0, 31], [32, 5, 10**15]]), 1)
    assert found.state.tolist() == [[UNDEFINED, WRITTEN, WRITTEN], [UNDEFINED, WRITTEN, UNDEFINED]]
    assert found.values.tolist() == [[0, 0, 31], [0, 5, 0]]
    assert found.writer.tolist() == [[-1, 0, 0], [-1, 0, -1]]


@pytest.mark.parametrize(
    ("element", "written", "expected", "dtype"),
    [
        ("half", "__float2half(1.5f)", 1.5, np.float16),
        ("double", "0.1", 0.1, np.float64),
        ("bool", "threadIdx.x > 100", False, np.bool_),
        ("signed char", "-3", -3, np.int8),
        ("unsigned long long", "~0ull", 2**64 - 1, np.uint64),
        ("P", "P{0x11223344, 1.0f}", 0x11223344, np.uint32),
    ],
)
def test_elements_are_decoded_by_their_type(element: str, written: str, expected: Any, dtype: Any) -> None:
    text = f"""#include <cuda_fp16.h>
    struct P {{ int a; float b; }};
    __global__ void k({element}* out) {{ out[threadIdx.x] = {written}; }}"""
    trace = kept(text, 1, 32, {"out": Filled(32)})
    contents = Contents(trace)
    found = contents.window(0, np.arange(2), contents.end)
    assert found.values.dtype == dtype
    assert found.values[0] == expected
    assert_window(contents, trace, 0, contents.end)


@pytest.mark.parametrize(
    ("element", "size", "bits", "expected"),
    [
        ("__nv_bfloat16", 2, np.array([0x3FC0], np.uint16), np.array([1.5], np.float32)),
        ("__nv_bfloat162", 4, np.array([0x3FC0, 0], np.uint16), np.array([1.5, 0], np.float32)),
        ("half2", 4, np.array([0x3E00], np.uint16), np.array([1.5], np.float16)),
        ("uchar3", 3, np.array([255], np.uint8), np.array([255], np.uint8)),
        ("bool", 1, np.array([0, 1, 7], np.uint8), np.array([False, True, True])),
        ("float*", 8, np.array([2**40], np.uint64), np.array([2**40], np.uint64)),
        ("Key", 6, np.array([7], np.uint16), np.array([7], np.uint16)),
        ("float4", 6, np.array([7], np.uint16), np.array([7], np.uint16)),
    ],
)
def test_names_of_types_say_what_bits_mean(element: str, size: int, bits: Any, expected: Any) -> None:
    scalars = scalars_of(Allocation("x", Space.GLOBAL, 256, 0, (0,), size, element))
    assert scalars.bits == bits.dtype
    found = scalars.values(bits)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_an_empty_array_has_an_empty_window() -> None:
    trace = kept("__global__ void k(int* out) {}", 1, 32, {"out": Filled(0)})
    assert Contents(trace).window(0, np.array([0]), 0).state.tolist() == [UNDEFINED]
    assert Contents(trace).window(0, np.zeros(0, np.int64), 0).values.shape == (0,)


def test_what_a_caller_does_to_an_array_given_does_not_reach_the_trace() -> None:
    given = np.arange(32, dtype=np.float32)
    trace = kept(ROUNDS, 1, 32, {"out": given})
    given[:] = -1
    assert window(trace, "out", 0)[0] == list(range(32))


@pytest.mark.parametrize("apart", [1, 1 << 20], ids=["near", "far apart"])
@pytest.mark.parametrize("ascending", [False, True])
def test_writes_are_put_in_order_by_place_and_then_by_time(apart: int, ascending: bool) -> None:
    generator = np.random.default_rng(3)
    piece = (1 << 40) + generator.integers(0, 50, 400) * apart
    moment = generator.integers(0, 30, 400)
    if ascending:
        moment.sort()
    np.testing.assert_array_equal(by_piece_and_moment(piece, moment), np.lexsort((moment, piece)))
