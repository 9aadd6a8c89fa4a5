// A relaxed arrival at the cluster's barrier orders no global memory either.
// launch: grid=2 block=64 args: held=128:zeros out=128
// finding: data-race 8 10

__global__ __cluster_dims__(2, 1, 1) void pass(int* held, int* out)
{
    int t = threadIdx.x, other = blockIdx.x ^ 1;
    held[blockIdx.x * 64 + t] = t + 1;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    out[blockIdx.x * 64 + t] = held[other * 64 + t];
}
