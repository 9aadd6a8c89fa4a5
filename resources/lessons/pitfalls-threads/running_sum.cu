// Each element takes the one before it, in the same array.
//
//   x[i] = x[i] + x[i - 1]      x[i - 1] must be done before
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void running_sum(float* x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (i > 0)
            x[i] = x[i] + x[i - 1];
}
