// The sums of a tile of 8 x 32 are stored in exchanged pieces, and read row by row.
// launch: grid=1 block=32 args: in=128:arange out=128
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void swizzled(const unsigned* in, unsigned* out)
{
    __shared__ __align__(128) unsigned tile[8 * 16];
    int lane = threadIdx.x, row = lane % 8, piece = lane / 8;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
        :: "r"(at(&tile[row * 16 + (piece ^ row / 2) * 4])),
           "r"(in[lane]), "r"(in[32 + lane]), "r"(in[64 + lane]), "r"(in[96 + lane]) : "memory");
    __syncwarp();
    for (int i = lane; i < 128; i += 32)
        out[i] = tile[i / 16 * 16 + (i % 16 / 4 ^ i / 32) * 4 + i % 4];
}
