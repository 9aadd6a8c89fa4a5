// Blocks add under a lock that has no fence at all.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros
// finding: data-race 10

__global__ void add(const int* in, int* lock, int* total)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    *total += in[blockIdx.x];
    atomicExch(lock, 0);
}
