// Clusters of points: the device finds the nearest centre, the host moves the centres.
#include <cstdio>
#include <cstdlib>

#define POINTS 96
#define CENTRES 3

struct Point {
    int x, y;
};

__global__ void nearest(const Point *points, const Point *centres, int *chosen, int *moved) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= POINTS) return;
    int best = 0, least = 1 << 30;
    for (int c = 0; c < CENTRES; ++c) {
        int dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y, distance = dx * dx + dy * dy;
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    if (chosen[i] != best) atomicAdd(moved, 1);
    chosen[i] = best;
}

int main() {
    Point points[POINTS], centres[CENTRES] = {{0, 0}, {1, 0}, {0, 1}}, *dp, *dc;
    int chosen[POINTS], *dchosen, *dmoved, moved = 1, rounds = 0;
    srand(3);
    for (int i = 0; i < POINTS; ++i) points[i] = {100 * (i % 3) + rand() % 20, 50 * (i % 2) + rand() % 20};
    cudaMalloc(&dp, sizeof points);
    cudaMalloc(&dc, sizeof centres);
    cudaMalloc(&dchosen, sizeof chosen);
    cudaMalloc(&dmoved, sizeof moved);
    cudaMemcpy(dp, points, sizeof points, cudaMemcpyHostToDevice);
    cudaMemset(dchosen, 0xff, sizeof chosen);
    for (; moved && rounds < 20; ++rounds) {
        cudaMemset(dmoved, 0, sizeof moved);
        cudaMemcpy(dc, centres, sizeof centres, cudaMemcpyHostToDevice);
        nearest<<<POINTS / 32, 32>>>(dp, dc, dchosen, dmoved);
        cudaMemcpy(chosen, dchosen, sizeof chosen, cudaMemcpyDeviceToHost);
        cudaMemcpy(&moved, dmoved, sizeof moved, cudaMemcpyDeviceToHost);
        for (int c = 0; c < CENTRES; ++c) {
            int x = 0, y = 0, n = 0;
            for (int i = 0; i < POINTS; ++i)
                if (chosen[i] == c) {
                    x += points[i].x;
                    y += points[i].y;
                    ++n;
                }
            if (n) centres[c] = {x / n, y / n};
        }
    }
    printf("%d rounds\n", rounds);
    for (const Point &c : centres) printf("(%d, %d)\n", c.x, c.y);
    cudaFree(dp);
    cudaFree(dc);
    cudaFree(dchosen);
    cudaFree(dmoved);
}
