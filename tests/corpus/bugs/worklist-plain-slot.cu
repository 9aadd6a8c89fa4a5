// Slots of a worklist are drawn without an atomic.
// launch: grid=2 block=32 args: level=64:arange list=64:zeros count=1:zeros n=64
// finding: data-race 10
// finding: data-race 11

__global__ void collect(const int* level, int* list, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && level[i] % 3 == 0) {
        int slot = (*count)++;
        list[slot] = i;
    }
}
