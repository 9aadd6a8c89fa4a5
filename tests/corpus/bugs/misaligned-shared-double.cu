// A double is read four bytes off its place in a shared buffer.
// launch: grid=1 block=16 args: in=34:arange out=16
// finding: misaligned-access 14

__global__ void doubles(const int* in, double* out)
{
    __shared__ int s[34];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 16] = in[t + 16];
    if (t < 2)
        s[t + 32] = in[t + 32];
    __syncthreads();
    out[t] = *reinterpret_cast<double*>(&s[2 * t + 1]);
}
