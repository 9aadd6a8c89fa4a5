// Each block keeps under the lock what it needs afterwards.
// launch: grid=4 block=32 args: in=4:arange lock=1:zeros total=1:zeros out=4
// finding: none

__global__ void add(const int* in, int* lock, int* total, int* out)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    int sum = *total + in[blockIdx.x];
    *total = sum;
    __threadfence();
    atomicExch(lock, 0);
    out[blockIdx.x] = sum;
}
