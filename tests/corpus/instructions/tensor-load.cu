// A tile of 8 rows of 128 bytes of a matrix of 24 x 80 floats, by one instruction and a map of the matrix.
// launch: grid=1 block=32 args: map=24x80:arange:box=8x32:swizzle=0 out=256
// finding: none

#include <cuda.h>

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

__global__ void tile(const __grid_constant__ CUtensorMap map, float* out)
{
    __shared__ __align__(1024) float kept[8 * 32];
    __shared__ unsigned long long barrier;
    int t = threadIdx.x;
    if (t == 0) {
        init(&barrier, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(&barrier)), "r"(1024) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
            :: "r"(at(kept)), "l"(&map), "r"(32), "r"(8), "r"(at(&barrier)) : "memory");
    }
    wait(&barrier, 0);
    for (int i = t; i < 8 * 32; i += 32)
        out[i] = kept[i];
}
