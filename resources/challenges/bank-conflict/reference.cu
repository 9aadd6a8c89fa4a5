extern "C" __global__ void transposed(
    const float* A, float* C, int rows, int columns)
{
    for (int i = threadIdx.x; i < rows * columns; i += blockDim.x)
        C[i % columns * rows + i / columns] = A[i];
}
