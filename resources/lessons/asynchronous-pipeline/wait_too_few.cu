// The wait lets one group too many be on its way.
// Three stages of shared memory; copies are two groups ahead.

__device__ void copy(float* to, const float* from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
        :: "r"((unsigned)__cvta_generic_to_shared(to)),
           "l"(from) : "memory");
}

__global__ void ahead(const float* in, float* out)
{
    __shared__ float stage[3][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int s = 0; s < 2; ++s) {
        copy(&stage[s][t], &in[s * 64 + t]);
        asm volatile("cp.async.commit_group;");
    }
    for (int s = 0; s < 6; ++s) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        __syncthreads();
        if (s + 2 < 6)
            copy(&stage[(s + 2) % 3][t],
                 &in[(s + 2) * 64 + t]);
        asm volatile("cp.async.commit_group;");
        sum += stage[s % 3][63 - t];
    }
    out[t] = sum;
}
