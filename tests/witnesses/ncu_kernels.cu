// Kernels whose machine code has exactly the accesses of the text: nothing in them can be merged, reused or removed by the compiler,
// because shared arrays are volatile, strides are arguments, and every value loaded ends in an output. What Nsight Compute counts for them
// must then be what an execution of the text counts.
//
// A short `if` becomes instructions with a predicate, which the profiler counts as executed even where no lane of a warp takes part. Where
// whole warps stay away, a loop of `times` rounds (one, but the compiler does not know) makes it a branch.

extern "C" __global__ void copy(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void copy_shifted(const float* in, float* out, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + shift];
}

extern "C" __global__ void copy_strided(const float* in, float* out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i * stride] = in[i * stride];
}

extern "C" __global__ void copy_float2(const float2* in, float2* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void copy_float4(const float4* in, float4* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void copy_bytes(const unsigned char* in, unsigned char* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void copy_doubles(const double* in, double* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void gather(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]];
}

extern "C" __global__ void scatter(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i];
}

// Every other thread, and of the last warps none: a warp of which no thread takes part makes no request.
extern "C" __global__ void copy_sparse(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i & 1) && i < n)
        out[i] = in[i];
}

extern "C" __global__ void transpose_by_columns(const float* in, float* out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows && x < columns)
        out[x * rows + y] = in[y * columns + x];
}

extern "C" __global__ void matmul_uncoalesced(const float* A, const float* B, float* C, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < n; ++k)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

extern "C" __global__ void shared_stride(float* out, int stride)
{
    volatile __shared__ float s[4096];
    int t = threadIdx.x;
    s[t * stride] = t;
    __syncthreads();
    out[t] = s[(blockDim.x - 1 - t) * stride];
}

extern "C" __global__ void shared_broadcast(float* out, int group)
{
    volatile __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = s[t / group];
}

// Vectors cannot be read through volatile; the barrier keeps the compiler from passing them on in registers.
extern "C" __global__ void shared_float2(float2* out, int stride, int group)
{
    __shared__ float2 s[2048];
    int t = threadIdx.x;
    s[t * stride] = make_float2(t, -t);
    __syncthreads();
    out[t] = s[t / group * stride];
}

extern "C" __global__ void shared_float4(float4* out, int stride, int group)
{
    __shared__ float4 s[2048];
    int t = threadIdx.x;
    s[t * stride] = make_float4(t, -t, 2 * t, 3 * t);
    __syncthreads();
    out[t] = s[t / group * stride];
}

extern "C" __global__ void shared_bytes(unsigned char* out, int stride)
{
    volatile __shared__ unsigned char s[8192];
    int t = threadIdx.x;
    s[t * stride] = t;
    __syncthreads();
    out[t] = s[(blockDim.x - 1 - t) * stride];
}

extern "C" __global__ void shared_divergent(float* out)
{
    volatile __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t % 3 == 0)
        out[t] = s[t * 8 % 128];
    else if (t < 100)
        out[t] = s[t] + s[127 - t];
}

extern "C" __global__ void transpose_unpadded(const float* in, float* out, int n)
{
    volatile __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}

extern "C" __global__ void transpose_with_padding(const float* in, float* out, int n)
{
    volatile __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}

extern "C" __global__ void transpose_swizzled(const float* in, float* out, int n)
{
    volatile __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x ^ y] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][x ^ y];
}

extern "C" __global__ void matmul_tiles(const float* A, const float* B, float* C, int n)
{
    volatile __shared__ float As[16][16];
    volatile __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 16) {
        As[ty][tx] = row < n && k0 + tx < n ? A[row * n + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < n && col < n ? B[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}

extern "C" __global__ void reduce_interleaved(const float* in, float* out, int times)
{
    volatile __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int i = 2 * stride * t;
        if (i < blockDim.x)
#pragma unroll 1
            for (int j = 0; j < times; ++j)
                s[i] = s[i] + s[i + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduce_sequential(const float* in, float* out, int times)
{
    volatile __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
#pragma unroll 1
            for (int j = 0; j < times; ++j)
                s[t] = s[t] + s[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

extern "C" __global__ void scan(const float* in, float* out, int times)
{
    volatile __shared__ float s[2][128];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        float value = s[now][t];
        if (t >= distance)
#pragma unroll 1
            for (int j = 0; j < times; ++j)
                value += s[now][t - distance];
        s[1 - now][t] = value;
        now = 1 - now;
        __syncthreads();
    }
    out[t] = s[now][blockDim.x - 1 - t];
}

extern "C" __global__ void stencil(const float* in, float* out, int n)
{
    volatile __shared__ float s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        s[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 127)
        s[129] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = 0.25f * s[t] + 0.5f * s[t + 1] + 0.25f * s[t + 2];
}

extern "C" __global__ void bitonic_sort(int* data, int times)
{
    volatile __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int size = 2; size <= 256; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = t ^ stride;
            if (other > t)
#pragma unroll 1
                for (int j = 0; j < times; ++j) {
                    int a = s[t], b = s[other];
                    bool ascending = (t & size) == 0;
                    s[t] = (a > b) == ascending ? b : a;
                    s[other] = (a > b) == ascending ? a : b;
                }
            __syncthreads();
        }
    data[t] = s[t];
}

extern "C" __global__ void histogram(const int* data, int* bins, int n, int weight)
{
    __shared__ int local[64];
    int t = threadIdx.x;
#pragma unroll 1
    for (int b = t; b < 64; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        atomicAdd(&local[data[i]], weight);
    __syncthreads();
    if (t < 64)
        atomicAdd(&bins[t], local[t]);
}

extern "C" __global__ void shared_atomic_add(int* out, int stride, int group, int weight)
{
    __shared__ int s[4096];
    int t = threadIdx.x;
    s[t * stride] = 0;
    __syncthreads();
    atomicAdd(&s[t / group * stride], weight);
    __syncthreads();
    out[t] = s[t * stride];
}

// A constant 1 is counted by another instruction.
extern "C" __global__ void shared_atomic_count(int* out, int stride, int group)
{
    __shared__ int s[4096];
    int t = threadIdx.x;
    s[t * stride] = 0;
    __syncthreads();
    atomicAdd(&s[t / group * stride], 1);
    __syncthreads();
    out[t] = s[t * stride];
}

extern "C" __global__ void shared_atomic_max(int* out, int stride, int group)
{
    __shared__ int s[4096];
    int t = threadIdx.x;
    s[t * stride] = 0;
    __syncthreads();
    atomicMax(&s[t / group * stride], t);
    __syncthreads();
    out[t] = s[t * stride];
}

// Two operands a lane.
extern "C" __global__ void shared_atomic_swap(int* out, int stride, int group, int weight)
{
    __shared__ int s[4096];
    int t = threadIdx.x;
    s[t * stride] = 0;
    __syncthreads();
    atomicCAS(&s[t / group * stride], 0, weight);
    __syncthreads();
    out[t] = s[t * stride];
}

extern "C" __global__ void shared_atomic_long(unsigned long long* out, int stride, int group, int weight)
{
    __shared__ unsigned long long s[4096];
    int t = threadIdx.x;
    s[t * stride] = 0;
    __syncthreads();
    atomicExch(&s[t / group * stride], (unsigned long long)weight);
    __syncthreads();
    out[t] = s[t * stride];
}
