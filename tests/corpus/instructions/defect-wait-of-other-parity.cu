// The consumers wait for the other parity: the phase before the first counts as ended, so they wait for nothing, and later for a phase that does not end.
// launch: grid=1 block=96 args: in=320:arange out=64 budget: 1
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

__device__ void expect(unsigned long long* barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(barrier)), "r"(bytes) : "memory");
}

__device__ void copy(void* to, const void* from, int bytes, unsigned long long* barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(barrier)) : "memory");
}

__global__ void ring(const float* in, float* out)
{
    __shared__ __align__(128) float stage[2][64];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x;
    if (t < 2) {
        init(&full[t], 1);
        init(&empty[t], 64);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    float sum = 0.0f;
    if (t >= 64) {
        for (int s = 0; s < 5 && t == 64; ++s) {
            wait(&empty[s % 2], s / 2 & 1 ^ 1);
            expect(&full[s % 2], 256);
            copy(stage[s % 2], in + s * 64, 256, &full[s % 2]);
        }
        return;
    }
    for (int s = 0; s < 5; ++s) {
        wait(&full[s % 2], s / 2 & 1 ^ 1);
        sum += stage[s % 2][63 - t] * (s + 1);
        arrive(&empty[s % 2]);
    }
    out[t] = sum;
}
