// A group may be empty: at the end the count of groups goes on, and the wait need not change.
// launch: grid=1 block=32 args: in=96:arange out=32
// finding: none

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

__global__ void ahead(const float* in, float* out)
{
    __shared__ float kept[3][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < 5; ++s) {
        if (s < 3) copy(&kept[s][t], &in[s * 32 + t]);
        commit();
        if (s >= 2) {
            wait<2>();
            __syncwarp();
            sum += kept[s - 2][31 - t] * s;
        }
    }
    out[t] = sum;
}
