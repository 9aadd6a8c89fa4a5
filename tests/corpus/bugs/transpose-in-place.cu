// A matrix is transposed in place, element by element.
// launch: grid=1 block=8,8 args: a=64:arange
// finding: data-race 8 8

__global__ void transpose(float* a)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[y * 8 + x] = a[x * 8 + y];
}
