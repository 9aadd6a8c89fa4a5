// One matrix: lanes 0 to 7 say where the rows are, lane i gets the pair i % 4 of row i / 4.
// launch: grid=1 block=32 args: in=64:arange out=32
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void one(const unsigned short* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[64];
    int lane = threadIdx.x;
    for (int i = lane; i < 64; i += 32)
        tile[i] = in[i];
    __syncwarp();
    unsigned x[1];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
        : "=r"(x[0]) : "r"(at(&tile[lane % 8 * 8])) : "memory");
    for (int i = 0; i < 1; ++i)
        out[i * 32 + lane] = x[i];
}
