// The first of two __syncwarp() is missing.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 9 10

__global__ void shift(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    int v = s[t ^ 1];
    __syncwarp();
    s[t] = v + 1;
    out[t] = s[t];
}
