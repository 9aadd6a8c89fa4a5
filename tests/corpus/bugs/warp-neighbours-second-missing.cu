// The second of two __syncwarp() is missing.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 11 12

__global__ void shift(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    int v = s[t ^ 1];
    s[t] = v + 1;
    out[t] = s[t];
}
