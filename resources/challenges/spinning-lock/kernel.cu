// Of each bucket the sum of its values, and how many they are.
//
//   bucket of A[i]    A[i] % 8
//   sums[bucket]      is increased by A[i]
//   counts[bucket]    is increased by 1
//
// Each bucket has a lock, so that both change together.
//
// Launch: blocks of 64 threads that cover the n values.

extern "C" __global__ void into_buckets(
    const int* A, int* locks, int* sums, int* counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bucket = A[i] % 8;

        while (atomicCAS(&locks[bucket], 0, 1) != 0) {}
        __threadfence();
        sums[bucket] += A[i];
        counts[bucket] += 1;
        __threadfence();
        atomicExch(&locks[bucket], 0);
    }
}
