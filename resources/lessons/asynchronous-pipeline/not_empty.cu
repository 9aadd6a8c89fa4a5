// A stage is filled again, whether it has been read or not.
// Warps 0 and 1 use what one thread of warp 2 asks for.

typedef unsigned long long u64;
#define IN_SHARED(p) (unsigned)__cvta_generic_to_shared(p)

__device__ void init(u64* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
        "fence.proxy.async.shared::cta;"
        :: "r"(IN_SHARED(barrier)), "r"(arrivals) : "memory");
}

__device__ void arrive(u64* barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
        :: "r"(IN_SHARED(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(u64* barrier, int parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 "
            "p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(IN_SHARED(barrier)), "r"(parity) : "memory");
    while (!done);
}

__device__ void copy(void* to, const void* from, u64* barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
        ".mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
        :: "r"(IN_SHARED(to)), "l"(from),
           "r"(IN_SHARED(barrier)) : "memory");
}

__global__ void ring(const float* in, float* out)
{
    __shared__ __align__(128) float stage[2][64];
    __shared__ u64 full[2], empty[2];
    int t = threadIdx.x;
    if (t < 2)
        init(&full[t], 1), init(&empty[t], 64);
    __syncthreads();

    if (t >= 64) {
        for (int s = 0; s < 5 && t == 64; ++s) {
            arrive(&full[s % 2], 256);
            copy(stage[s % 2], in + s * 64, &full[s % 2]);
        }
        return;
    }
    float sum = 0.0f;
    for (int s = 0; s < 5; ++s) {
        wait(&full[s % 2], s / 2 & 1);
        sum += stage[s % 2][63 - t];
        arrive(&empty[s % 2], 0);
    }
    out[t] = sum;
}
