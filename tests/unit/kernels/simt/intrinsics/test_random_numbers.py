"""The generators of random numbers: published values, and steps taken one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.simt.intrinsics.random_numbers import skipped, step
from tests.launches.simt_launch import launch

HEADER = "#include <curand_kernel.h>\n"
PUBLISHED = [0.1455, 0.8201, 0.5504, 0.2948, 0.9147, 0.8690]
"""What the example of the library's guide prints for seed 1234: the first numbers of sequences 0 to 5."""
ONE = 0xFFFFFFFF


def drawn(statements: str, state: str = "curandState", dtype: Any = np.uint32, threads: int = 32) -> Any:
    """What each thread (t) writes to out[t]."""
    c_type = {"uint32": "unsigned", "float32": "float", "float64": "double"}[np.dtype(dtype).name]
    text = f"{HEADER}__global__ void k({c_type}* out) {{ int t = threadIdx.x; {state} s; {statements} }}"
    trace = launch(text, 1, threads, {"out": np.zeros(threads, dtype)})
    assert trace.findings == ()
    return trace.values["out"]


def test_the_first_numbers_are_the_published_ones() -> None:
    found = drawn("curand_init(1234, t, 0, &s); out[t] = curand_uniform(&s);", dtype=np.float32)
    np.testing.assert_allclose(found[:6], PUBLISHED, rtol=0, atol=1e-4)


def test_an_offset_is_as_many_numbers_left_out() -> None:
    one_by_one = drawn("curand_init(5, 7, 0, &s); unsigned x; for (int i = 0; i <= 37 * t; ++i) x = curand(&s); out[t] = x;", threads=8)
    np.testing.assert_array_equal(drawn("curand_init(5, 7, 37 * t, &s); out[t] = curand(&s);", threads=8), one_by_one)
    ahead = drawn("curand_init(5, 7, 1, &s); skipahead(36ull * t + (t > 0) * (t - 1), &s); out[t] = curand(&s);", threads=8)
    np.testing.assert_array_equal(ahead[1:], one_by_one[1:])
    np.testing.assert_array_equal(
        drawn("curand_init(5, 3, 0, &s); skipahead_sequence(4, &s); out[t] = curand(&s);", threads=1), one_by_one[:1]
    )


def test_a_skip_is_as_many_steps() -> None:
    state = np.random.default_rng(2).integers(0, 2**32, (3, 5), dtype=np.uint32)
    taken = state
    for _ in range(1000):
        taken = step(taken)
    none = np.zeros(3, np.uint64)
    np.testing.assert_array_equal(skipped(state, none, none + np.uint64(1000)), taken)
    twice = skipped(state, none, none + np.uint64(1 << 63))
    np.testing.assert_array_equal(skipped(twice, none, none + np.uint64(1 << 63)), _doubled(state, 64))
    np.testing.assert_array_equal(skipped(state, none + np.uint64(1), none), _doubled(state, 67))


def _doubled(state: Any, exponent: int) -> Any:
    """2 to the power of `exponent` steps: a matrix of whole numbers modulo 2, column by column, squared so often."""
    basis = np.zeros((160, 5), np.uint32)
    for bit in range(160):
        basis[bit, bit // 32] = np.uint32(1) << np.uint32(bit % 32)
    rows = [sum(int(word) << (32 * place) for place, word in enumerate(row)) for row in step(basis)]
    for _ in range(exponent):
        rows = [_times(row, rows) for row in rows]
    found = [_times(sum(int(word) << (32 * place) for place, word in enumerate(each)), rows) for each in state]
    return np.array([[number >> (32 * place) & ONE for place in range(5)] for number in found], np.uint32)


def _times(vector: int, rows: list[int]) -> int:
    result = 0
    while vector:
        low = vector & -vector
        result ^= rows[low.bit_length() - 1]
        vector ^= low
    return result


PHILOX = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONE, ONE, ONE, ONE), (ONE, ONE), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0), (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]
"""Counter, key and result, as the authors of the generator publish them to be known by."""


@pytest.mark.parametrize(("counter", "key", "expected"), PHILOX)
def test_philox_gives_the_known_answers(counter: tuple[int, ...], key: tuple[int, int], expected: tuple[int, ...]) -> None:
    c, k = (", ".join(f"{word}u" for word in words) for words in (counter, key))
    text = f"{HEADER}__global__ void k(uint4* out) {{ *out = __tilescope_philox(make_uint4({c}), make_uint2({k})); }}"
    assert launch(text, 1, 1, {"out": np.zeros(4, np.uint32)}).values["out"].tolist() == list(expected)


def test_philox_counts_its_numbers_across_its_blocks_of_four() -> None:
    state = "curandStatePhilox4_32_10_t"
    one_by_one = drawn("curand_init(9, 2, 0, &s); unsigned x; for (int i = 0; i <= t; ++i) x = curand(&s); out[t] = x;", state)
    np.testing.assert_array_equal(drawn("curand_init(9, 2, t, &s); out[t] = curand(&s);", state), one_by_one)
    skipping = "curand_init(9, 2, t / 2, &s); skipahead(t - t / 2, &s); out[t] = curand(&s);"
    np.testing.assert_array_equal(drawn(skipping, state), one_by_one)
    four = "curand_init(9, 2, t % 4, &s); uint4 x = curand4(&s); out[t] = t / 4 == 0 ? x.x : t / 4 == 1 ? x.y : t / 4 == 2 ? x.z : x.w;"
    np.testing.assert_array_equal(drawn(four, state)[:16], [one_by_one[t % 4 + t // 4] for t in range(16)])


@pytest.mark.parametrize("state", ["curandState", "curandStatePhilox4_32_10_t"])
def test_numbers_are_distributed_as_they_should(state: str) -> None:
    out = "curand_init(3, t, 0, &s); double sum = 0; for (int i = 0; i < 40; ++i) sum += {}; out[t] = sum / 40;"
    for draw, mean, error in [
        ("curand_uniform(&s)", 0.5, 0.01), ("curand_uniform_double(&s)", 0.5, 0.01), ("curand_normal(&s)", 0, 0.03),
        ("curand_normal_double(&s) * curand_normal_double(&s)", 0, 0.03), ("pow(curand_normal(&s), 2.f)", 1, 0.05),
        ("curand_log_normal(&s, 0, 0.1f)", np.exp(0.005), 0.01),
    ]:  # fmt: skip
        assert abs(drawn(out.format(draw), state, np.float64, 512).mean() - mean) < error
