// A stencil in a three-dimensional tile with a halo.
// launch: grid=1 block=6,6,6 args: in=216:arange out=216
// finding: none

__global__ void average(const float* in, float* out)
{
    __shared__ float c[6][6][6];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 6 + y) * 6 + x;
    c[z][y][x] = in[i];
    __syncthreads();
    bool inside = x > 0 && x < 5 && y > 0 && y < 5 && z > 0 && z < 5;
    out[i] = inside ? c[z - 1][y][x] + c[z + 1][y][x] + c[z][y - 1][x] + c[z][y + 1][x] + c[z][y][x - 1] + c[z][y][x + 1] : c[z][y][x];
}
