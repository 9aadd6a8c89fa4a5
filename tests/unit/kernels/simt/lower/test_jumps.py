"""Jumps of kernels: each lane goes where its own goto leads, out of loops, forwards and back."""

from __future__ import annotations

import numpy as np

from tests.launches.simt_launch import launch, result

WALK = """__device__ int find(const int* a, int n, int x) {
    int i = 0;
again:
    if (i == n) return -1;
    if (a[i] != x) { ++i; goto again; }
    return i;
}
__global__ void k(int n, int* a, int* out) {
    int i = threadIdx.x, s = 0;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            if (x * y > i) goto done;
            s += x + y;
            if (y == 3 && x == 2 && i == 5) goto skip;
        }
        s += 100;
        if (i == 7) { s = -1; goto out; }
        if (i == 2) continue;
        if (i == 9 && x == 1) break;
        s += 1;
    skip:
        s += 10;
    }
done:
    s += 1000;
retry:
    s++;
    if (s % 4) goto retry;
    if (i == 11) { out[i] = 5; return; }
    if (i == 12) goto retry_once;
out:
    out[i] = s * 100 + find(a, 4, i);
    return;
retry_once:
    out[i] = 7;
}"""
A = [3, 1, 0, 6]


def walked(i: int) -> int:
    """What thread i writes, without a goto."""
    s, x, left = 0, 0, False
    while x < 4:
        skipped = False
        for y in range(4):
            left = x * y > i
            if left:
                break
            s += x + y
            skipped = (y, x, i) == (3, 2, 5)
        if left:
            break
        if not skipped:
            s += 100
            if i == 7:
                return -100 + found(i)
            if i == 9 and x == 1:
                break
            s += i != 2
        s += 10 if i != 2 else 0
        x += 1
    s += 1001
    s += -s % 4
    return {11: 5, 12: 7}.get(i, s * 100 + found(i))


def found(i: int) -> int:
    return A.index(i) if i in A else -1


def test_each_lane_goes_its_own_way() -> None:
    assert result(WALK, 16, np.int32, n=4, a=np.array(A, np.int32)).tolist() == [walked(i) for i in range(16)]


def test_all_lanes_of_a_jump_meet_at_the_barrier_behind_it() -> None:
    text = """__global__ void k(int* out) {
    __shared__ int s[64];
    if (threadIdx.x % 2) goto both;
    s[threadIdx.x] = 1;
both:
    __syncthreads();
    out[threadIdx.x] = threadIdx.x % 2 ? s[threadIdx.x - 1] : 2;
}"""
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32)})
    assert trace.findings == ()
    assert trace.values["out"].tolist() == [2, 1] * 32
