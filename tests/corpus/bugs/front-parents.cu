// Nodes that reach the same neighbour each store themselves as its parent.
// launch: grid=2 block=32 args: to=64:arange parent=64 n=64
// finding: data-race 9

__global__ void visit(const int* to, int* parent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        parent[to[i] / 2] = i;
}
