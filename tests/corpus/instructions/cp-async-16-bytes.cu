// Copies of 16 bytes, which pass the first cache by, in two groups: the first is used while the second is on its way.
// launch: grid=1 block=32 args: in=256:arange out=64
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void copy(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at(to)), "l"(from) : "memory");
}

__global__ void two_groups(const float* in, float* out)
{
    __shared__ __align__(16) float kept[2][128];
    int t = threadIdx.x;
    for (int half = 0; half < 2; ++half) {
        copy(&kept[half][t * 4], &in[half * 128 + t * 4]);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncwarp();
    out[t] = kept[0][127 - t];
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    out[32 + t] = kept[1][127 - t];
}
