// Nobody looks at the full barrier: what is read has not come yet.
// launch: grid=1 block=96 args: in=448:arange out=64 steps=2
// finding: uninitialised-read 49
// finding: data-race 27 49

#define AT(p) (unsigned)__cvta_generic_to_shared(p)
typedef unsigned long long u64;
__device__ void init(u64* b, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n fence.proxy.async.shared::cta;" :: "r"(AT(b)), "r"(arrivals) : "memory");
}
__device__ void arrive(u64* b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(b)) : "memory"); }
__device__ void expect(u64* b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(AT(b)), "r"(bytes) : "memory");
}
__device__ void wait(u64* b, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(AT(b)), "r"(parity) : "memory");
    while (!done);
}
__device__ void copy(void* to, const void* from, int bytes, u64* b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"(AT(to)), "l"(from), "r"(bytes), "r"(AT(b)) : "memory");
}

__global__ void sum(const float* in, float* out, int steps)
{
    __shared__ __align__(128) float stage[2][64];
    __shared__ u64 full[2], empty[2];
    int t = threadIdx.x;
    for (int s = 0; s < 2 && t == 0; ++s) init(&full[s], 1), init(&empty[s], 64);
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < steps && t == 64; ++i) {
            wait(&empty[i % 2], i / 2 & 1 ^ 1);
            expect(&full[i % 2], 256);
            copy(stage[i % 2], in + 64 * i, 256, &full[i % 2]);
        }
        return;
    }
    float total = 0;
    for (int i = 0; i < steps; ++i) {
        
        total += stage[i % 2][t];
        arrive(&empty[i % 2]);
    }
    out[t] = total;
}
