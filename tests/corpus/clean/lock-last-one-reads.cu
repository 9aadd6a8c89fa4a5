// Who counts under the lock that all have added reads the total without it.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros count=1:zeros out=1
// finding: none

__global__ void add(const int* in, int* lock, int* total, int* count, int* out)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    bool last = ++*count == gridDim.x;
    __threadfence();
    atomicExch(lock, 0);
    if (last)
        *out = *total;
}
