// Each element takes itself alone.
//
//   x[i] = 2 * x[i]
//
// Launch: one block; its threads stand for those of a processor.

extern "C" __global__ void own_element(float* x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = 2.0f * x[i];
}
