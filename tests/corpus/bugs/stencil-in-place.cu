// A stencil reads its neighbours from the array that it writes.
// launch: grid=1 block=64 args: a=66:arange
// finding: data-race 8 8

__global__ void smooth(float* a)
{
    int i = threadIdx.x + 1;
    a[i] = 0.5f * (a[i - 1] + a[i + 1]);
}
