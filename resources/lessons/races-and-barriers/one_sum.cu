// All threads add to one sum.
//
//   load  total[0]     every thread sees the same old value
//   add   x[i]
//   store total[0]     every thread writes; one of them stays
//
// Between a thread's load and its store others load the same
// value. No barrier helps: they are of different blocks.
//
// Launch: blocks of 64 threads, n in all.

extern "C" __global__ void one_sum(
    const float* x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        total[0] += x[i];
}
