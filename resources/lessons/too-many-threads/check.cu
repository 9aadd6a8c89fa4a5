// Sums of the columns of C, as a homework compares them with
// those of the CPU: one thread a column.
//
//   launch of the product    refused: 4096 threads a block
//   launch of this kernel    runs, and reads C
//
// Nothing is wrong with this kernel. But nobody has written C
// before it: the launch that should have done so never ran.
//
// Launch: one block of n threads. C is n x n, row-major.

extern "C" __global__ void sums_of_columns(
    const float* C, float* sums, int n)
{
    int col = threadIdx.x;
    float sum = 0.0f;
    for (int row = 0; row < n; ++row)
        sum += C[row * n + col];
    sums[col] = sum;
}
