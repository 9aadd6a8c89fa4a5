// A ticket lock whose served number is read as volatile.
// launch: grid=4 block=1 args: in=4:arange next=1:zeros serving=1:zeros total=1:zeros
// finding: none

__global__ void add(const int* in, int* next, volatile int* serving, int* total)
{
    int mine = atomicAdd(next, 1);
    while (*serving != mine) {}
    __threadfence();
    *total += in[blockIdx.x];
    __threadfence();
    *serving = mine + 1;
}
