// Rows whose length is known when the program runs: on the stack, in loops, in a recursion, and handed on.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void rows(const int* in, int* out, int n)
{
    int i = threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

static int fill(int* to, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += to[i] = i + 1;
    return sum;
}

static int depth(int n)
{
    int row[n + 1];
    row[n] = n;
    return n ? depth(n - 1) + row[n] : 0;
}

static double norm(int n, const float* v)
{
    double squares[n];
    double s = 0;
    for (int i = 0; i < n; ++i) squares[i] = double(v[i]) * v[i];
    for (int i = 0; i < n; ++i) s += squares[i];
    return s;
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    int host[n], back[n];
    printf("%d %zu\n", fill(host, n), sizeof host / sizeof host[0]);
    int *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof back);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    rows<<<1, 32>>>(in, out, n);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) printf("%d ", back[i]);
    printf("\n");
    long total = 0;
    for (int k = 1; k < 2000; ++k) {
        char line[k * 1000];
        memset(line, 1, sizeof line);
        for (int i = 0; i < 3; ++i) total += line[i * (k - 1)];
        if (k % 7 == 0) continue;
        if (k == 1990) break;
        total += sizeof line;
    }
    printf("%ld\n", total);
    printf("%d\n", depth(50));
    float v[n];
    for (int i = 0; i < n; ++i) v[i] = 0.5f * i;
    printf("%.3f\n", norm(n, v));
    int cube[2][n][3];
    int count = 0;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < n; ++b)
            for (int c = 0; c < 3; ++c) cube[a][b][c] = count++;
    int (*plane)[3] = cube[1];
    int* flat = &cube[0][0][0];
    printf("%d %d %d %zu %zu\n", cube[1][n - 1][2], plane[2][1], flat[3 * n + 4], sizeof cube, sizeof cube[0]);
    struct Point { float x, y; } points[n];
    for (int i = 0; i < n; ++i) points[i] = {float(i), float(-i)};
    Point* last = points + n - 1;
    printf("%g %g %ld\n", last->x, points[n - 2].y, long(last - points));
    const char* words[n];
    for (int i = 0; i < n; ++i) words[i] = i % 2 ? "odd" : "even";
    printf("%s %s\n", words[0], words[1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
