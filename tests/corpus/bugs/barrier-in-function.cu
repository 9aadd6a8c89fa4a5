// A device function with a barrier is called by some threads only.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 7

__device__ int settle(int v)
{
    __syncthreads();
    return v + 1;
}

__global__ void some(const int* in, int* out)
{
    int v = in[threadIdx.x];
    out[threadIdx.x] = v % 3 == 0 ? settle(v) : v;
}
