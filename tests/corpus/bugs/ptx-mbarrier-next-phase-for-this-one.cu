// One warp stores between its first arrival and its second, which belongs to the next phase: who waits for the first phase may see it.
// launch: grid=1 block=96 args: out=96
// finding: data-race 34 37

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__device__ void arrive(unsigned long long* barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(barrier)) : "memory");
}

__device__ void wait(unsigned long long* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(AT(barrier)), "r"(parity) : "memory");
    while (!done);
}

__global__ void phases(float* out)
{
    __shared__ unsigned long long barrier;
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 96;" :: "r"(AT(&barrier)) : "memory");
    __syncthreads();
    if (t < 32)
        s[t] = t;
    arrive(&barrier);
    if (t < 32) {
        wait(&barrier, 0);
        s[t] = t + 100;
    } else {
        wait(&barrier, 0);
        out[t] = s[t % 32];
    }
    arrive(&barrier);
    wait(&barrier, 1);
}
