// A block reads what the neighbouring block writes in the same launch.
// launch: grid=4 block=32 args: in=128:arange middle=128:zeros out=128
// finding: data-race 8 11

__global__ void twice(const float* in, float* middle, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    middle[i] = 2.0f * in[i];
    __syncthreads();
    int next = i + 1 < 128 ? i + 1 : i;
    out[i] = middle[i] + middle[next];
}
