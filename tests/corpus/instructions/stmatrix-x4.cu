// Four matrices leave the registers at once.
// launch: grid=1 block=32 args: in=128:arange out=128
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void four(const unsigned* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[256];
    int lane = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
        :: "r"(at(&tile[lane * 8])), "r"(in[0 + lane]), "r"(in[32 + lane]), "r"(in[64 + lane]), "r"(in[96 + lane]) : "memory");
    __syncwarp();
    for (int i = lane; i < 128; i += 32)
        out[i] = ((unsigned*)tile)[i];
}
