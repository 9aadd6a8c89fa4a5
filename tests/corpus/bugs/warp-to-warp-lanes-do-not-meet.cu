// The leader sets the flag while other lanes may still be writing.
// launch: grid=1 block=64 args: out=32
// finding: data-race 14 22

__global__ void pass(int* out)
{
    __shared__ int data[32];
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t < 32) {
        data[t] = t;
        __threadfence_block();
        if (t == 0)
            atomicExch(&flag, 1);
    } else {
        if (t == 32)
            while (atomicAdd(&flag, 0) == 0) {}
        __syncwarp();
        out[t - 32] = data[t - 32];
    }
}
