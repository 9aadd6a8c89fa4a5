// A barrier with a vote on the right of && is reached by some threads only.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 8

__global__ void any(const int* in, int* out)
{
    int v = in[threadIdx.x];
    if (v < 32 && __syncthreads_or(v == 5))
        v = -1;
    out[threadIdx.x] = v;
}
