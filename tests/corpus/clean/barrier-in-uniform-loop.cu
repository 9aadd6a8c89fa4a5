// Every thread runs the same number of rounds.
// launch: grid=1 block=64 args: in=64:arange out=64 rounds=3
// finding: none

__global__ void rotate(const int* in, int* out, int rounds)
{
    __shared__ int s[64];
    int t = threadIdx.x, v = in[t];
    for (int k = 0; k < rounds; ++k) {
        s[t] = v;
        __syncthreads();
        v = s[(t + 1) % 64];
        __syncthreads();
    }
    out[t] = v;
}
