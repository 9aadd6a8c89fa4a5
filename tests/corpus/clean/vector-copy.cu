// Aligned float4 loads and stores.
// launch: grid=1 block=32 args: in=128:arange out=128
// finding: none

#define FLOAT4(place) (reinterpret_cast<float4*>(&(place))[0])
__global__ void copy(float* in, float* out)
{
    FLOAT4(out[4 * threadIdx.x]) = FLOAT4(in[4 * threadIdx.x]);
}
