// A wave on a string: three time levels in one allocation, boundary by function pointer, CSV as output, doubles with printf's formats.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 65
#define LEVELS 3
#define PI 3.14159265358979323846

typedef double (*Boundary)(double t);
static double fixed_end(double t) { (void)t; return 0.0; }
static double moving_end(double t) { return t < 0.25 ? 0.5 * t : 0.125; }

__global__ void advance(double* levels, int now, double c2, double left, double right)
{
    int i = threadIdx.x;
    const double* before = levels + ((now + LEVELS - 1) % LEVELS) * N;
    const double* at = levels + now * N;
    double* after = levels + ((now + 1) % LEVELS) * N;
    if (i == 0)
        after[i] = left;
    else if (i == N - 1)
        after[i] = right;
    else if (i < N)
        after[i] = 2.0 * at[i] - before[i] + c2 * (at[i - 1] - 2.0 * at[i] + at[i + 1]);
}

static void simulate(const char* title, Boundary left, Boundary right)
{
    double u[LEVELS][N] = {{0}}, *d;
    for (int i = 0; i < N; i++) {
        double x = (double)i / (N - 1), s = x * (1.0 - x);
        u[0][i] = u[1][i] = 4.0 * s;
    }
    cudaMalloc((void**)&d, sizeof u);
    cudaMemcpy(d, u, sizeof u, cudaMemcpyHostToDevice);
    const double dt = 1.0 / 128;
    int now = 1;
    printf("%s\nt;u(1/4);u(1/2);energy\n", title);
    for (int32_t step = 1; step <= 128; step++) {
        advance<<<1, 96>>>(d, now, 0.25, left(step * dt), right(step * dt));
        now = (now + 1) % LEVELS;
        if (step % 32)
            continue;
        cudaMemcpy(u[now], d + now * N, sizeof u[now], cudaMemcpyDeviceToHost);
        double energy = 0.0;
        for (int i = 1; i < N; i++) {
            double slope = (u[now][i] - u[now][i - 1]) * (N - 1);
            energy += 0.5 * slope * slope / (N - 1);
        }
        printf("%.3f;%+.5e;%9.6f;%G\n", step * dt, u[now][N / 4], u[now][N / 2], floor(energy * 1e6) / 1e6);
    }
    cudaFree(d);
}

int main(void)
{
    struct { const char* title; Boundary left, right; } runs[] = {{"fixed", fixed_end, fixed_end}, {"moved", moving_end, fixed_end}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        simulate(runs[r].title, runs[r].left, runs[r].right);
    return EXIT_SUCCESS;
}
