// All threads of a block draw from one state: each advances what the others read.
// launch: grid=1 block=64 args: states=1 out=64
// finding: data-race 12 12
#include <curand_kernel.h>

__global__ void draw(curandState* states, float* out)
{
    int t = threadIdx.x;
    if (t == 0)
        curand_init(7, 0, 0, states);
    __syncthreads();
    out[t] = curand_uniform(states);
}
