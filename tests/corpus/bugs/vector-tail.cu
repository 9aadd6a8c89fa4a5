// The last float4 reaches past the end.
// launch: grid=1 block=32 args: in=126:arange out=128 n=126
// finding: out-of-bounds 9

__global__ void copy4(const float* in, float* out, int n)
{
    int i = 4 * threadIdx.x;
    if (i < n) {
        float4 v = *reinterpret_cast<const float4*>(in + i);
        *reinterpret_cast<float4*>(out + i) = v;
    }
}
