"""Kernels whose edges are searched, with their launches."""

from __future__ import annotations

from collections.abc import Mapping

from kernels.exploration.edge_cases import Plan, Tried
from kernels.exploration.edge_search import plan_edges, try_edge
from kernels.simt.base.launch import Dim3, LaunchRequest
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

PLACE = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def spec(text: str, grid: Dim3, block: Dim3, arguments: Mapping[str, str]) -> LaunchSpec:
    return LaunchSpec(text, None, LaunchRequest(grid, block), texts=arguments)


def doubled(check: str, count: int, threads: int, name: str = "n") -> LaunchSpec:
    """Twice each element of an array, behind a check; `name` is what the parameter is called."""
    text = f"__global__ void k(const float* a, float* c, int {name}) {{ {PLACE} {check} c[i] = a[i] * 2; }}"
    blocks = -(-count // threads)
    return spec(text, (blocks, 1, 1), (threads, 1, 1), {"a": f"{count}:random", "c": f"{count}", name: f"{count}"})


def counted(update: str) -> LaunchSpec:
    """A histogram of 64 numbers, all of them others, into 64 bins."""
    text = f"__global__ void k(const int* d, int* bins, int n) {{ {PLACE} if (i < n) {update} }}"
    return spec(text, (1, 1, 1), (64, 1, 1), {"d": "64:arange", "bins": "64:zeros", "n": "64"})


def product(check: str, side: int = 32) -> LaunchSpec:
    text = f"""__global__ void k(const float* A, const float* B, float* C, int M, int N, int K) {{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    {check}
    float s = 0;
    for (int i = 0; i < K; ++i) s += A[y * K + i] * B[i * N + x];
    C[y * N + x] = s;
}}"""
    count, sizes = f"{side * side}", dict.fromkeys("MNK", f"{side}")
    return spec(text, (side // 16, side // 16, 1), (16, 16, 1), {"A": f"{count}:random", "B": f"{count}:random", "C": count, **sizes})


def planned(job: LaunchSpec) -> Plan:
    plan = plan_edges(job)
    assert not isinstance(plan, NotTraced), str(plan.reason)
    return plan


def searched(job: LaunchSpec) -> list[Tried]:
    return [try_edge(job, edge) for edge in planned(job).edges]
