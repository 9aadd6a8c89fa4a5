// Two threads write different values to one element.
// launch: grid=1 block=64 args: out=32
// finding: data-race 9 9

__global__ void pairs(int* out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t / 2] = t;
    __syncthreads();
    if (t < 32)
        out[t] = s[t];
}
