extern "C" __global__ void scaled(
    const float* x, float* y, float a, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = a * x[i];
}
