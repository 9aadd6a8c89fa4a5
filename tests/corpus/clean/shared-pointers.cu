// A pointer into shared memory is passed to a device function.
// launch: grid=1 block=32 args: in=64:arange out=32
// finding: none

__device__ float dot(const float* a, const float* b, int n)
{
    float sum = 0.0f;
    while (n-- > 0)
        sum += *a++ * *b++;
    return sum;
}

__global__ void dots(const float* in, float* out)
{
    __shared__ float left[32], right[32];
    left[threadIdx.x] = in[threadIdx.x];
    right[threadIdx.x] = in[32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = dot(left, right, threadIdx.x + 1);
}
