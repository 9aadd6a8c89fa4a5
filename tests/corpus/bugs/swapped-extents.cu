// Rows and columns are compared with each other's bounds.
// launch: grid=2,2 block=8,8 args: in=128:arange out=128 rows=8 columns=16
// finding: out-of-bounds 9

__global__ void scale(const float* in, float* out, int rows, int columns)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < rows && y < columns) {
        float v = in[y * columns + x];
        out[x * columns + y] = v;
    }
}
