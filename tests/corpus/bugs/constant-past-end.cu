// A filter in constant memory is read one past its end.
// launch: grid=1 block=32 args: in=40:arange out=32
// finding: out-of-bounds 11

__constant__ float filter[5] = {1.0f, 2.0f, 3.0f, 2.0f, 1.0f};

__global__ void convolve(const float* in, float* out)
{
    float sum = 0.0f;
    for (int k = 0; k <= 5; ++k) {
        float weight = filter[k];
        sum += weight * in[threadIdx.x + k];
    }
    out[threadIdx.x] = sum;
}
