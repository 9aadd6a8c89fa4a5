// What threads wrote was not shown to the copy engine: fence.proxy.async is missing.
// launch: grid=1 block=128 args: in=128:arange out=128
// finding: asynchronous-access 17 14

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void store(const float* in, float* out)
{
    __shared__ __align__(128) float kept[128];
    int t = threadIdx.x;
    kept[127 - t] = in[t] * 2;
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
            :: "l"(out), "r"(at(kept)), "r"(512) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
