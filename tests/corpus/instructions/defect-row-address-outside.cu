// The last rows of the fourth matrix are behind the tile.
// launch: grid=1 block=32 args: in=256:arange out=128
// finding: out-of-bounds 18

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void past(const unsigned short* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[256];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        tile[i] = in[i];
    __syncwarp();
    unsigned x[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at(&tile[(lane + 2) * 8])) : "memory");
    for (int i = 0; i < 4; ++i)
        out[i * 32 + lane] = x[i];
}
