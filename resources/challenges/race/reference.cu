extern "C" __global__ void block_sums(
    const float* A, float* sums, int n)
{
    float sum = 0.0f;
    for (int t = 0; t < 128; ++t)
        if (blockIdx.x * 128 + t < n)
            sum += A[blockIdx.x * 128 + t];
    sums[blockIdx.x] = sum;
}
