// Volatile words and fences: no lane waits for another all the same.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 10 12
// finding: data-race 12 14

__global__ void shift(const int* in, int* out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __threadfence_block();
    int v = s[t ^ 1];
    __threadfence_block();
    s[t] = v + 1;
    out[t] = s[t];
}
