// Updates of halves in bulk: a sum, the least and the largest.
// launch: grid=1 block=64 args: in=64:arange out=192:arange
// finding: none

#include <cuda_fp16.h>

#define UPDATE(how, to) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%0], [%1], 128;" \
    :: "l"(to), "r"((unsigned)__cvta_generic_to_shared(kept)) : "memory")

__global__ void update(const __half* in, __half* out)
{
    __shared__ __align__(128) __half kept[64];
    int t = threadIdx.x;
    kept[63 - t] = in[t] * __float2half(2.0f);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        UPDATE("add.noftz.f16", out);
        UPDATE("min.f16", out + 64);
        UPDATE("max.f16", out + 128);
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
