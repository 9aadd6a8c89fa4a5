// Updates of whole numbers in bulk by two blocks, each operation in a row of its own: sums, the least and the largest, bits, a counter.
// launch: grid=2 block=32 args: in=64:arange out=256:arange
// finding: none

#define UPDATE(how, row) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%0], [%1], 128;" \
    :: "l"(out + (row) * 32), "r"((unsigned)__cvta_generic_to_shared(kept)) : "memory")

__global__ void update(const unsigned* in, unsigned* out)
{
    __shared__ __align__(128) unsigned kept[32], most[32];
    int t = threadIdx.x;
    kept[31 - t] = in[blockIdx.x * 32 + t] * 2654435761u;
    most[t] = 64;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        UPDATE("add.u32", 0);
        UPDATE("min.u32", 1);
        UPDATE("max.u32", 2);
        UPDATE("min.s32", 3);
        UPDATE("and.b32", 4);
        UPDATE("or.b32", 5);
        UPDATE("xor.b32", 6);
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%0], [%1], 128;"
            :: "l"(out + 224), "r"((unsigned)__cvta_generic_to_shared(most)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
