// To save atomics each thread looks first, without one, whether its value is larger.
// launch: grid=1 block=64 args: in=64:arange most=1:zeros
// finding: data-race 8 9

__global__ void largest(const int* in, int* most)
{
    int v = in[threadIdx.x];
    if (v > *most)
        atomicMax(most, v);
}
