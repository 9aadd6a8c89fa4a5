// Two warps wait at two barriers: a GPU lets them pass, and what they exchange is right.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: paired-barriers 13

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (t < 32) {
        s[t] = in[i] + 1;
        __syncthreads();
    } else {
        s[t] = in[i] + 2;
        __syncthreads();
    }
    out[i] = s[63 - t];
}
