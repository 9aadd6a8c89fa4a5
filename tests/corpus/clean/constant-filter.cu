// A convolution with a filter in constant memory.
// launch: grid=1 block=32 args: in=36:arange out=32
// finding: none

__constant__ float filter[5] = {1.0f, 2.0f, 3.0f, 2.0f, 1.0f};

__global__ void convolve(const float* in, float* out)
{
    float sum = 0.0f;
    for (int k = 0; k < 5; ++k)
        sum += filter[k] * in[threadIdx.x + k];
    out[threadIdx.x] = sum;
}
