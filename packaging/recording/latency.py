"""Records latencies and rates that the time model needs and nobody has published for a card: `latency.py OUT.json`, in seconds.

Microseconds of launches without work by blocks x threads, launched from a graph; cycles from a load to its value where each address is
the value before (with the two instructions that make the address), of a barrier by threads; bandwidths of reads from the L2 cache and of
a copy.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import cupy
import numpy as np

TEXT = r"""
extern "C" __global__ void empty(int* p) { if (p == (int*)1) *p = 1; }
#define CHASED(name, ...) \
    extern "C" __global__ void name(const unsigned* ring, long long* cycles, int steps) { __VA_ARGS__ }
#define TIMED(body, last) \
    long long begin = clock64(); for (int k = 0; k < steps; ++k) body; long long end = clock64(); \
    if (threadIdx.x == 0) { cycles[0] = end - begin; cycles[1] = last; }
CHASED(first_level, unsigned at = 0; TIMED(at = ring[at], at))
CHASED(second_level, unsigned at = 0; TIMED(at = __ldcg(ring + at), at))
CHASED(shared, __shared__ unsigned own[256]; own[threadIdx.x] = (threadIdx.x + 1) % 256; __syncthreads();
       unsigned at = threadIdx.x; TIMED(at = own[at], at))
CHASED(barrier, TIMED(__syncthreads(), 0))
extern "C" __global__ void read_l2(const float4* a, float* out, long long n) {
    float sum = 0;
    for (int round = 0; round < 50; ++round)
        for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
            float4 v = __ldcg(a + i);
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum == 12345.678f) out[0] = sum;
}
extern "C" __global__ void copy(const float4* a, float4* b, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}
"""
RINGS = {"first_level": (16 << 10, 128, 2000), "second_level": (2 << 20, 128, 2000)}
"""Bytes, bytes from one address to the next, steps."""


def main(out: str) -> None:
    kernels = cupy.RawModule(code=TEXT)
    found = {
        "device": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "empty_us": _launches(kernels.get_function("empty")),
        "cycles": _latencies(kernels),
        **_bandwidths(kernels),
    }
    Path(out).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _launches(empty: Any) -> dict[str, float]:
    words = cupy.zeros(16, cupy.uint32)
    shapes = [(blocks, threads) for blocks in (1, 132, 1056, 4096, 16384, 65536) for threads in (32, 256, 1024)]
    return {f"{blocks}x{threads}": _timed(lambda: empty((blocks,), (threads,), (words,)), 100) for blocks, threads in shapes}  # noqa: B023 - timed at once


def _latencies(kernels: Any) -> dict[str, float]:
    cycles = cupy.zeros(2, cupy.int64)
    found = {}
    for name, (size, stride, steps) in RINGS.items():
        found[name] = _cycles(kernels.get_function(name), 1, (_ring(size // 4, stride // 4), cycles, steps))
    found["shared"] = _cycles(kernels.get_function("shared"), 32, (cycles, cycles, 2000))
    for threads in (32, 128, 256, 1024):
        found[f"barrier {threads}"] = _cycles(kernels.get_function("barrier"), threads, (cycles, cycles, 2000))
    return found


def _bandwidths(kernels: Any) -> dict[str, float]:
    small, out = cupy.zeros(4 << 20, cupy.float32), cupy.zeros(1, cupy.float32)
    vectors = np.int64(small.size // 4)
    read = _timed(lambda: kernels.get_function("read_l2")((132 * 8,), (256,), (small, out, vectors)), 3)
    large = cupy.zeros(1 << 28, cupy.float32)
    other = cupy.zeros_like(large)
    copied = _timed(lambda: kernels.get_function("copy")((large.size // 1024,), (256,), (large, other, np.int64(large.size // 4))), 3)
    return {"l2_gb_s": 50 * small.nbytes / read / 1e3, "copy_gb_s": 2 * large.nbytes / copied / 1e3}


def _ring(words: int, stride: int) -> Any:
    order = np.random.default_rng(1).permutation(words // stride)
    ring = np.zeros(words, np.uint32)
    ring[order * stride] = np.roll(order, -1) * stride
    return cupy.asarray(ring)


def _cycles(kernel: Any, threads: int, arguments: tuple[Any, ...]) -> float:
    for _ in range(3):
        kernel((1,), (threads,), arguments)
    return float(arguments[1][0].get() / arguments[2])


def _timed(launch: Callable[[], None], count: int) -> float:
    """Microseconds of a launch: the median of ten graphs of so many."""
    stream, begin, end = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Event(), cupy.cuda.Event()
    with stream:
        stream.begin_capture()
        for _ in range(count):
            launch()
        graph = stream.end_capture()
    graph.launch(stream)
    times: list[float] = []
    for _ in range(10):
        begin.record(stream)
        graph.launch(stream)
        end.record(stream)
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end) * 1e3 / count)
    return median(times)


if __name__ == "__main__":
    main(sys.argv[1])
