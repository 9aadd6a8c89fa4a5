// Two warps fill a tile and both load from it: the barrier between is missing.
// launch: grid=1 block=64 args: in=512:arange out=256
// finding: data-race 15 18

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void both(const unsigned short* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[512];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = 0; i < 8; ++i)
        tile[t * 8 + i] = in[t * 8 + i];
    __syncwarp();
    unsigned x[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at(&tile[(1 - warp) * 256 + lane * 8])) : "memory");
    for (int i = 0; i < 4; ++i)
        out[warp * 128 + i * 32 + lane] = x[i];
}
