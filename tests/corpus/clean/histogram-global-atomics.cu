// All threads of all blocks count with atomics in global memory.
// launch: grid=4 block=32 args: in=128:random out=8:zeros
// finding: none

__global__ void histogram(const int* in, int* out)
{
    atomicAdd(out + (in[blockIdx.x * 32 + threadIdx.x] & 7), 1);
}
