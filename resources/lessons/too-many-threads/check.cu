// Sums of the rows of C, as a homework compares them with those
// of the CPU: one thread a row.
//
//   launch of the product    refused: 4096 threads a block
//   launch of this kernel    runs, and reads C
//
// Nothing is wrong with this kernel. But nobody has written C
// before it: the launch that should have done so never ran.
//
// Launch: one block of n threads. C is n x n, row-major.

extern "C" __global__ void sums_of_rows(
    const float* C, float* sums, int n)
{
    int row = threadIdx.x;
    float sum = 0.0f;
    for (int col = 0; col < n; ++col)
        sum += C[row * n + col];
    sums[row] = sum;
}
