// A maximum of floats by compare-and-swap.
// launch: grid=1 block=32 args: in=32:arange out=1:zeros
// finding: none

__global__ void largest(const float* in, int* out)
{
    float v = in[threadIdx.x];
    int old = atomicAdd(out, 0);
    while (__int_as_float(old) < v) {
        int seen = atomicCAS(out, old, __float_as_int(v));
        if (seen == old)
            break;
        old = seen;
    }
}
