// The lock is given back by a store that is neither atomic nor volatile.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 13
// finding: data-race 11 15
// finding: data-race 15

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    *lock = 0;
}
