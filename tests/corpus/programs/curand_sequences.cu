// The first numbers of the device's generators, by seed, sequence and offset: what the library gives, any other witness must give.
#include <cstdio>
#include <curand_kernel.h>

__global__ void xorwow(unsigned* out) {
    const unsigned long long sequences[8] = {0, 1, 2, 3, 1000, 4294967296ull, 0x123456789abcdefull, ~0ull};
    const unsigned long long offsets[4] = {0, 1, 65537, 0x8000000000000001ull};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(i < 16 ? 1234ull : 0xdeadbeef12345678ull, sequences[i % 8], offsets[i / 8 % 4], &state);
    out[2 * i] = curand(&state);
    skipahead(3, &state);
    out[2 * i + 1] = curand(&state);
}

__global__ void philox(unsigned* out) {
    int i = threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(i < 16 ? 1234ull : 0xdeadbeef12345678ull, i % 8 == 7 ? ~0ull : i % 8, i % 5 == 4 ? 0x8000000000000003ull : i % 5, &state);
    out[2 * i] = curand(&state);
    uint4 four = curand4(&state);
    out[2 * i + 1] = four.x ^ four.y ^ four.z ^ four.w ^ curand(&state);
}

template <class State> __global__ void drawn(float* uniform, double* wide, float* normal) {
    int i = threadIdx.x;
    State state;
    curand_init(42, i, 0, &state);
    uniform[i] = curand_uniform(&state);
    wide[2 * i] = curand_uniform_double(&state);
    normal[2 * i] = curand_normal(&state);
    normal[2 * i + 1] = curand_normal(&state);
    wide[2 * i + 1] = curand_normal_double(&state);
    uniform[i] += curand_uniform(&state);
}

template <class State> void draw() {
    float *uniform, *normal, u[4], n[8];
    double *wide, w[8];
    cudaMalloc(&uniform, sizeof(u));
    cudaMalloc(&normal, sizeof(n));
    cudaMalloc(&wide, sizeof(w));
    drawn<State><<<1, 4>>>(uniform, wide, normal);
    cudaMemcpy(u, uniform, sizeof(u), cudaMemcpyDeviceToHost);
    cudaMemcpy(n, normal, sizeof(n), cudaMemcpyDeviceToHost);
    cudaMemcpy(w, wide, sizeof(w), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; ++i)
        printf("%.9g %.17g %.3f %.3f %.10f\n", u[i], w[2 * i], n[2 * i], n[2 * i + 1], w[2 * i + 1]);
    cudaFree(uniform);
    cudaFree(normal);
    cudaFree(wide);
}

int main() {
    unsigned *d, h[64];
    cudaMalloc(&d, sizeof(h));
    for (int which = 0; which < 2; ++which) {
        if (which == 0) xorwow<<<2, 16>>>(d);
        else philox<<<1, 32>>>(d);
        cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
        for (int i = 0; i < 64; ++i) printf("%u%c", h[i], i % 8 == 7 ? '\n' : ' ');
    }
    draw<curandState>();
    draw<curandStatePhilox4_32_10_t>();
    printf("%d %d\n", (int)sizeof(curandState), (int)sizeof(curandStatePhilox4_32_10_t));
    cudaFree(d);
}
