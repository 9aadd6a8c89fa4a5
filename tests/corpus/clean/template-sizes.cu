// A template whose block size is a parameter.
// launch: grid=1 block=64 entry=reduce<64> args: in=128:random out=1
// finding: none

template <int THREADS> __global__ void reduce(const float* in, float* out)
{
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    s[t] = in[t] + in[t + THREADS];
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}
