// All nodes that reach a neighbour store the same level.
// launch: grid=2 block=32 args: to=64:arange level=64 n=64
// finding: none

__global__ void visit(const int* to, int* level, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        level[to[i] / 2] = 7;
}
