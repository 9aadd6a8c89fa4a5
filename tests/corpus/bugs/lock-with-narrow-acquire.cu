// Behind the taking stands a fence of the block's scope, but blocks contend.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 11

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
