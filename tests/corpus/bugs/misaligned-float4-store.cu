// Rows of 15 floats are written four at a time.
// launch: grid=1 block=3,4 args: out=60
// finding: misaligned-access 8

__global__ void rows(float* out)
{
    float4 v = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    *reinterpret_cast<float4*>(&out[threadIdx.y * 15 + threadIdx.x * 4]) = v;
}
