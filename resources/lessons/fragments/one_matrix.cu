// One matrix of 8 x 8 elements of 16 bits: 8 rows of 16 bytes
// from shared memory, two elements for each of 32 lanes.

__global__ void one_matrix(
    const unsigned short* in, unsigned* out)
{
    __shared__ __align__(16) unsigned short tile[64];
    int lane = threadIdx.x;
    tile[lane] = in[lane];
    tile[lane + 32] = in[lane + 32];
    __syncwarp();

    unsigned x, row = (unsigned)__cvta_generic_to_shared(
        &tile[lane % 8 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 "
        "{%0}, [%1];" : "=r"(x) : "r"(row) : "memory");
    out[lane] = x;
}
