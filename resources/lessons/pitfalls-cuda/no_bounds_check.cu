// Adds two vectors, and forgets that the last block is not full.
//
//   n = 100, blocks of 32:   4 blocks, 128 threads
//   threads 100 to 127       read and write past the end
//
// On a GPU this often goes well: memory is given out in larger
// pieces, and what lies behind belongs to somebody else, or to
// nobody yet.
//
// Launch: n / 32 blocks, rounded up, of 32 threads.

extern "C" __global__ void no_bounds_check(
    const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
