// Each value is added to its two neighbours.
//
//   C[i] = A[i-1] + A[i] + A[i+1]    beyond the ends stands 0
//
// A value serves three threads. It is read from global memory
// once and kept in shared memory for the neighbours.
//
// Launch: 64 blocks of 128 threads for the 8192 values.

#define VALUES 8192

extern "C" __global__ void neighbours(
    const float* A, float* C, int n)
{
    __shared__ float kept[VALUES];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        kept[i] = A[i];

    __syncthreads();

    if (i < n) {
        // At a block's ends the neighbour is another block's.
        float left = threadIdx.x > 0 ? kept[i - 1]
            : i > 0 ? A[i - 1] : 0.0f;
        float right = i + 1 == n ? 0.0f
            : threadIdx.x + 1 < blockDim.x ? kept[i + 1] : A[i + 1];
        C[i] = left + kept[i] + right;
    }
}
