// Labels spread by atomic minima, but are read without atomics.
// launch: grid=2 block=32 args: to=64:arange label=64:arange n=64
// finding: data-race 10 11

__global__ void spread(const int* to, int* label, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int mine = label[i];
    atomicMin(&label[(to[i] + 1) % n], mine);
}
