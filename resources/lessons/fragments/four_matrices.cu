// Four matrices of 8 x 8 at once, those of a tile of 16 x 16:
// lane i says where row i % 8 of matrix i / 8 is.

__global__ void four_matrices(
    const unsigned short* in, unsigned* out)
{
    __shared__ __align__(16) unsigned short tile[16 * 24];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        tile[i / 16 * 24 + i % 16] = in[i];
    __syncwarp();

    unsigned x[4], row = (unsigned)__cvta_generic_to_shared(
        &tile[lane % 16 * 24 + lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
        "{%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"(row) : "memory");
    for (int i = 0; i < 4; ++i)
        out[i * 32 + lane] = x[i];
}
