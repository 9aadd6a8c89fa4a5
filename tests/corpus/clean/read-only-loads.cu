// Loads through the read-only path, of 64-bit and of vector elements.
// launch: grid=1 block=32 args: wide=32:arange pairs=32:arange out=32
// finding: none

__global__ void readers(const long long* wide, const float2* pairs, double* out)
{
    float2 p = __ldg(&pairs[threadIdx.x]);
    out[threadIdx.x] = (double)__ldg(wide + 31 - threadIdx.x) + p.x * p.y;
}
