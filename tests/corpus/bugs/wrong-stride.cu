// Rows are counted with the number of rows, not of columns.
// launch: grid=1 block=8,16 args: in=128:arange out=128 rows=16 columns=8
// finding: out-of-bounds 8

__global__ void scale(const float* in, float* out, int rows, int columns)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[y * rows + x];
    out[y * columns + x] = v;
}
