// Atomics of the block's scope in global memory: each block has a place of its own.
// launch: grid=3 block=64 args: in=192:arange least=3:zeros bits=3:zeros
// finding: none

__global__ void reduce(const int* in, int* least, unsigned* bits)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicMin_block(&least[blockIdx.x], v);
    atomicOr_block(&bits[blockIdx.x], 1u << (v & 31));
}
