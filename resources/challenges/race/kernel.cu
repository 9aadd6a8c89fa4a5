// Each block adds up its part of A.
//
//   sums[b] = A[first] + ... + A[last]     the part of block b
//
//   * * * * * * * *    128 values in shared memory
//   * * * *            the upper half is added to the lower one,
//   * *                then the upper half of that,
//   *                  until one value is left.
//
// Launch: blocks of 128 threads that cover the n values.

extern "C" __global__ void block_sums(
    const float* A, float* sums, int n)
{
    __shared__ float part[128];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? A[i] : 0.0f;

    for (int half = blockDim.x / 2; half > 0; half /= 2)
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];

    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
