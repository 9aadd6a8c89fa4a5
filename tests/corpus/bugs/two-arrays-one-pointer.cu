// A pointer that is one of two shared arrays, by lane: the store is to four
// threads' common place all the same.
// launch: grid=1 block=32 args: out=32
// finding: data-race 11 11

__global__ void scatter(int* out)
{
    __shared__ int a[8], b[8];
    int t = threadIdx.x;
    int* p = t % 2 ? a : b;
    p[t / 8] = t;
    __syncthreads();
    out[t] = t;
}
