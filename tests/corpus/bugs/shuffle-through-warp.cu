// A vote joins the threads of a warp, but orders nothing that they wrote.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: data-race 9 11

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    int all = __all_sync(0xffffffffu, s[t] >= 0);
    out[t] = s[t ^ 1] + all;
}
