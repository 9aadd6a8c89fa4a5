// A product whose rows are shared out to threads.
//
//   thread t:   for i = t, t + T, ...   C[i][j] += ...
//
// No thread touches a row of C that another one has.
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void shared_rows(
    const float* A, const float* B, float* C, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                C[i * n + j] += A[i * n + k] * B[k * n + j];
}
