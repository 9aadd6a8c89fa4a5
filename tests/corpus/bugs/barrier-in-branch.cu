// A barrier in a branch that one warp of two takes.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: barrier-divergence 12

__global__ void half(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) {
        s[t] += 1;
        __syncthreads();
    }
    out[t] = s[t];
}
