extern "C" __global__ void neighbours(
    const float* A, float* C, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        C[i] = (i > 0 ? A[i - 1] : 0.0f) + A[i]
            + (i + 1 < n ? A[i + 1] : 0.0f);
}
