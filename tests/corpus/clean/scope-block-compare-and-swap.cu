// A maximum of each block by compare-and-swap of its scope.
// launch: grid=2 block=32 args: in=64:arange out=2:zeros
// finding: none

__global__ void largest(const int* in, int* out)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    int seen = atomicAdd_block(&out[blockIdx.x], 0);
    while (seen < v) {
        int before = atomicCAS_block(&out[blockIdx.x], seen, v);
        if (before == seen)
            break;
        seen = before;
    }
}
