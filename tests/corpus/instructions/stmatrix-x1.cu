// A matrix leaves the registers, a row of 16 bytes from four lanes.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void one(const unsigned* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[64];
    int lane = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
        :: "r"(at(&tile[lane % 8 * 8])), "r"(in[0 + lane]) : "memory");
    __syncwarp();
    for (int i = lane; i < 32; i += 32)
        out[i] = ((unsigned*)tile)[i];
}
