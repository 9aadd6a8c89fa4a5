"""Kernels with matrix instructions and asynchronous copies, for the tests of their views: one warp, or two, and a tile of bf16."""

from __future__ import annotations

from functools import cache

from app.core.gpu_view.index import LaunchIndex
from kernels.simt.base.launch import Fill, Filled
from tests.launches.launch_records import record_of

SWIZZLE = "(piece ^ row % 8)"
PRODUCT = """#include <cuda_pipeline.h>
#define DEPTH 64

__device__ int place(int row, int piece) {{ return row * {pitch} + {piece} * 16; }}

__device__ void load(unsigned (&x)[4], const char* row)
{{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%0, %1, %2, %3}}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}}

__global__ void product(const unsigned short* A, const unsigned short* B, float* C, int K)
{{
    __shared__ __align__(128) char stages[2][32 * {pitch}];
    int lane = threadIdx.x;
    auto set_out = [&](int step) {{
        for (int i = lane; i < 16 * 8 && step * DEPTH < K; i += 32)
            __pipeline_memcpy_async(stages[step % 2] + place(i / 8, i % 8), A + i / 8 * K + step * DEPTH + i % 8 * 8, 16);
        for (int i = lane; i < 16 * 8 && step * DEPTH < K; i += 32)
            __pipeline_memcpy_async(stages[step % 2] + place(16 + i / 8, i % 8), B + i / 8 * K + step * DEPTH + i % 8 * 8, 16);
        __pipeline_commit();
    }};
    float d[4] = {{}};
    set_out(0);
    for (int step = 0; step * DEPTH < K; ++step) {{
        set_out(step + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < 8; k += 2) {{
            unsigned a[4], b[4];
            load(a, stages[step % 2] + place(lane % 16, k + lane / 16));
            load(b, stages[step % 2] + place(16 + lane % 16, k + lane / 16));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                "{{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[2]));
        }}
        __syncthreads();
    }}
    for (int i = 0; i < 4; ++i)
        C[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}}
"""


@cache
def product(piece: str = SWIZZLE, pitch: int = 128, k: int = 192) -> LaunchIndex:
    """A 16 x 8 product: tiles of 16 x 64 of A and of B's columns in two stages, ldmatrix, mma.sync. Piece p of a row is kept at `piece`,
    rows begin every `pitch` bytes."""
    filled = Filled(16 * k, Fill.RANDOM)
    return record_of(PRODUCT.format(piece=piece, pitch=pitch), 32, {"A": filled, "B": filled, "C": Filled(128, Fill.ZEROS), "K": k})
