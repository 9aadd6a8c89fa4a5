// A float4 is read from an address that is no multiple of 16.
// launch: grid=1 block=16 args: in=68:arange out=64
// finding: misaligned-access 7

__global__ void shifted(const float* in, float4* out)
{
    float4 v = reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
    out[threadIdx.x] = v;
}
