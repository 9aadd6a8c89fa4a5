// Each block reads the total when it has given the lock back.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros out=4
// finding: data-race 11 14

__global__ void add(const int* in, int* lock, int* total, int* out)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
    out[blockIdx.x] = *total;
}
