// Slots of a worklist are drawn with atomics of the block's scope.
// launch: grid=2 block=32 args: level=64:arange list=64:zeros count=1:zeros n=64
// finding: data-race 9

__global__ void collect(const int* level, int* list, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && level[i] % 3 == 0) {
        int slot = atomicAdd_block(count, 1);
        list[slot] = i;
    }
}
