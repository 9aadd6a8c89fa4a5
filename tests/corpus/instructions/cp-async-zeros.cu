// Fewer bytes are read than are written: the rest becomes zeros. No thread tests an edge after that.
// launch: grid=1 block=32 args: in=50:arange out=64 n=50
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void edge(const float* in, float* out, int n)
{
    __shared__ __align__(8) float kept[64];
    int t = threadIdx.x, inside = max(0, min(n - 2 * t, 2)) * 4;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
        :: "r"(at(&kept[2 * t])), "l"(in + (inside ? 2 * t : 0)), "r"(inside) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    out[t] = kept[63 - t];
    out[32 + t] = kept[31 - t];
}
