// A product that is added to memory that nobody cleared.
//
//   C[i][j] += A[i][k] * B[k][j]     what was there before?
//
// One thread runs the loops as a processor would. The order ikj
// adds to C in memory, so C must hold zeros at the start.
//
// Launch: one block of one thread.

extern "C" __global__ void not_cleared(
    const float* A, const float* B, float* C, int n)
{
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                C[i * n + j] += A[i * n + k] * B[k * n + j];
}
