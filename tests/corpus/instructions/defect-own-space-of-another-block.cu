// The second block of a cluster takes its rank off the address of an array and reads there in its own space: that is the first block's.
// launch: grid=2 block=32 args: out=64
// finding: out-of-bounds 12

__global__ __cluster_dims__(2, 1, 1) void another(unsigned* out)
{
    __shared__ unsigned kept[32];
    unsigned t = threadIdx.x, found;
    kept[t] = 100 * blockIdx.x + t;
    __syncthreads();
    unsigned at = ((unsigned)__cvta_generic_to_shared(kept) & 0xFFFFFF) + 4 * t;
    asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(found) : "r"(at));
    out[32 * blockIdx.x + t] = found;
}
