// A grid-stride loop over any number of elements.
// launch: grid=2 block=48 args: x=1000:random y=1000:random n=1000 a=2.5
// finding: none

__global__ void saxpy(const float* x, float* y, int n, float a)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] += a * x[i];
}
