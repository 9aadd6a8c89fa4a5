// One thread asks for 1024 bytes, says how many are to come, and all wait until they are there.
// launch: grid=1 block=256 args: in=256:arange out=256
// finding: none

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

__global__ void bulk(const float* in, float* out)
{
    __shared__ __align__(128) float kept[256];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    if (t == 0) {
        init(&barrier, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        expect(&barrier, 1024);
        copy(kept, in, 1024, &barrier);
    }
    wait(&barrier, 0);
    out[t] = kept[255 - t];
}
