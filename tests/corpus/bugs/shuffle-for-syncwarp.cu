// A shuffle passes values between the threads of a warp, but orders nothing that they wrote.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: data-race 10 12

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    int own = in[t];
    s[t] = own;
    int next = __shfl_down_sync(0xffffffffu, own, 1);
    out[t] = s[t ^ 1] + next;
}
