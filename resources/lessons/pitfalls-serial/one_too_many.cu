// A loop that goes one step too far.
//
//   for (int k = 0; k <= n; ++k)     n + 1 products
//
// Past the end of a row the next row begins, so most of what is
// read too much lies inside of A. Below the last row of B there
// is nothing.
//
// Launch: one block of one thread.

extern "C" __global__ void one_too_many(
    const float* A, const float* B, float* C, int n)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0.0f;
            for (int k = 0; k <= n; ++k) {
                float a = A[i * n + k];
                float b = B[k * n + j];
                sum += a * b;
            }
            C[i * n + j] = sum;
        }
}
