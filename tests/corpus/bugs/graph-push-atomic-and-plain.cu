// One neighbour is added to with an atomic, the other without.
// launch: grid=2 block=32 args: to=64:arange rank=64:arange next=64:zeros n=64
// finding: data-race 12 13
// finding: data-race 13

__global__ void push(const int* to, const float* rank, float* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int first = to[i] / 3, second = (to[i] + 1) / 3;
    atomicAdd(&next[first], rank[i]);
    next[second] += rank[i];
}
