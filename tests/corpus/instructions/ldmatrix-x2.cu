// Two matrices: lanes 8 to 15 say where the rows of the second are.
// launch: grid=1 block=32 args: in=128:arange out=64
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void two(const unsigned short* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[128];
    int lane = threadIdx.x;
    for (int i = lane; i < 128; i += 32)
        tile[i] = in[i];
    __syncwarp();
    unsigned x[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
        : "=r"(x[0]), "=r"(x[1]) : "r"(at(&tile[lane % 16 * 8])) : "memory");
    for (int i = 0; i < 2; ++i)
        out[i * 32 + lane] = x[i];
}
