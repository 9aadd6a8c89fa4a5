// The last warp reduces with __syncwarp between reading and writing.
// launch: grid=1 block=32 args: in=32:random out=1
// finding: none

__global__ void reduce(const float* in, float* out)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = in[t];
    s[t] = v;
    __syncwarp();
    for (int by = 16; by > 0; by /= 2) {
        v += t < by ? s[t + by] : 0.0f;
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
    if (t == 0)
        out[0] = s[0];
}
