// A barrier in a branch that half of each warp takes.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 9

__global__ void odd(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (threadIdx.x % 2)
        __syncthreads();
    out[threadIdx.x] = v;
}
