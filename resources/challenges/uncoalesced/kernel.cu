// Every element of A is doubled into C.
//
//   C[row][col] = 2 * A[row][col]    rows x columns, row-major
//
// Launch: blocks of 32 x 8 threads that cover the matrix.

extern "C" __global__ void doubled(
    const float* A, float* C, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < columns)
        C[row * columns + col] = 2.0f * A[row * columns + col];
}
