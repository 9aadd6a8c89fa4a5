"""Functions that programs call by the compilers' own names, in kernels and on the host; and ranges of cases."""

from __future__ import annotations

import numpy as np

from tests.launches.simt_launch import result
from tests.unit.kernels.simt.host.test_ends import ran

BITS = (
    "__builtin_popcount(x) + 100 * __builtin_clz(x) + 10000 * __builtin_ctz(x) + 1000000 * __builtin_ffs(x)"
    " + __builtin_clzll(x) + __builtin_parity(x) + __builtin_popcountll(~0ull)"
)


def expected(x: int) -> int:
    """What BITS is, by Python."""
    ones, trailing = bin(x).count("1"), (x & -x).bit_length() - 1
    return ones + 100 * (32 - x.bit_length()) + 10000 * trailing + 1000000 * (trailing + 1) + 64 - x.bit_length() + ones % 2 + 64


def test_bits_are_counted_in_kernels_and_on_the_host_alike() -> None:
    wanted = [expected(x) for x in range(1, 33)]
    text = f"__global__ void k(int* out) {{ unsigned x = threadIdx.x + 1; out[threadIdx.x] = {BITS}; }}"
    assert result(text, 32, np.int32).tolist() == wanted
    program = f'#include <cstdio>\nint main() {{ for (unsigned x = 1; x < 33; ++x) printf("%d ", (int)({BITS})); }}'
    assert [int(each) for each in ran(program).stdout.split()] == wanted


def test_a_range_of_cases_is_all_of_them() -> None:
    text = """__global__ void k(int* out) {
    int x = threadIdx.x, n = 0;
    switch (x) { case 1 ... 3: n = 5; break; case 6: case 8 ... 9: n += 1; case 30: n += 2; break; default: n = 7; }
    out[x] = n;
}"""
    assert result(text, 12, np.int32).tolist() == [7, 5, 5, 5, 7, 7, 3, 7, 3, 3, 7, 7]
