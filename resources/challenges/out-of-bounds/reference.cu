extern "C" __global__ void added(
    const float* A, const float* B, float* C,
    int rows, int columns)
{
    for (int i = threadIdx.x; i < rows * columns; i += blockDim.x)
        C[i] = A[i] + B[i];
}
