// Thread 0 writes a shared value that all read, without a barrier.
// launch: grid=1 block=64 args: in=64:arange out=64 n=3
// finding: data-race 9 10

__global__ void scale(const int* in, int* out, int n)
{
    __shared__ int factor;
    if (threadIdx.x == 0)
        factor = 2 * n;
    out[threadIdx.x] = in[threadIdx.x] * factor;
}
