// Two locks for one total: blocks that take different ones do not exclude each other.
// launch: grid=4 block=32 args: in=4:arange locks=2:zeros total=1:zeros
// finding: data-race 12

__global__ void add(const int* in, int* locks, int* total)
{
    if (threadIdx.x != 0)
        return;
    int* lock = &locks[blockIdx.x % 2];
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
