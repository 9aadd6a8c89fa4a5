// The copies were never committed: the wait for all groups waits for none of them.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: uninitialised-read 33
// finding: data-race 33 13

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void copy(void* to, const void* from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at(to)), "l"(from) : "memory");
}

__device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int LEFT> __device__ void wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(LEFT) : "memory");
}

__global__ void uncommitted(const float* in, float* out)
{
    __shared__ float kept[32];
    int t = threadIdx.x;
    copy(&kept[t], &in[t]);
    wait<0>();
    __syncwarp();
    out[t] = kept[31 - t];
    commit();
}
