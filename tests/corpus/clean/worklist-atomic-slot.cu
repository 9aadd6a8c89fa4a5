// Each node of the front draws a slot of its own.
// launch: grid=2 block=32 args: level=64:arange list=64:zeros count=1:zeros n=64
// finding: none

__global__ void collect(const int* level, int* list, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && level[i] % 3 == 0) {
        int slot = atomicAdd(count, 1);
        list[slot] = i;
    }
}
