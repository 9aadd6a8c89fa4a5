// Conjugate gradients on a Laplacian: rows by threads and by warps, sums in managed memory, a lambda for the inner product.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <algorithm>
#include <cmath>
struct Coo { int r, c; double v; bool operator<(const Coo& o) const { return r != o.r ? r < o.r : c < o.c; } };
struct Csr { int rows = 0, cols = 0; std::vector<int> ptr, idx; std::vector<double> val; };
Csr to_csr(std::vector<Coo> e, int rows, int cols) {
    std::sort(e.begin(), e.end());
    Csr m; m.rows = rows; m.cols = cols; m.ptr.assign(rows + 1, 0);
    for (const Coo& x : e) { m.ptr[x.r + 1]++; m.idx.push_back(x.c); m.val.push_back(x.v); }
    for (int i = 0; i < rows; ++i) m.ptr[i + 1] += m.ptr[i];
    return m;
}
__global__ void spmv_scalar(int rows, const int* ptr, const int* idx, const double* val, const double* x, double* y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) { double s = 0; for (int j = ptr[r]; j < ptr[r + 1]; ++j) s += val[j] * x[idx[j]]; y[r] = s; }
}
__global__ void spmv_vector(int rows, const int* __restrict__ ptr, const int* __restrict__ idx, const double* __restrict__ val, const double* __restrict__ x, double* y) {
    int lane = threadIdx.x & 31, r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    double s = 0;
    if (r < rows) for (int j = ptr[r] + lane; j < ptr[r + 1]; j += 32) s += __ldg(&val[j]) * x[idx[j]];
    for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffff, s, o);
    if (lane == 0 && r < rows) y[r] = s;
}
__global__ void axpby(int n, double a, const double* x, double b, double* y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + b * y[i]; }
__global__ void dotk(int n, const double* a, const double* b, double* out) {
    __shared__ double s[128];
    double t = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) t += a[i] * b[i];
    s[threadIdx.x] = t;
    __syncthreads();
    for (unsigned o = blockDim.x >> 1; o > 0; o >>= 1) { if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o]; __syncthreads(); }
    if (threadIdx.x == 0) *out = s[0];
}
int main(int argc, char** argv) {
    const int side = argc > 1 ? atoi(argv[1]) : 8, n = side * side;
    std::vector<Coo> entries;
    auto id = [side](int x, int y) { return y * side + x; };
    for (int y = 0; y < side; ++y) for (int x = 0; x < side; ++x) {
        entries.push_back({id(x, y), id(x, y), 4.0});
        const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
        for (int k = 0; k < 4; ++k) { int X = x + dx[k], Y = y + dy[k]; if (X >= 0 && X < side && Y >= 0 && Y < side) entries.push_back({id(x, y), id(X, Y), -1.0}); }
    }
    Csr m = to_csr(entries, n, n);
    std::cout << n << " unknowns, " << m.val.size() << " entries, " << 100.0 * m.val.size() / n / n << " % filled\n";
    int *ptr, *idx; double *val, *x, *r, *p, *q, *s;
    cudaMalloc(&ptr, m.ptr.size() * sizeof(int)); cudaMalloc(&idx, m.idx.size() * sizeof(int)); cudaMalloc(&val, m.val.size() * sizeof(double));
    for (double** v : {&x, &r, &p, &q}) cudaMalloc(v, n * sizeof(double));
    cudaMallocManaged(&s, sizeof(double));
    cudaMemcpy(ptr, m.ptr.data(), m.ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(idx, m.idx.data(), m.idx.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(val, m.val.data(), m.val.size() * sizeof(double), cudaMemcpyHostToDevice);
    std::vector<double> b(n, 1.0), h(n);
    cudaMemset(x, 0, n * sizeof(double));
    cudaMemcpy(r, b.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(p, r, n * sizeof(double), cudaMemcpyDeviceToDevice);
    auto dot = [&](const double* u, const double* v) { dotk<<<1, 128>>>(n, u, v, s); cudaDeviceSynchronize(); return *s; };
    const int T = 64, B = (n + T - 1) / T;
    double rho = dot(r, r);
    int it = 0;
    for (; it < 100 && std::sqrt(rho) > 1e-10; ++it) {
        if (it % 2) spmv_scalar<<<B, T>>>(n, ptr, idx, val, p, q);
        else spmv_vector<<<(n * 32 + 127) / 128, 128>>>(n, ptr, idx, val, p, q);
        double a = rho / dot(p, q);
        axpby<<<B, T>>>(n, a, p, 1.0, x);
        axpby<<<B, T>>>(n, -a, q, 1.0, r);
        double next = dot(r, r);
        axpby<<<B, T>>>(n, 1.0, r, next / rho, p);
        rho = next;
    }
    cudaMemcpy(h.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost);
    printf("%s after %d iterations\n", std::sqrt(rho) <= 1e-10 ? "converged" : "stopped", it);
    printf("middle %.6f, corner %.6f, largest %.6f\n", h[id(side / 2, side / 2)], h.front(), *std::max_element(h.begin(), h.end()));
    std::stringstream ss("1 2 3.5 x");
    int i1, i2; double d3; std::string w;
    ss >> i1 >> i2 >> d3 >> w;
    std::cout << i1 + i2 << ' ' << d3 << ' ' << w << (ss.eof() ? " end" : " more") << std::endl;
    for (void* v : std::vector<void*>{ptr, idx, val, x, r, p, q, s}) cudaFree(v);
    return 0;
}
