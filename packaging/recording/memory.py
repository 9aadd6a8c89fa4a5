"""Records how memory behaves under load, for the time model: `memory.py OUT.json`, in seconds.

Microseconds from one launch to the next in a stream, of a kernel without work and of one that loads and stores a word a thread; of stores
of single words, each in a line of its own, and of whole lines; of copies by their size, which tell how much the L2 cache keeps; and the
cycles of a load from DRAM whose address is the value before, beside copies of more and more blocks, with the bandwidth that those reach.
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

from kernels.gpu.execution import Timer

TEXT = r"""
extern "C" __global__ void empty(const float* a, float* c, int n) { if (n < 0) *c = *a; }
extern "C" __global__ void copy(const float* a, float* c, int n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    c[i] = a[i];
}
extern "C" __global__ void store_words(const float* a, float* c, int n) {
    long long x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[x * n + y] = 1.0f;
}
extern "C" __global__ void store_lines(const float4* a, float4* c, int n) {
    c[blockIdx.x * (long long)blockDim.x + threadIdx.x] = make_float4(1, 1, 1, 1);
}
// The first block follows the ring; the others copy until it has ended.
extern "C" __global__ void beside(const unsigned* ring, const float4* a, float4* c, long long quads, long long* found, volatile int* stop,
                                  int steps, unsigned at) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            long long begin = clock64();
            for (int k = 0; k < steps; ++k) at = __ldcg(ring + at);
            found[0] = clock64() - begin;
            found[1] = at;
            __threadfence();
            *stop = 1;
        }
        return;
    }
    long long others = (long long)(gridDim.x - 1) * blockDim.x, i = (long long)(blockIdx.x - 1) * blockDim.x + threadIdx.x;
    unsigned long long moved = 0;
    while (!*stop)
        for (int k = 0; k < 16; ++k, ++moved) {
            __stcg(c + i, __ldcg(a + i));
            i += others;
            if (i >= quads) i -= quads;
        }
    atomicAdd((unsigned long long*)found + 2, moved);
}
"""
RING_BYTES, RING_STRIDE, STEPS = 1 << 30, 4096, 2000
SIZES_MB = (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 128, 256)
BESIDE = (0, 33, 66, 132, 198, 264, 396, 528)


def main(out: str) -> None:
    kernels = cupy.RawModule(code=TEXT)
    a, c = cupy.zeros(1 << 28, cupy.float32), cupy.zeros(1 << 28, cupy.float32)

    def launches(name: str, grid: tuple[int, ...], block: tuple[int, ...], n: int = 0) -> Callable[[], None]:
        function = kernels.get_function(name)
        return lambda: function(grid, block, (a, c, np.int32(n)))

    found = {
        "device": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "launch_us": {name: _microseconds(launches(name, (132,), (256,))) for name in ("empty", "copy")},
        "store_us": {
            name: {str(n): _microseconds(launches(name, grid(n), block, n)) for n in (1024, 2048, 4096)}
            for name, grid, block in (
                ("store_words", lambda n: (n // 32, n // 8), (32, 8)), ("store_lines", lambda n: (n * n // 1024,), (256,))
            )
        },
        "copy_us": {
            f"{size} MB, {threads} threads": _microseconds(launches("copy", ((size << 18) // threads,), (threads,)))
            for size in SIZES_MB for threads in (256, 1024)
        },
        "beside_copies": _beside(kernels.get_function("beside"), a, c),
    }  # fmt: skip
    Path(out).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _microseconds(launch: Callable[[], None]) -> float:
    timer = Timer(launch)
    return 1000 * median([timer.sample() for _ in range(9)][2:])


def _beside(kernel: Any, a: Any, c: Any) -> dict[str, dict[str, float]]:
    """Cycles of a load, and GB/s of the copies at the clock that the device tells, by the number of blocks that copy."""
    step = RING_STRIDE // 4
    order = np.random.default_rng(1).permutation(RING_BYTES // RING_STRIDE) * step
    ring = np.zeros(RING_BYTES // 4, np.uint32)
    ring[order] = np.roll(order, -1)
    ring, found, stop = cupy.asarray(ring), cupy.zeros(3, cupy.int64), cupy.zeros(1, cupy.int32)
    hertz = cupy.cuda.Device().attributes["ClockRate"] * 1e3
    told = {}
    for place, blocks in enumerate(BESIDE):
        found[:], stop[:] = 0, 0
        cupy.cuda.Device().synchronize()
        begin = np.uint32(order[2 * place * STEPS])  # what was read before may still be in the L2 cache
        kernel((1 + blocks,), (256,), (ring, a, c, np.int64(a.size // 4), found, stop, np.int32(STEPS), begin))
        cycles, _, quads = found.get().tolist()
        told[str(blocks)] = {"cycles": cycles / STEPS, "gb_s": 2 * 16 * quads * hertz / cycles / 1e9}
    return told


if __name__ == "__main__":
    main(sys.argv[1])
