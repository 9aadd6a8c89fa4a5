// A store runs past the innermost dimension.
// launch: grid=1 block=4,4,3 args: in=64:arange out=48
// finding: out-of-bounds 9

__global__ void cube(const float* in, float* out)
{
    __shared__ float c[4][4][4];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    c[z][y][x + 1] = in[(z * 4 + y) * 4 + x];
    __syncthreads();
    out[(z * 4 + y) * 4 + x] = x > 0 ? c[z][y][x] : 0.0f;
}
