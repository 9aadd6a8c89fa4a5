// The wait leaves one group under way, whose operand is overwritten and whose sums are read.
// launch: grid=1 block=128 args: out=512
// finding: asynchronous-access 23
// finding: asynchronous-access 24

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__global__ void multiply(float* out)
{
    __shared__ __align__(1024) unsigned short a[64 * 16], b[8 * 16];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) a[i] = i % 7;
    b[t] = t % 5;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned long long da = AT(a) >> 4 | 8ull << 16 | 16ull << 32, db = AT(b) >> 4 | 8ull << 16 | 16ull << 32;
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    a[t] = 0;
    for (int i = 0; i < 4; ++i) out[i * 128 + t] = d[i];
}
