// A ticket lock whose fences are of the block's scope, among blocks.
// launch: grid=4 block=1 args: in=4:arange next=1:zeros serving=1:zeros total=1:zeros
// finding: data-race 10

__global__ void add(const int* in, int* next, int* serving, int* total)
{
    int mine = atomicAdd(next, 1);
    while (atomicAdd(serving, 0) != mine) {}
    __threadfence_block();
    *total += in[blockIdx.x];
    __threadfence_block();
    atomicAdd(serving, 1);
}
