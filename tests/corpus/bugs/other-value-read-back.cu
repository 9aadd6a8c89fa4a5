// Each stores its own value and reads back what may be another's.
// launch: grid=1 block=64 args: out=64
// finding: data-race 9
// finding: data-race 9 10

__global__ void scale(int* out)
{
    __shared__ int factor;
    factor = threadIdx.x;
    out[threadIdx.x] = factor;
}
