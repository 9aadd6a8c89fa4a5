// What a warp wrote is ordered by __syncwarp; the vote after it only counts.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    int all = __all_sync(0xffffffffu, s[t] >= 0);
    out[t] = s[t ^ 1] + all;
}
