// arguments: 24 20
// Heat in a plate: two buffers swapped, a reduction for the residual, a class with references, an image of characters.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define GPU(call) check((call), #call, __FILE__, __LINE__)
inline void check(cudaError_t error, const char *what, const char *, int line) {
    if (error == cudaSuccess) return;
    std::cerr << "line " << line << ": " << what << ": " << cudaGetErrorName(error) << std::endl;
    std::exit(1);
}

constexpr int TILE = 8;

template <int T> __global__ void relax(const float *in, float *out, float *change, int w, int h) {
    __shared__ float tile[T + 2][T + 2];
    __shared__ float most[T * T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    auto at = [=](int i, int j) { return in[min(max(j, 0), h - 1) * w + min(max(i, 0), w - 1)]; };
    tile[threadIdx.y + 1][threadIdx.x + 1] = at(x, y);
    if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = at(x - 1, y);
    if (threadIdx.x == T - 1) tile[threadIdx.y + 1][T + 1] = at(x + 1, y);
    if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = at(x, y - 1);
    if (threadIdx.y == T - 1) tile[T + 1][threadIdx.x + 1] = at(x, y + 1);
    __syncthreads();
    bool inner = x > 0 && y > 0 && x < w - 1 && y < h - 1;
    int t = threadIdx.y * T + threadIdx.x, i = threadIdx.x + 1, j = threadIdx.y + 1;
    float next = tile[j][i];
    if (inner) next = 0.25f * (tile[j - 1][i] + tile[j + 1][i] + tile[j][i - 1] + tile[j][i + 1]);
    if (x < w && y < h) out[y * w + x] = next;
    most[t] = x < w && y < h ? fabsf(next - tile[j][i]) : 0.0f;
    for (int s = T * T / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) most[t] = fmaxf(most[t], most[t + s]);
    }
    if (t == 0) change[blockIdx.y * gridDim.x + blockIdx.x] = most[0];
}

struct Size {
    int width, height;
    size_t cells() const { return size_t(width) * height; }
    dim3 grid() const { return dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE); }
};

class Plate {
    const Size &size;
    float *a = nullptr, *b = nullptr, *change = nullptr;

public:
    explicit Plate(const Size &s) : size{s} {
        GPU(cudaMalloc(&a, bytes()));
        GPU(cudaMalloc(&b, bytes()));
        GPU(cudaMalloc(&change, blocks() * sizeof(float)));
    }
    ~Plate() {
        for (auto p : {a, b, change}) cudaFree(p);
    }
    size_t bytes() const { return size.cells() * sizeof(float); }
    int blocks() const { return size.grid().x * size.grid().y; }
    void set(const std::vector<float> &v) { GPU(cudaMemcpy(a, v.data(), bytes(), cudaMemcpyHostToDevice)); }
    float step() {
        relax<TILE><<<size.grid(), dim3(TILE, TILE)>>>(a, b, change, size.width, size.height);
        GPU(cudaGetLastError());
        std::swap(a, b);
        std::vector<float> found(blocks());
        GPU(cudaMemcpy(found.data(), change, found.size() * sizeof(float), cudaMemcpyDeviceToHost));
        return *std::max_element(found.cbegin(), found.cend());
    }
    std::vector<float> get() const {
        std::vector<float> v(size.cells());
        GPU(cudaMemcpy(v.data(), a, bytes(), cudaMemcpyDeviceToHost));
        return v;
    }
};

int main(int argc, char *argv[]) {
    const Size size{argc > 1 ? std::atoi(argv[1]) : 16, argc > 2 ? std::stoi(argv[2]) : 16};
    std::vector<float> cells(size.cells(), 0.0f);
    for (int x = 0; x < size.width; ++x) cells[x] = 100.0f;
    Plate plate(size);
    plate.set(cells);
    int steps = 0;
    float change;
    do change = plate.step();
    while (++steps < 40 && change > 0.5f);
    std::cout << steps << " steps, change " << change << '\n';
    cells = plate.get();
    constexpr std::string_view shades = " .:-=+*#%@";
    for (int y = 0; y < size.height; y += 4) {
        std::string row;
        for (int x = 0; x < size.width; x += 2) row += shades[std::min<int>(int(cells[y * size.width + x] / 10.01f), shades.size() - 1)];
        std::cout << '|' << row << "|\n";
    }
    double sum = 0;
    for (auto v : cells) sum += v;
    std::cout << std::round(sum) << std::endl;
}
