// C = A + B, element by element.
//
//   C[row][col] = A[row][col] + B[row][col]   rows x columns
//
//   +----+----+--            The blocks at the right and at the
//   |    |    | :            lower edge reach beyond the matrix:
//   +----+----+--            their size divides neither rows nor
//   |    |    | :            columns.
//   -  -  -  -  -
//
// Launch: blocks of 16 x 16 threads that cover the matrix.

extern "C" __global__ void added(
    const float* A, const float* B, float* C,
    int rows, int columns)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int i = row * columns + col;
    if (row <= rows && col <= columns)
        C[i] = A[i] + B[i];
}
