// A scan up and down a tree, with a barrier before each level.
// launch: grid=1 block=64 args: in=128:arange out=128
// finding: none

__global__ void scan(const int* in, int* out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int step = 1;
    for (int width = 64; width > 0; width /= 2) {
        __syncthreads();
        if (t < width)
            s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
        step *= 2;
    }
    __syncthreads();
    if (t == 0)
        s[127] = 0;
    for (int width = 1; width < 128; width *= 2) {
        step /= 2;
        __syncthreads();
        if (t < width) {
            int left = s[step * (2 * t + 1) - 1];
            s[step * (2 * t + 1) - 1] = s[step * (2 * t + 2) - 1];
            s[step * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}
