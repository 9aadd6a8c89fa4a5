// The wait leaves two groups under way, the one that is read among them.
// launch: grid=1 block=32 args: in=512:arange out=512
// finding: uninitialised-read 22
// finding: data-race 14 22
// finding: data-race 19 22

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__global__ void shift(const float* in, float* out)
{
    __shared__ __align__(16) float stage[3][128];
    int t = threadIdx.x;
    for (int s = 0; s < 2; ++s)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n cp.async.commit_group;" :: "r"(AT(&stage[s][4 * t])), "l"(in + 128 * s + 4 * t));
    for (int s = 0; s < 4; ++s) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        __syncthreads();
        if (s < 2)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;"
                :: "r"(AT(&stage[(s + 2) % 3][4 * t])), "l"(in + 128 * (s + 2) + 4 * t));
        asm volatile("cp.async.commit_group;");
        for (int i = 0; i < 4; ++i) out[128 * s + 4 * t + i] = stage[s % 3][(4 * t + i + 4) % 128];
        __syncthreads();
    }
}
