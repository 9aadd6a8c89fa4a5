// Sums of the rows of a matrix, four values to a read.
//
//   row 0   | 0 1 2 3 | 4 5 6 7 | 8 9 .
//   row 1     . . 0 1   2 3 4 5   6 7 8 9
//
// A float4 must begin at a multiple of 16 bytes. With rows of 10
// values every second row begins 8 bytes beside one. A GPU ends
// the kernel there, with an error that nobody may ask for.
//
// Launch: one block with a thread for each row.

extern "C" __global__ void misaligned_float4(
    const float* A, float* sums, int n)
{
    const float* row = A + threadIdx.x * n;
    float sum = 0.0f;
    for (int k = 0; k + 4 <= n; k += 4) {
        float4 a = *(const float4*)(row + k);
        sum += a.x + a.y + a.z + a.w;
    }
    for (int k = n / 4 * 4; k < n; ++k)
        sum += row[k];
    sums[threadIdx.x] = sum;
}
