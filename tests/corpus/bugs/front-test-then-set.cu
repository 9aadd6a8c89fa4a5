// Whether a node was visited is tested, then set: two may find that it was not.
// launch: grid=2 block=32 args: to=64:arange visited=64:zeros count=1:zeros n=64
// finding: data-race 8 9

__global__ void visit(const int* to, int* visited, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && visited[to[i] / 2] == 0) {
        visited[to[i] / 2] = 1;
        atomicAdd(count, 1);
    }
}
