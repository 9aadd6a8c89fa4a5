// A maximum over all blocks by an atomic that excludes threads of one block only.
// launch: grid=2 block=32 args: in=64:arange most=1:zeros
// finding: data-race 7

__global__ void largest(const int* in, int* most)
{
    atomicMax_block(most, in[blockIdx.x * 32 + threadIdx.x]);
}
