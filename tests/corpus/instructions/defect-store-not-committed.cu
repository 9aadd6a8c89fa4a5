// The store was not committed to a group, so waiting for the groups waits for nothing: the block may end before it is read.
// launch: grid=1 block=128 args: in=128:arange out=128
// finding: asynchronous-access 18

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void store(const float* in, float* out)
{
    __shared__ __align__(128) float kept[128];
    int t = threadIdx.x;
    kept[127 - t] = in[t] * 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
            :: "l"(out), "r"(at(kept)), "r"(512) : "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
