// Different atomics on the same element do not race with each other.
// launch: grid=2 block=32 args: in=64:random out=2:zeros
// finding: none

__global__ void extremes(const int* in, int* out)
{
    int v = in[blockIdx.x * 32 + threadIdx.x];
    atomicMax(&out[0], v);
    atomicMin(&out[1], v);
    atomicOr(&out[0], 1);
}
