// Past the edge nothing is put into the tile, yet all of it is summed.
// launch: grid=2 block=32 args: in=50:arange out=2 n=50
// finding: uninitialised-read 15

__global__ void sums(const float* in, float* out, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (i < n)
        s[t] = in[i];
    __syncthreads();
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 32; ++k)
            sum += s[k];
        out[blockIdx.x] = sum;
    }
}
