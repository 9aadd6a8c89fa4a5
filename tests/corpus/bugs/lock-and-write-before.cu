// The first block sets the total before it takes the lock: others may have added by then.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 13 10

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        *total = 100;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
