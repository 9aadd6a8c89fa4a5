// At the shuffle all lanes still hold the same; later they do not.
// launch: grid=1 block=32 args: in=32:arange out=32
// finding: none

__global__ void shuffled(const int* in, int* out)
{
    float r = 2.5f;
    long long v = r > -100.0f && r < 100.0f ? (long long)r : -77;
    v += __shfl_down_sync(0xffffffffu, r > 0.0f ? (long long)(r * 2.0f) : -5ll, 3);
    if (in[threadIdx.x] > 3)
        r += in[threadIdx.x];
    out[threadIdx.x] = (int)v + (int)r;
}
