// Each node reads its neighbours' values where it writes its own.
// launch: grid=2 block=32 args: to=64:arange rank=64:arange n=64
// finding: data-race 9

__global__ void pull(const int* to, float* rank, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        rank[i] = 0.5f * rank[i] + 0.5f * rank[(to[i] * 3 + 1) % n];
}
