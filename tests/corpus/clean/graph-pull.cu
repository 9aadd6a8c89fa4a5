// Each node reads its neighbours' old values and writes its own new one.
// launch: grid=2 block=32 args: to=64:arange rank=64:arange next=64 n=64
// finding: none

__global__ void pull(const int* to, const float* rank, float* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = 0.5f * rank[i] + 0.5f * rank[(to[i] * 3 + 1) % n];
}
