// Several threads raise the same flag to the same value.
// launch: grid=2 block=64 args: in=128:arange found=1:zeros
// finding: none

__global__ void contains(const int* in, int* found)
{
    if (in[blockIdx.x * 64 + threadIdx.x] % 5 == 0)
        found[0] = 1;
}
