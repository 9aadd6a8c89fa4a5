// A row of 33 floats starts every other float2 in the middle of 8 bytes.
// launch: grid=1 block=16,2 args: in=64:arange out=32
// finding: misaligned-access 12

__global__ void padded(const float* in, float2* out)
{
    __shared__ float tile[2][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 32 + x];
    tile[y][x + 16] = in[y * 32 + x + 16];
    __syncthreads();
    out[y * 16 + x] = *reinterpret_cast<float2*>(&tile[y][2 * x]);
}
