// Two matrices are transposed on their way into shared memory.
// launch: grid=1 block=32 args: in=64:arange out=64
// finding: none

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void turned(const unsigned* in, unsigned* out)
{
    __shared__ __align__(128) unsigned short tile[128];
    int lane = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};"
        :: "r"(at(&tile[lane % 16 * 8])), "r"(in[0 + lane]), "r"(in[32 + lane]) : "memory");
    __syncwarp();
    for (int i = lane; i < 64; i += 32)
        out[i] = ((unsigned*)tile)[i];
}
