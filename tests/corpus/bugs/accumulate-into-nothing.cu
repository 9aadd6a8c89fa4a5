// The output is added to, but nothing has set it.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: uninitialised-read 7

__global__ void accumulate(const float* in, float* out)
{
    out[threadIdx.x] += in[threadIdx.x];
}
