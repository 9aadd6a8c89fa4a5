// All store the same value and read it back: whose store came last makes no difference.
// launch: grid=1 block=64 args: out=64 n=5
// finding: none

__global__ void scale(int* out, int n)
{
    __shared__ int factor;
    factor = 2 * n;
    out[threadIdx.x] = factor * threadIdx.x;
}
