// y = a * x, for n values.
//
// Launch, as the program around the kernel works it out:
//
//   int threads = 128;
//   int blocks = (n + 1) / threads;
//   scaled<<<blocks, threads>>>(x, y, a, n);
//
// With n = 1023 and with n = 1024 that gives 8 blocks, and all
// is well. Here n is 1000.

extern "C" __global__ void scaled(
    const float* x, float* y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
