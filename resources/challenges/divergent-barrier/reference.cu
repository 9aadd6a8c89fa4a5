extern "C" __global__ void turned(
    const float* A, float* C, int n)
{
    int first = blockIdx.x * 128;
    int count = min(128, n - first);
    for (int t = threadIdx.x; t < count; t += blockDim.x)
        C[first + t] = A[first + count - 1 - t];
}
