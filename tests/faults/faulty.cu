extern "C" __global__ void illegal(const float* A, const float* B, float* C, int M, int N, int K)
{
    C[(1ll << 40) + threadIdx.x] = 1.0f;
}
extern "C" __global__ void misaligned(const float* A, const float* B, float* C, int M, int N, int K)
{
    *(float4*)(C + 1) = make_float4(1, 2, 3, 4);
}
extern "C" __global__ void traps(const float* A, const float* B, float* C, int M, int N, int K)
{
    __trap();
}
// About 40 s, and then an end.
extern "C" __global__ void hangs(const float* A, const float* B, float* C, int M, int N, int K)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do { asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); } while (now - begin < 40000000000ull);
    C[threadIdx.x] = (float)now;
}
extern "C" __global__ void registers(const float* A, const float* B, float* C, int M, int N, int K)
{
    float kept[160];
#pragma unroll
    for (int i = 0; i < 160; i++) kept[i] = A[(threadIdx.x * 7 + i) % (M * K)];
    for (int k = 0; k < K; k++)
#pragma unroll
        for (int i = 0; i < 160; i++) kept[i] = kept[i] * kept[(i + 37) % 160] + B[k];
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 160; i++) sum += kept[i];
    C[threadIdx.x] = sum;
}
extern "C" __global__ void shared(const float* A, const float* B, float* C, int M, int N, int K)
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1.0f;
    C[threadIdx.x] = tile[threadIdx.x];
}
