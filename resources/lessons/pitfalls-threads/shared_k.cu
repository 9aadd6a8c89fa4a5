// A product whose loop over k is shared out to threads.
//
//   thread t:   for k = t, t + T, ...   C[i][j] += ...
//
// Every thread adds to every element of C.
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void shared_k(
    const float* A, const float* B, float* C, int n)
{
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                C[i * n + j] += A[i * n + k] * B[k * n + j];
}
