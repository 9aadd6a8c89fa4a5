// A histogram in shared memory that nobody sets to zero.
//
//   __shared__ int count[8];       holds anything
//   atomicAdd(&count[x], 1);       anything, and one more
//
// Shared memory is not zeroed at the start of a block. It holds
// what the block before it left there: for the first blocks
// often zeros, so that a small test passes.
//
// Launch: one block of 64 threads.

extern "C" __global__ void not_zeroed(
    const int* x, int* out, int n)
{
    __shared__ int count[8];

    int i = threadIdx.x;
    if (i < n)
        atomicAdd(&count[x[i] % 8], 1);
    __syncthreads();

    if (i < 8)
        out[i] = count[i];
}
