// A variable inside of the loop, one for each thread.
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void own_variable(
    const float* x, float* y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float t = x[i];
        y[i] = t * t;
    }
}
