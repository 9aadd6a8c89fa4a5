// Bodies that attract each other: a vector class with its operators, tiles of float4, and the energy before and after.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3(float x = 0, float y = 0, float z = 0) : x(x), y(y), z(z) {}
    __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __host__ __device__ Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
    __host__ __device__ Vec3 operator-() const { return {-x, -y, -z}; }
    __host__ __device__ Vec3& operator+=(const Vec3& o) { x += o.x; y += o.y; z += o.z; return *this; }
    __host__ __device__ friend Vec3 operator*(float s, const Vec3& v) { return Vec3(s * v.x, s * v.y, s * v.z); }
    __host__ __device__ float operator[](int i) const { return (&x)[i]; }
    __host__ __device__ bool operator==(const Vec3& o) const { return x == o.x && y == o.y && z == o.z; }
};
__host__ __device__ inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Body { Vec3 p, v; float m; };

#define SOFT 0.01f
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("CUDA error %d at line %d: %s\n", (int)e, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

__global__ void forces(const Body* b, Vec3* a, int n)
{
    extern __shared__ float4 cache[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Vec3 me = i < n ? b[i].p : Vec3(), sum;
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        cache[threadIdx.x] = j < n ? make_float4(b[j].p.x, b[j].p.y, b[j].p.z, b[j].m) : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 o = cache[k];
            Vec3 d = Vec3(o.x, o.y, o.z) - me;
            float r2 = dot(d, d) + SOFT;
            float inv = 1.0f / sqrtf(r2);
            sum += (o.w * inv * inv * inv) * d;
        }
        __syncthreads();
    }
    if (i < n) a[i] = sum;
}
__global__ void move(Body* b, const Vec3* a, float dt, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        b[i].v += dt * a[i];
        b[i].p += dt * b[i].v;
    }
}
static double energy(const Body* b, int n)
{
    double e = 0;
    for (int i = 0; i < n; ++i) {
        e += 0.5 * b[i].m * dot(b[i].v, b[i].v);
        for (int j = 0; j < i; ++j) {
            Vec3 d = b[i].p - b[j].p;
            e -= (double)b[i].m * b[j].m / sqrt(dot(d, d) + SOFT);
        }
    }
    return e;
}
int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96, steps = argc > 2 ? atoi(argv[2]) : 10;
    if (n <= 0) { fprintf(stderr, "n?\n"); return 1; }
    srand(42);
    Body* h = new Body[n];
    for (int i = 0; i < n; ++i) {
        h[i].p = Vec3(rand() / (float)RAND_MAX, rand() / (float)RAND_MAX, rand() / (float)RAND_MAX) - Vec3(0.5f, 0.5f, 0.5f);
        h[i].m = 1.0f / n;
    }
    if (!(h[0].v == Vec3())) puts("not at rest");
    const double before = energy(h, n);
    Body* d; Vec3* a;
    CHECK(cudaMalloc(&d, n * sizeof(Body)));
    CHECK(cudaMalloc(&a, n * sizeof(Vec3)));
    CHECK(cudaMemcpy(d, h, n * sizeof(Body), cudaMemcpyHostToDevice));
    clock_t t = clock();
    const int threads = 32, blocks = (n + threads - 1) / threads;
    for (int s = 0; s < steps; ++s) {
        forces<<<blocks, threads, threads * sizeof(float4)>>>(d, a, n);
        move<<<2, threads>>>(d, a, 1e-3f, n);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    t = clock() - t;
    CHECK(cudaMemcpy(h, d, n * sizeof(Body), cudaMemcpyDeviceToHost));
    const double after = energy(h, n);
    printf("%d bodies, %d steps, %s\n", n, steps, t >= 0 ? "timed" : "no clock");
    printf("energy %.4f -> %.4f, drift %.1e\n", before, after, std::fabs((after - before) / before) < 1e-2 ? 0.0 : 1.0);
    Vec3 c;
    for (const Body* p = h; p != h + n; ++p) c += p->m * p->p;
    printf("centre %.3f %.3f %.3f\n", c[0], c[1], c[2]);
    CHECK(cudaFree(d));
    CHECK(cudaFree(a));
    delete[] h;
    return 0;
}
