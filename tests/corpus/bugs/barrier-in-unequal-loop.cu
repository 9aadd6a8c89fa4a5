// A barrier in a loop whose number of rounds depends on the thread.
// launch: grid=1 block=32 args: out=32
// finding: barrier-divergence 10

__global__ void rounds(int* out)
{
    int sum = 0;
    for (int k = 0; k < threadIdx.x; ++k) {
        sum += k;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
