// Adds two vectors, with a grid that is too small.
//
//   blocks = (n + 1) / threads        rounded down
//   blocks = (n + threads - 1) / threads      what was meant
//
// n = 100 with blocks of 32: 3 blocks, 96 threads. The last four
// elements have nobody. Nothing is read or written where it must
// not be, so no tool complains; only the result is short.
//
// Launch: (n + 1) / 32 blocks of 32 threads.

extern "C" __global__ void grid_rounded_down(
    const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
