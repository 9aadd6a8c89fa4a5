// A five-point stencil with short-circuit guards.
// launch: grid=2,2 block=8,8 args: in=150:random out=150 rows=10 columns=15
// finding: none

__global__ void laplace(const float* in, float* out, int rows, int columns)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= columns || y >= rows)
        return;
    int i = y * columns + x;
    float sum = -4.0f * in[i];
    if (x > 0 && in[i - 1] > -2.0f) sum += in[i - 1];
    if (x < columns - 1 && in[i + 1] > -2.0f) sum += in[i + 1];
    sum += y > 0 ? in[i - columns] : 0.0f;
    sum += y < rows - 1 ? in[i + columns] : 0.0f;
    out[i] = sum;
}
