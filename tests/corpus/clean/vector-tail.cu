// Whole float4s first, then the elements that are left over.
// launch: grid=1 block=32 args: in=118:arange out=118 n=118
// finding: none

__global__ void copy(const float* in, float* out, int n)
{
    int whole = n / 4;
    if (threadIdx.x < whole)
        reinterpret_cast<float4*>(out)[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
    int i = 4 * whole + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
