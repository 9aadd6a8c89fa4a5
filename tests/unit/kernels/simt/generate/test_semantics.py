"""C's meaning of small kernels, with values in all lanes or differing among them."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch, result

LANES = np.arange(64)


def ints(expression: str, **arguments: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """`expression` of `i`, the thread's index less 32, for 64 threads; once more with the index in a uniform loop: they must agree."""
    parameters = "".join(f", int {name}" for name in arguments)
    varying = result(
        f"__global__ void f(int* out{parameters}) {{ int i = (int)threadIdx.x - 32; out[threadIdx.x] = {expression}; }}",
        64,
        np.int32,
        **arguments,
    )
    uniform = result(
        f"__global__ void f(int* out{parameters}) {{ for (int i = -32; i < 32; ++i) out[i + 32] = {expression}; }}",
        64,
        np.int32,
        **arguments,
    )
    np.testing.assert_array_equal(varying, uniform)
    return varying


def test_division_truncates() -> None:
    expected = [int(i / 7) for i in range(-32, 32)]
    np.testing.assert_array_equal(ints("i / 7"), expected)
    np.testing.assert_array_equal(ints("i / n", n=7), expected)
    np.testing.assert_array_equal(ints("i % n", n=7), [i - 7 * int(i / 7) for i in range(-32, 32)])
    np.testing.assert_array_equal(ints("100 / (i == 0 ? 1 : i)"), [int(100 / (i or 1)) for i in range(-32, 32)])


def test_division_by_zero_and_the_overflowing_quotient_do_not_stop_the_launch() -> None:
    np.testing.assert_array_equal(ints("i / n", n=0), np.zeros(64))
    np.testing.assert_array_equal(ints("i % n", n=0), ints("i % n", n=0))
    assert ints("(n - i * 0) / -1", n=-(2**31))[0] == -(2**31)


def test_integers_wrap() -> None:
    np.testing.assert_array_equal(ints("i * n", n=2**30), (np.arange(-32, 32) * 2**30).astype(np.int32))
    np.testing.assert_array_equal(
        ints("(int)((unsigned)i * 3000000000u / 3u)"), ((np.arange(-32, 32) * 3000000000 % 2**32) // 3).astype(np.int32)
    )
    np.testing.assert_array_equal(ints("(int)(signed char)(i * 9)"), (np.arange(-32, 32) * 9).astype(np.int8))
    np.testing.assert_array_equal(
        ints("(int)((long long)i * 123456789012345ll >> 20)"), (np.arange(-32, 32) * 123456789012345 >> 20).astype(np.int32)
    )


def test_shifts_of_any_count_are_defined() -> None:
    np.testing.assert_array_equal(ints("n << (i & 31)", n=3), (3 << (np.arange(-32, 32) & 31)).astype(np.int32))
    np.testing.assert_array_equal(ints("n >> i", n=-7)[:32], np.full(32, -1))
    np.testing.assert_array_equal(ints("(int)((unsigned)i >> 0x7fffffffffffffffll)"), np.zeros(64))
    np.testing.assert_array_equal(ints("i >> 33"), np.where(np.arange(-32, 32) < 0, -1, 0))


def test_floats_become_integers_as_the_hardware_does_it() -> None:
    values = np.array([1.9, -1.9, 3e9, -3e9, np.nan, np.inf, -np.inf, 2147483520.0] * 8, np.float32)
    text = "__global__ void f(const float* in, int* out) { out[threadIdx.x] = (int)in[threadIdx.x]; }"
    expected = [1, -1, 2**31 - 1, -(2**31), 0, 2**31 - 1, -(2**31), 2147483520] * 8
    np.testing.assert_array_equal(result(text, 64, np.int32, **{"in": values}), expected)
    uniform = "__global__ void f(const float* in, int* out) { for (int i = 0; i < 64; ++i) out[i] = (int)in[i]; }"
    np.testing.assert_array_equal(result(uniform, 64, np.int32, **{"in": values}), expected)


def test_floats_round_after_each_operation_unless_contraction_is_asked_for() -> None:
    rng = np.random.default_rng(5)
    a, b, c = rng.standard_normal((3, 64)).astype(np.float32)
    parameters = "const float* a, const float* b, const float* c, float* out"
    text = f"__global__ void f({parameters}) {{ int i = threadIdx.x; out[i] = a[i] * b[i] - c[i]; }}"
    np.testing.assert_array_equal(result(text, 64, np.float32, a=a, b=b, c=c), a * b - c)
    fused = launch(text, 1, 64, {"a": a, "b": b, "c": c, "out": np.zeros(64, np.float32)}, contract_fma=True)
    exact = (a.astype(np.longdouble) * b - c).astype(np.float32)
    np.testing.assert_array_equal(fused.values["out"], exact)
    assert (exact != a * b - c).any()
    assert fused.flops == 128


def test_the_right_side_of_a_condition_reads_only_where_it_decides() -> None:
    data = np.arange(40, dtype=np.int32)
    value = "(i < n && in[i] % 2) || i > 60 ? 1 : i < n ? in[i] : -1"
    text = f"__global__ void f(const int* in, int* out, int n) {{ int i = threadIdx.x; out[i] = {value}; }}"
    expected = [1 if (i < 40 and i % 2) or i > 60 else i if i < 40 else -1 for i in range(64)]
    np.testing.assert_array_equal(result(text, 64, np.int32, n=40, **{"in": data}), expected)


CONTROL = """
__device__ int first_multiple(int of, int from)
{
    for (int k = from; k < from + 50; ++k) {
        if (k % of)
            continue;
        if (k % 2 == 0)
            return k;
    }
    return -1;
}

__global__ void f(int* out)
{
    int i = threadIdx.x, sum = 0, rounds = 0;
    do {
        ++rounds;
        for (int j = i; j < 64; ++j) {
            if (j % 5 == 4)
                continue;
            if (j > i + rounds)
                break;
            sum += j;
        }
        switch (rounds & 3) {
        case 0:
            sum += 1000;
        case 1:
            sum += 100;
            break;
        case 3:
            if (i % 3)
                break;
            sum += 7;
        default:
            sum += 10;
        }
    } while (rounds < i % 7);
    out[i] = sum + first_multiple(i % 4 + 1, i);
}
"""


def first_multiple(of: int, start: int) -> int:
    return next((k for k in range(start, start + 50) if k % of == 0 and k % 2 == 0), -1)


def expected_control(i: int) -> int:
    total = rounds = 0
    while True:
        rounds += 1
        for j in range(i, 64):
            if j % 5 == 4:
                continue
            if j > i + rounds:
                break
            total += j
        total += {0: 1100, 1: 100, 2: 10, 3: 0 if i % 3 else 17}[rounds & 3]
        if rounds >= i % 7:
            return total + first_multiple(i % 4 + 1, i)


@pytest.mark.parametrize("mode", list(Mode))
def test_lanes_that_part_meet_again(mode: Mode) -> None:
    trace = launch(CONTROL, 1, 50, {"out": np.zeros(50, np.int32)}, mode=mode)
    np.testing.assert_array_equal(trace.values["out"], [expected_control(i) for i in range(50)])


def test_lanes_that_returned_stay_away() -> None:
    text = """
__global__ void f(int* out)
{
    int i = threadIdx.x;
    for (int k = 0; k < 8; ++k) {
        if (i % 8 == k)
            return;
        out[i] += 1;
    }
    out[i] = -1;
}
"""
    np.testing.assert_array_equal(result(text, 64, np.int32), LANES % 8)


def test_local_arrays_and_structs_belong_to_their_thread() -> None:
    text = """
struct Pair { int low; float4 parts; int counts[3]; };
__global__ void f(int* out)
{
    int i = threadIdx.x, histogram[8] = {5, 6};
    Pair a = {i, make_float4(1, 2, 3, i), {1, 2, i}}, b = a;
    for (int k = 0; k <= i; ++k)
        ++histogram[k & 7];
    b.parts.w += 1;
    b.counts[2] *= 2;
    int* p = &histogram[i & 7];
    *p += 100;
    out[i] = histogram[i & 7] + histogram[0] + a.low + (int)a.parts.w + (int)b.parts.w + a.counts[2] + b.counts[2];
}
"""
    own = [{0: 5, 1: 6}.get(i & 7, 0) + i // 8 + 1 + 100 for i in range(64)]
    zero = [5 + i // 8 + 1 + (100 if i & 7 == 0 else 0) for i in range(64)]
    expected = [own[i] + zero[i] + i + i + i + 1 + i + 2 * i for i in range(64)]
    np.testing.assert_array_equal(result(text, 64, np.int32), expected)


def test_unsigned_indices_wrap_before_they_become_addresses() -> None:
    text = """
__global__ void f(const int* a, int* out, unsigned n)
{
    int sum = 0;
    for (unsigned k = n; k != n + 3; ++k)
        sum += a[threadIdx.x + 1 + k];
    out[threadIdx.x] = sum;
}
"""
    a = np.arange(100, dtype=np.int32) ** 2
    assert result(text, 64, np.int32, a=a, n=2**32 - 1).tolist() == [int(a[i : i + 3].sum()) for i in range(64)]


def test_uniform_branches_choose_uniform_pointers() -> None:
    text = """
__global__ void f(const int* a, const int* b, int* out, int n)
{
    const int* p = n > 3 ? b : a;
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    const int* q = threadIdx.x % 2 ? s : a;
    out[threadIdx.x] = q[63 - threadIdx.x];
}
"""
    a, b = np.arange(64, dtype=np.int32), np.arange(64, dtype=np.int32) * 7
    expected = np.where(LANES % 2, b[::-1], a[::-1])
    np.testing.assert_array_equal(result(text, 64, np.int32, a=a, b=b, n=4), expected)


def test_threads_of_three_dimensions_count_along_x_first() -> None:
    place = "threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z)"
    text = f"__global__ void f(int* out) {{ out[{place}] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z; }}"
    trace = launch(text, 1, (4, 3, 2), {"out": np.zeros(24, np.int32)})
    np.testing.assert_array_equal(trace.values["out"], [x + 10 * y + 100 * z for z in range(2) for y in range(3) for x in range(4)])


@pytest.mark.parametrize("loop", ["for (int k = 0; k < 6; k++)", "int k = 0; while (k++ < 6)", "int k = 0; do"])
def test_who_left_a_loop_does_not_come_back_by_a_continue_of_the_others(loop: str) -> None:
    end = " while (k++ < 5);" if loop.endswith("do") else ""
    body = f"{loop} {{ if (t > 3) {{ x += 1; break; }} x += 10; if (n > 0) continue; x += 100; }}{end}"
    text = f"__global__ void f(int* out, int n) {{ int t = threadIdx.x, x = 0; {body} out[t] = x; }}"
    np.testing.assert_array_equal(result(text, 64, np.int32, n=1), np.where(LANES > 3, 1, 60))
