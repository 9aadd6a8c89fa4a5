// Each node adds to its neighbours without atomics: two may have the same one.
// launch: grid=2 block=32 args: to=64:arange rank=64:arange next=64:zeros n=64
// finding: data-race 13
// finding: data-race 13 14
// finding: data-race 14

__global__ void push(const int* to, const float* rank, float* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int first = to[i] / 3, second = (to[i] + 1) / 3;
    next[first] += rank[i];
    next[second] += rank[i];
}
