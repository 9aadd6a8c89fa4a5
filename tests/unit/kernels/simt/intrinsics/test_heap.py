"""The device's heap: what kernels allocate, what is wrong with how they use it, and what outlives a launch."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.host.result import Wrong
from tests.launches.simt_launch import launch, result
from tests.unit.kernels.simt.host.test_ends import ran

LISTS = """struct Node { int value; Node* next; __device__ Node(int v, Node* n) : value(v), next(n) {} };
__global__ void k(int n, int* out) {
    Node* head = nullptr;
    for (int i = 0; i < n + (int)threadIdx.x % 2; ++i) head = new Node(i + threadIdx.x, head);
    int sum = 0;
    while (head) { sum += head->value; Node* next = head->next; delete head; head = next; }
    int* zeros = new int[3]();
    zeros[1] += sum;
    out[threadIdx.x] = zeros[0] + zeros[1] + zeros[2];
    delete[] zeros;
}"""


def test_more_than_half_of_all_addresses_is_not_there_to_be_allocated() -> None:
    text = "__global__ void k(int* out) { out[0] = malloc(18444492273895866368ull) != nullptr; }"
    assert launch(text, 1, 1, {"out": np.ones(1, np.int32)}).values["out"].tolist() == [0]


def test_each_thread_has_its_own_objects() -> None:
    got = result(LISTS, 40, np.int32, n=3)
    assert got.tolist() == [sum(i + t for i in range(3 + t % 2)) for t in range(40)]


@pytest.mark.parametrize(("size", "given"), [(8 << 20, 1), ((8 << 20) + 1, 0), (0, 0)])
def test_where_the_heap_is_full_null_is_given(size: int, given: int) -> None:
    text = "__global__ void k(long size, int* out) { void* p = malloc(size); out[threadIdx.x] = p != nullptr; free(p); }"
    assert launch(text, 1, 1, {"size": size, "out": np.zeros(1, np.int32)}).values["out"].tolist() == [given]


@pytest.mark.parametrize(
    ("statement", "kind", "words"),
    [
        ("free(p); p[0] = 1;", "out-of-bounds", "was freed in line 3"),
        ("p[0] = 1; out[0] = p[0]; free(p); for (int i = 0; i < 2; ++i) out[0] = p[0];", "out-of-bounds", "was freed in line 3"),
        ("out[0] = p[1]; free(p);", "uninitialised-read", "before it is written"),
        ("p[4] = 1; free(p);", "out-of-bounds", "in no array"),
        ("free(p); free(p);", "out-of-bounds", "no allocation"),
        ("free(out); free(p);", "out-of-bounds", "no allocation"),
        ("free(p + 1); free(p);", "out-of-bounds", "no allocation"),
    ],
)
def test_what_is_wrong_with_an_allocation_is_found(statement: str, kind: str, words: str) -> None:
    text = f"__global__ void k(int* out) {{\n int* p = (int*)malloc(16);\n {statement} }}"
    (finding,) = launch(text, 1, 1, {"out": np.zeros(4, np.int32)}).findings
    assert (finding.kind, finding.location.line) == (kind, 3)
    assert words in str(finding.message)


PROGRAM = """#include <cstdio>
__device__ int* kept[4];
__global__ void make() { kept[threadIdx.x] = new int(threadIdx.x); }
__global__ void use(int* out) { int* p = kept[threadIdx.x]; out[threadIdx.x] = *p; END }
int main() {
    int h[4], *d;
    cudaMalloc(&d, 16);
    make<<<1, 4>>>();
    use<<<1, 4>>>(d);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    printf("%d%d%d%d", h[0], h[1], h[2], h[3]);
    cudaFree(d);
}"""


@pytest.mark.parametrize(("end", "leaks"), [("delete p;", 0), ("", 4)])
def test_what_a_kernel_allocates_outlives_it(end: str, leaks: int) -> None:
    done = ran(PROGRAM.replace("END", end))
    assert done.stdout == "0123"
    assert [(each.wrong, each.location.line) for each in done.findings for _ in range(each.count)] == [(Wrong.LEAK, 3)] * leaks


def test_the_size_of_the_heap_can_be_set() -> None:
    text = """#include <cstdio>
__global__ void k() { void* p = malloc(5000); printf("%d", p != nullptr); free(p); }
int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4096);
    k<<<1, 1>>>();
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8192);
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
}"""
    assert ran(text).stdout == "01"
