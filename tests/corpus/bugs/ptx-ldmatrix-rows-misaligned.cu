// Rows of 18 elements do not begin at multiples of 16 bytes, as ldmatrix needs them.
// launch: grid=1 block=32 args: a=256:zeros b=128:zeros out=128
// finding: misaligned-access 16

#define AT(p) (unsigned)__cvta_generic_to_shared(p)

__global__ void multiply(const unsigned short* a, const unsigned short* b, float* out)
{
    __shared__ __align__(16) unsigned short sa[16 * 18], sb[16 * 24];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) sa[i / 16 * 18 + i % 16] = a[i];
    for (int i = t; i < 128; i += 32) sb[i / 8 * 24 + i % 8] = b[i];
    __syncwarp();
    unsigned x[4], y[2];
    float d[4] = {};
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(AT(&sa[t % 16 * 18 + t / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(AT(&sb[t % 16 * 24])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; ++i) out[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}
