// Blocks contend for a lock by an atomic of the block's scope.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 14
// finding: data-race 12
// finding: data-race 12 16
// finding: data-race 16

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS_block(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch_block(lock, 0);
}
