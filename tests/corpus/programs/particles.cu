// Particles in a box: operators, enum class, static members, references in classes, range for over structured bindings.
#include <array>
#include <cassert>
#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

struct Vec {
    float x, y;
    __host__ __device__ Vec operator+(const Vec &o) const { return {x + o.x, y + o.y}; }
    __host__ __device__ Vec operator*(float s) const { return Vec{x * s, y * s}; }
    __host__ __device__ Vec &operator+=(const Vec &o) { x += o.x; y += o.y; return *this; }
    __host__ __device__ bool operator==(const Vec &o) const { return x == o.x && y == o.y; }
};
__host__ __device__ inline Vec operator*(float s, const Vec &v) { return v * s; }
__host__ __device__ inline Vec operator-(const Vec &v) { return {-v.x, -v.y}; }

enum class Wall : unsigned char { None, Left, Right, Floor = 10, Ceiling };

struct Particle {
    Vec at, speed;
    Wall hit = Wall::None;
};

template <int Steps, typename Force> __global__ void advance(Particle *p, int n, float dt, Force force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle q = p[i];
#pragma unroll
    for (int s = 0; s < Steps; ++s) {
        q.speed += dt * force(q.at);
        q.at += q.speed * dt;
        if (q.at.x < 0) { q.at.x = 0; q.speed.x = -q.speed.x; q.hit = Wall::Left; }
        else if (q.at.x > 1) { q.at.x = 1; q.speed.x = -q.speed.x; q.hit = Wall::Right; }
        else if (q.at.y < 0) { q.at.y = 0; q.speed = -q.speed; q.hit = Wall::Floor; }
    }
    p[i] = q;
}

struct Gravity {
    float g;
    __host__ __device__ Vec operator()(const Vec &) const { return {0.0f, -g}; }
};

class Simulation {
    static int made;
    static constexpr float step = 0.0625f;
    std::vector<Particle> &particles;
    const int block;

public:
    Simulation(std::vector<Particle> &p, int block) : particles(p), block(block) { ++made; }
    void run(const Gravity &force) {
        Particle *d;
        const size_t bytes = particles.size() * sizeof(Particle);
        cudaMalloc((void **)&d, bytes);
        cudaMemcpy(d, particles.data(), bytes, cudaMemcpyHostToDevice);
        const int n = static_cast<int>(particles.size());
        advance<8><<<(n + block - 1) / block, block>>>(d, n, step, force);
        cudaMemcpy(particles.data(), d, bytes, cudaMemcpyDeviceToHost);
        cudaFree(d);
    }
    static int count() { return made; }
};
int Simulation::made = 0;

const char *text(Wall w) {
    switch (w) {
    case Wall::None: return "none";
    case Wall::Left: return "left";
    case Wall::Right: return "right";
    case Wall::Floor: return "floor";
    default: return "?";
    }
}

std::tuple<float, float, int> summary(const std::vector<Particle> &all) {
    float x = 0, y = 0;
    int hits = 0;
    for (const auto &[at, speed, hit] : all) {
        x += at.x;
        y += at.y;
        hits += hit != Wall::None;
        (void)speed;
    }
    return {x / all.size(), y / all.size(), hits};
}

int main() {
    static_assert(sizeof(Vec) == 8, "a vector is two floats");
    std::vector<Particle> all;
    for (int i = 0; i < 20; ++i) all.push_back({{i / 32.0f, 0.25f}, {(i % 5 - 2) * 0.5f, (i % 3) * 0.25f}});
    Simulation first(all, 32);
    first.run(Gravity{1.0f});
    Simulation second(all, 8);
    second.run(Gravity{0.5f});
    assert(Simulation::count() == 2);
    for (int i = 0; i < 20; i += 3) printf("%2d %.4f %.4f %s %d\n", i, all[i].at.x, all[i].at.y, text(all[i].hit), (int)all[i].hit);
    auto [x, y, hits] = summary(all);
    printf("%.4f %.4f %d\n", x, y, hits);
    std::array<std::pair<Wall, int>, 3> counts = {{{Wall::Left, 0}, {Wall::Right, 0}, {Wall::Floor, 0}}};
    for (auto &[wall, count] : counts)
        for (const Particle &p : all) count += p.hit == wall;
    for (const auto &c : counts) printf("%s %d\n", text(c.first), c.second);
    printf("%d\n", (Vec{1, 2} + 2.0f * Vec{0.5f, 1}) == Vec{2, 4});
    return 0;
}
