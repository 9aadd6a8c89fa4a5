// Each thread draws from a state of its own in global memory.
// launch: grid=2 block=64 args: states=128 out=128
// finding: none
#include <curand_kernel.h>

__global__ void draw(curandState* states, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(7, i, 0, &states[i]);
    float sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += curand_uniform(states + i) + curand_normal(states + i);
    out[i] = sum;
}
