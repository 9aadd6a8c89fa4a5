// Rows of 64 bytes, whose pieces are exchanged by piece ^ row / 2 % 4 where they are written and where they are read.
// launch: grid=1 block=32 args: in=512:arange out=128
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ int place(int row, int piece)
{
    return row * 32 + (piece ^ row / 2 % 4) * 8;
}

__global__ void swizzled(const unsigned short* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[16 * 32];
    int lane = threadIdx.x;
    for (int i = lane; i < 512; i += 32)
        tile[place(i / 32, i % 32 / 8) + i % 8] = in[i];
    __syncwarp();
    unsigned x[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at(&tile[place(lane % 16, 2 + lane / 16)])) : "memory");
    for (int i = 0; i < 4; ++i)
        out[i * 32 + lane] = x[i];
}
