// Floats as sortable keys and one digit of a radix sort: bits copied with memcpy, settings by name, reports by printf.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>

struct alignas(16) Pass {
    int shift;
    int bits;
    bool report;
};

enum Order { ASCENDING, DESCENDING };
static const char* const NAMES[] = {"ascending", "descending"};
static __device__ __host__ inline unsigned key_of(float value, Order order = ASCENDING)
{
    unsigned bits;
    std::memcpy(&bits, &value, sizeof(bits));
    const unsigned mask = -int(bits >> 31) | 0x80000000u;
    return order == ASCENDING ? bits ^ mask : ~(bits ^ mask);
}

template <Order ORDER> __global__ void keys(const float* values, unsigned* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = key_of(values[i], ORDER);
}

__global__ void digits(const unsigned* in, unsigned* counts, int n, int shift)
{
    constexpr Pass pass{.shift = 0, .bits = 4, .report = false};
    __shared__ unsigned local[1 << pass.bits];
    if (threadIdx.x == 0) memset(local, 0, sizeof(local));
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.x >= (1 << pass.bits) && "a thread a digit");
    if (i < n) atomicAdd(&local[in[i] >> (shift + pass.shift) & ((1 << pass.bits) - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < 1 << pass.bits) atomicAdd(counts + threadIdx.x, local[threadIdx.x]);
    const char* state = n > 0 ? "counted" : "empty";
    if (i == 0) printf("%s: %d keys %s\n", __func__, n, state);
}

int main()
{
    std::vector<float> host(1 << 16);
    std::generate(host.begin(), host.end(), [g = std::mt19937{1}]() mutable { return float(g()); });
    keys<DESCENDING><<<64, 256>>>(device, sorted, 1 << 16);
    for (int shift = 0; shift < 32; shift += 4) digits<<<256, 256>>>(sorted, counts, 1 << 16, shift);
    std::puts(NAMES[DESCENDING]);
}
