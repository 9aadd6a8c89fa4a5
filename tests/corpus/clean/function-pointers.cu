// Each thread calls the function that its struct in shared memory points to; bytes are copied between types.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: none

typedef float (*Step)(float, float&);

__device__ float add(float x, float& total) { total += x; return total; }
__device__ float keep(float x, float& total)
{
    if (x > total)
        total = x;
    return total;
}

struct Stage {
    Step step;
    float total;
};

__constant__ Step steps[2] = {add, keep};

__global__ void staged(const float* in, float* out)
{
    __shared__ Stage stages[64];
    Stage& mine = stages[threadIdx.x];
    memset(&mine, 0, sizeof(mine));
    mine.step = steps[threadIdx.x & 1];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value;
    memcpy(&value, in + i, sizeof(float));
    mine.step(value, mine.total);
    out[i] = mine.step(1, mine.total);
}
