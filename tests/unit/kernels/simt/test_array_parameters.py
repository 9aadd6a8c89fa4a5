"""Parameters written as arrays, which are pointers, and references to either of two objects: executed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.launches.simt_launch import launch, result


def test_an_array_parameter_of_a_kernel_is_a_pointer() -> None:
    text = "__global__ void k(int out[], const float a[4]) { out[threadIdx.x] = a[threadIdx.x] + *(a + 1); }"
    assert result(text, 4, np.int32, a=np.arange(4, dtype=np.float32)).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("parameter", ["int m[]", "const int m[]", "int m[12]", "int *m", "const int *const m"])
@pytest.mark.parametrize("argument", ["shared", "local"])
def test_an_array_parameter_takes_an_array(parameter: str, argument: str) -> None:
    text = f"""__device__ int sum({parameter}, int n) {{ int all = 0; for (int i = 0; i < n; ++i) all += m[i] * 2 - *(m + i); return all; }}
__global__ void k(int *out) {{
    __shared__ int shared[12];
    int local[12];
    for (int i = 0; i < 12; ++i) shared[i] = local[i] = i;
    out[threadIdx.x] = sum({argument}, 12) + 100 * sum(&{argument}[2], 2) + 10000 * sum({argument} + 3, 2);
}}"""
    assert result(text, 1, np.int32).tolist() == [66 + 500 + 70000]


@pytest.mark.parametrize("parameter", ["int m[3][4]", "const int m[][4]", "int (*m)[4]", "const int (&m)[3][4]"])
@pytest.mark.parametrize("argument", ["shared", "local"])
def test_an_array_of_arrays_keeps_its_rows(parameter: str, argument: str) -> None:
    text = f"""__device__ int at({parameter}, int r, int c) {{ return m[r][c] + 100 * (*m)[c] + 10000 * *m[r]; }}
__global__ void k(int *out) {{
    __shared__ int shared[3][4];
    int local[3][4];
    for (int i = 0; i < 12; ++i) shared[i / 4][i % 4] = local[i / 4][i % 4] = i;
    out[threadIdx.x] = at({argument}, 2, 3);
}}"""
    assert result(text, 1, np.int32).tolist() == [11 + 300 + 80000]


def test_an_array_parameter_moves_like_a_pointer() -> None:
    text = """__device__ int moved(int m[], int r[4], bool first) {
    int *third = m + 2;
    m++;
    m += 1;
    return (m == third) * 1000 + *m++ * 100 + *--m * 10 + (first ? m : r)[1] + (m - r);
}
__global__ void k(int *out) {
    int values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    out[threadIdx.x] = moved(values + 1, values, threadIdx.x == 0);
}"""
    assert result(text, 2, np.int32).tolist() == [1000 + 300 + 30 + 4 + 3, 1000 + 300 + 30 + 1 + 3]


def test_a_column_too_far_in_a_local_array_of_arrays_is_found_behind_a_parameter() -> None:
    text = """__device__ int last(int m[2][3], int r) { return m[r][threadIdx.x]; }
__global__ void k(int *out) {
    __shared__ int m[2][3];
    if (threadIdx.x < 3) m[0][threadIdx.x] = m[1][threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = last(m, 0);
}"""
    (finding,) = launch(text, 1, 4, {"out": np.zeros(4, np.int32)}).findings
    assert (finding.kind, finding.location.line) == ("out-of-bounds", 1)


@pytest.mark.parametrize(
    "change",
    [
        "int &either = threadIdx.x % 2 ? x : y; either = 7;",
        "(threadIdx.x % 2 ? x : y) = 7;",
        "set(threadIdx.x % 2 ? x : y);",
        "pick(threadIdx.x % 2, x, y) = 7;",
        "int &either = threadIdx.x % 2 ? pair.x : pair.y; either = 7; x = pair.x; y = pair.y;",
    ],
)
def test_a_reference_to_either_of_two_objects_changes_that_one(change: str) -> None:
    text = f"""__device__ void set(int &x) {{ x = 7; }}
__device__ int &pick(bool first, int &a, int &b) {{ return first ? a : b; }}
__global__ void k(int *out) {{
    int x = 1, y = 2;
    int2 pair = make_int2(1, 2);
    {change}
    out[threadIdx.x] = x * 10 + y;
}}"""
    assert result(text, 4, np.int32).tolist() == [17, 72, 17, 72]


def test_a_constant_reference_to_a_chosen_value_keeps_it() -> None:
    text = """__global__ void k(int *out) {
    int x = 1;
    const int &kept = threadIdx.x % 2 ? x : 5;
    x = 9;
    out[threadIdx.x] = kept;
}"""
    assert result(text, 2, np.int32).tolist() == [5, 1]
