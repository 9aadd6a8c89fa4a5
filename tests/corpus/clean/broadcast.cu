// All threads read the same element: reads do not race.
// launch: grid=2 block=64 args: in=1:arange out=128
// finding: none

__global__ void broadcast(const int* in, int* out)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = in[0] + 1;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s + in[0];
}
