// All threads add to one sum, each without being disturbed.
//
//   atomicAdd          load, add and store as one
//
// The order is still open, and with it the rounding. But nothing
// is lost. It is slow where many meet: they are served one after
// the other.
//
// Launch: blocks of 64 threads, n in all.

extern "C" __global__ void one_sum_atomic(
    const float* x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&total[0], x[i]);
}
