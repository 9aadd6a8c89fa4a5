// A block reverses its part through shared memory, but no barrier stands between writing and reading.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: data-race 9 10

__global__ void reverse(const float* in, float* out)
{
    __shared__ float s[64];
    int base = blockIdx.x * 64;
    s[threadIdx.x] = in[base + threadIdx.x];
    out[base + threadIdx.x] = s[63 - threadIdx.x];
}
