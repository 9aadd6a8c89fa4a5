// Values from 0 to 16 are counted in 16 bins.
// launch: grid=1 block=34 args: in=34:arange out=16:zeros
// finding: out-of-bounds 7

__global__ void histogram(const int* in, int* out)
{
    atomicAdd(&out[in[threadIdx.x] / 2], 1);
}
