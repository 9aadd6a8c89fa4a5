// Of three indices the middle one is one too large.
// launch: grid=1 block=4,4,4 args: in=64:arange out=64
// finding: out-of-bounds 11

__global__ void cube(const float* in, float* out)
{
    __shared__ float c[4][4][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[z][y][x] = in[(z * 4 + y) * 4 + x];
    __syncthreads();
    float v = z < 3 ? c[z][y + 1][x] : 0.0f;
    out[(z * 4 + y) * 4 + x] = v;
}
