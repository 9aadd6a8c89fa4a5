// The place for all is read before it is drawn.
// launch: grid=2 block=64 args: level=128:arange list=128:zeros count=1:zeros n=128
// finding: data-race 16 18

__global__ void collect(const int* level, int* list, int* count, int n)
{
    __shared__ int mine[64], found, first;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (i < n && level[i] % 3 == 0)
        mine[atomicAdd_block(&found, 1)] = i;
    __syncthreads();
    if (threadIdx.x == 0)
        first = atomicAdd(count, found);
    if (threadIdx.x < found)
        list[first + threadIdx.x] = mine[threadIdx.x];
}
