// Labels spread along edges by atomic minima, read by atomics.
// launch: grid=2 block=32 args: to=64:arange label=64:arange n=64
// finding: none

__global__ void spread(const int* to, int* label, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int mine = atomicAdd(&label[i], 0);
    atomicMin(&label[(to[i] + 1) % n], mine);
}
