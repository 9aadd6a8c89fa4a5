// The halo of the tile is read but nobody has loaded it.
// launch: grid=2 block=32 args: in=64:arange out=64
// finding: uninitialised-read 11

__global__ void halo(const float* in, float* out)
{
    __shared__ float s[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 1] = in[i];
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
