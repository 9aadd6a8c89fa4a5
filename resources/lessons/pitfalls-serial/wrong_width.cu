// A copy whose rows begin in the wrong places.
//
//   C[i * m + j]     m is the number of rows, not their length
//
// For square matrices m and n are the same, and all is well.
// The second loop reads what the first one should have written.
//
// Launch: one block of one thread.

extern "C" __global__ void wrong_width(
    const float* X, float* C, float* sum, int m, int n)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            C[i * m + j] = X[i * n + j];

    float total = 0.0f;
    for (int p = 0; p < m * n; ++p)
        total += C[p];
    *sum = total;
}
