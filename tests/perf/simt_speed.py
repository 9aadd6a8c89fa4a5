"""Times the CUDA interpreter, beside numba's CUDA simulator in the same run: `python tests/perf/simt_speed.py`. Best of a few runs.

The simulator executes two steps of one block's loop over tiles; its times are those of whole blocks and grids at that rate.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Argument, Budget, Dim3, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec
from tests.perf.figures import Figure

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"  # read when numba.cuda is imported
cuda: Any = importlib.import_module("numba.cuda")  # the simulator looks for it among the kernel's globals

SAMPLES = 5
TILE = 32
TILED = f"#define TILE {TILE}\n" + (Path(__file__).parents[2] / "kernels" / "gpu" / "matmul_tiled.cu").read_text(encoding="utf-8")
REGISTERS = """
template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int threads = (BM / TM) * (BN / TN);
    const int x = threadIdx.x % (BN / TN) * TN, y = threadIdx.x / (BN / TN) * TM;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += threads)
            As[i / BK][i % BK] = A[i / BK * K + i % BK + k0];
        for (int i = threadIdx.x; i < BK * BN; i += threads)
            Bs[i / BN][i % BN] = B[(i / BN + k0) * N + i % BN];
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i)
                a[i] = As[y + i][k];
            for (int j = 0; j < TN; ++j)
                b[j] = Bs[k][x + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            C[(y + i) * N + x + j] = sum[i][j];
}
"""


def best_ms(work: Callable[[], object], samples: int = SAMPLES) -> float:
    """The shortest of a few runs."""
    times = []
    for _ in range(samples):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def interpreted_ms(text: str, entry: str, n: int, grid: Dim3, block: Dim3, blocks: tuple[int, ...] | None) -> float:
    """Code generation, execution, and the trace."""
    kernel = lower(parse(text), entry)
    a, b = np.random.default_rng(1).standard_normal((2, n, n), np.float32)
    arguments: dict[str, Argument] = {"A": a, "B": b, "C": np.zeros((n, n), np.float32), "M": n, "N": n, "K": n}
    request = LaunchRequest(grid, block, arguments, blocks=blocks, budget=Budget(seconds=60))
    return best_ms(lambda: execute(kernel, request))


def warpgroups_ms() -> float:
    """A block of the rung with wgmma that multiplies 128 x 64 by 64 x 128, from packed operands to C."""
    variant, problem = by_id("gpu.wgmma-bf16"), Problem(Operation.MATMUL, 128, 128, 64)
    spec = launch_spec(variant, problem, {**variant.defaults, "tile": 128})
    assert spec.entry is not None
    request = replace(spec.launch, arguments={**spec.launch.arguments, **packed(spec)})
    kernel = lower(parse(spec.text, defines=spec.defines), spec.entry)
    return best_ms(lambda: execute(kernel, request, spec.text))


def packed(spec: LaunchSpec) -> dict[str, Argument]:
    """What the kernel before a launch leaves for it."""
    before = spec.before
    assert before is not None
    assert before.entry is not None
    values = execute(lower(parse(before.text, defines=before.defines), before.entry), before.launch).values
    return {name: each for name, each in values.items() if name not in "AB"}


def product(a: Any, b: Any, c: Any) -> None:
    """The tiled kernel in Python."""
    a_tile = cuda.shared.array((TILE, TILE), np.float32)
    b_tile = cuda.shared.array((TILE, TILE), np.float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = np.float32(0)
    for start in range(0, a.shape[1], TILE):
        a_tile[y, x] = a[y, start + x]
        b_tile[y, x] = b[start + y, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[y, k] * b_tile[k, x]
        cuda.syncthreads()
    c[y, x] = total


def simulated_ms() -> float:
    """One step of one block over the tiles, by numba's simulator."""
    steps = 2
    a, b = np.ones((TILE, steps * TILE), np.float32), np.ones((steps * TILE, TILE), np.float32)
    kernel = cuda.jit(product)
    return best_ms(lambda: kernel[(1, 1), (TILE, TILE)](a, b, np.zeros((TILE, TILE), np.float32)), samples=2) / steps


def diagnostics_ms() -> float:
    """Reading and lowering a text that was just changed, after the first text of the process."""
    edits = count()
    return best_ms(lambda: lower(parse(f"{TILED}// {next(edits)}\n"), "matmul_tiled"))


def figures(*, quick: bool) -> list[Figure]:
    """Milliseconds of this machine, and how many times that the simulator takes."""
    tiled, whole = (TILE, TILE, 1), (256 // TILE, 256 // TILE, 1)
    block_ms = interpreted_ms(TILED, "matmul_tiled", 1024, (TILE, TILE, 1), tiled, (0,))
    register_ms = interpreted_ms(REGISTERS, "sgemm<128, 128, 8, 8, 8>", 1024, (8, 8, 1), (256, 1, 1), (0,))
    grid_ms = interpreted_ms(TILED, "matmul_tiled", 256, whole, tiled, None)
    step_ms = simulated_ms()
    best = f"best of {SAMPLES}"
    return [
        Figure("32 x 32 tile, one block", block_ms, "ms", f"n = 1024, {best}"),
        Figure("128 x 128 x 8 register tile, one block", register_ms, "ms", f"8 x 8 results a thread, n = 1024, {best}"),
        Figure("128 x 128 x 64 of wgmma, one block", warpgroups_ms(), "ms", f"one step of k, {best}"),
        Figure("32 x 32 tile, whole grid", grid_ms, "ms", f"n = 256, {best}"),
        Figure("diagnostics after an edit", diagnostics_ms(), "ms", f"the tiled kernel, {best}"),
        Figure("one block, times the simulator", step_ms * 1024 / TILE / block_ms, "times", "n = 1024"),
        Figure("whole grid, times the simulator", step_ms * (256 // TILE) ** 3 / grid_ms, "times", "n = 256"),
    ]


if __name__ == "__main__":
    for figure in figures(quick=False):
        print(figure)
