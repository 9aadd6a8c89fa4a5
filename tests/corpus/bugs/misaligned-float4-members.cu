// Members of a float4 at an address that is no multiple of 16: the compiler reads them together.
// launch: grid=1 block=16 args: in=68:arange out=16
// finding: misaligned-access 8

__global__ void sums(const float* in, float* out)
{
    const float4* v = reinterpret_cast<const float4*>(in + 1) + threadIdx.x;
    out[threadIdx.x] = v->x + v->y + v->z + v->w;
}
