// Two blocks add stretches of shared memory to the same places of global memory, in bulk: floats.
// launch: grid=2 block=64 args: in=128:arange out=64:zeros
// finding: none

__global__ void add(const float* in, float* out)
{
    __shared__ __align__(128) float kept[64];
    int t = threadIdx.x;
    kept[63 - t] = in[blockIdx.x * 64 + t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 256;"
            :: "l"(out), "r"((unsigned)__cvta_generic_to_shared(kept)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
