// The barrier within a warp stands only where the first warp passes: the second reads its neighbours' values without one.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 12 10

__global__ void neighbours(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int first = t / 32 * 32;
    s[t] = in[t];
    if (t < 32) __syncwarp();
    out[t] = s[first + (t + 1) % 32];
}
