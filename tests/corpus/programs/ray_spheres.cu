// Rays against spheres: a vector class with operators on both sides, constant memory, an image as characters.
#include <cmath>
#include <cstdio>
#include <string>
#include "check.h"

#define HD __host__ __device__

struct Vec3 {
    float x, y, z;
    Vec3() = default;
    HD constexpr Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    HD Vec3 operator-() const { return {-x, -y, -z}; }
    HD Vec3& operator+=(const Vec3& o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    HD float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    HD friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    HD friend Vec3 operator-(const Vec3& a, const Vec3& b) { return a + -b; }
    HD friend Vec3 operator*(float s, const Vec3& v) { return Vec3(s * v.x, s * v.y, s * v.z); }
    HD friend float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    HD explicit operator bool() const { return x != 0 || y != 0 || z != 0; }
};

struct Sphere {
    Vec3 center;
    float radius;
    char mark;
    HD bool hit(const Vec3& from, const Vec3& to, float& at) const
    {
        Vec3 d = from - center;
        float b = dot(d, to), c = dot(d, d) - radius * radius, h = b * b - dot(to, to) * c;
        if (h < 0)
            return false;
        at = (-b - sqrtf(h)) / dot(to, to);
        return at > 0;
    }
};

constexpr int WIDTH = 32, HEIGHT = 12, COUNT = 3;
__constant__ Sphere spheres[COUNT];

HD char shade(const Sphere* all, int count, int px, int py)
{
    Vec3 eye(0, 0, -8), way(px - WIDTH / 2 + 0.5f, 2.0f * (py - HEIGHT / 2) + 1.0f, 16);
    float nearest = 1e30f;
    char mark = '.';
    for (int i = 0; i < count; ++i) {
        float at;
        if (all[i].hit(eye, way, at) && at < nearest) {
            nearest = at;
            mark = all[i].mark;
        }
    }
    return mark;
}

__global__ void render(char* image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < HEIGHT)
        image[y * WIDTH + x] = shade(spheres, COUNT, x, y);
}

int main()
{
    Sphere host[COUNT] = {{Vec3(-2, 0, 0), 2.25f, 'o'}, {{1.5f, 0.5f, 1}, 2.5f, '#'}, {Vec3{4, -2, 3}, 1.5f, '+'}};
    CHECK(cudaMemcpyToSymbol(spheres, host, sizeof(host)));
    char *device, image[WIDTH * HEIGHT];
    CHECK(cudaMalloc(&device, sizeof(image)));
    dim3 block(8, 4), grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
    render<<<grid, block>>>(device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(image, device, sizeof(image), cudaMemcpyDeviceToHost));
    int different = 0;
    for (int y = 0; y < HEIGHT; ++y) {
        std::string line(image + y * WIDTH, image + (y + 1) * WIDTH);
        puts(line.c_str());
        for (int x = 0; x < WIDTH; ++x)
            different += line[x] != shade(host, COUNT, x, y);
    }
    Vec3 v = 2.0f * Vec3(1, 2, 3) - Vec3(1, 1, 1);
    v[2] += 0.5f;
    printf("%d different, %g %g %g %d\n", different, v.x, v.y, v.z, static_cast<bool>(Vec3()));
    CHECK(cudaFree(device));
    return 0;
}
