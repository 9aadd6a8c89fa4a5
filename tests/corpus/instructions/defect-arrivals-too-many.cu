// The barrier waits for 64 arrivals, but one warp arrives.
// launch: grid=1 block=64 args: in=64:arange out=64 budget: 1
// finding: deadlock 23

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void init(unsigned long long* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(barrier)), "r"(arrivals) : "memory");
}

__device__ void arrive(unsigned long long* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(barrier)) : "memory");
}

__device__ void wait(unsigned long long* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(at(barrier)), "r"(parity) : "memory");
    while (!done);
}

__global__ void half(const float* in, float* out)
{
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, 64);
    __syncthreads();
    if (t < 32)
        arrive(&barrier);
    wait(&barrier, 0);
    out[t] = in[t];
}
