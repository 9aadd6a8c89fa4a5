// A tile padded by one column is filled four elements at a time: every row but each fourth begins off their alignment.
// launch: grid=1 block=64 args: in=256:arange out=64
// finding: misaligned-access 11

__global__ void corners(const float* in, float* out)
{
    __shared__ float tile[8][33];
    int t = threadIdx.x;
    int row = t / 8, column = t % 8 * 4;
    float4 four = reinterpret_cast<const float4*>(in)[t];
    *reinterpret_cast<float4*>(&tile[row][column]) = four;
    __syncthreads();
    out[t] = tile[column / 4][row * 4 + 1];
}
