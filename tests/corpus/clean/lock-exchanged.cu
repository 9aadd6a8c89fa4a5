// A lock that is taken by exchanges until nothing was there.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: none

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicExch(lock, 1) == 1) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
