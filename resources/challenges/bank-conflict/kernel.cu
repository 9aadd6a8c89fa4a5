// C is the transpose of A: what was a row becomes a column.
//
//   C[col][row] = A[row][col]        A: rows x columns, row-major
//
//   A            tile           C
//   -> row       -> row         A tile is written row by row
//   -> row       | column       and read column by column: so
//                v              both A and C are accessed along
//                               their rows.
//
// Launch: blocks of 32 x 8 threads, one for each 32 x 32 tile.

#define TILE 32

extern "C" __global__ void transposed(
    const float* A, float* C, int rows, int columns)
{
    __shared__ float tile[TILE][TILE];

    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int y = 0; y < TILE; y += blockDim.y)
        if (row + y < rows && col < columns)
            tile[threadIdx.y + y][threadIdx.x]
                = A[(row + y) * columns + col];

    __syncthreads();

    // The tile moves to the other side of the diagonal.
    col = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    for (int y = 0; y < TILE; y += blockDim.y)
        if (row + y < columns && col < rows)
            C[(row + y) * rows + col]
                = tile[threadIdx.x][threadIdx.y + y];
}
