// Each thread waits for its own copies and reads another's: the barrier after the wait is missing.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 32 12

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

__global__ void turned(const float* in, float* out)
{
    __shared__ float kept[64];
    int t = threadIdx.x;
    copy(&kept[t], &in[t]);
    commit();
    wait<0>();
    out[t] = kept[63 - t];
}
