// Who draws a ticket waits until it is served, and serves the next.
// launch: grid=4 block=1 args: in=4:arange next=1:zeros serving=1:zeros total=1:zeros
// finding: none

__global__ void add(const int* in, int* next, int* serving, int* total)
{
    int mine = atomicAdd(next, 1);
    while (atomicAdd(serving, 0) != mine) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    atomicAdd(serving, 1);
}
