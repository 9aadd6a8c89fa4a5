// Three stages, one barrier a step: two groups are on their way, and a stage is filled that all have left.
// launch: grid=1 block=64 args: in=384:arange out=64
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

__global__ void ring(const float* in, float* out)
{
    __shared__ float stage[3][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < 2; ++s) {
        copy(&stage[s][t], &in[s * 64 + t]);
        commit();
    }
    for (int s = 0; s < 6; ++s) {
        wait<1>();
        __syncthreads();
        if (s + 2 < 6) copy(&stage[(s + 2) % 3][t], &in[(s + 2) * 64 + t]);
        commit();
        sum += stage[s % 3][63 - t] * (s + 1);
    }
    out[t] = sum;
}
