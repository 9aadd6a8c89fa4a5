// The game of life on a torus: boards in a raw string, an enum class, std::optional, std::unique_ptr over device memory, main as a try block.
#include <cstdio>
#include <cstring>
#include <array>
#include <string>
#include <string_view>
#include <iostream>
#include <sstream>
#include <memory>
#include <stdexcept>
#include <optional>
#include <algorithm>
using namespace std;

namespace life {
enum class Cell : unsigned char { Dead = 0, Alive = 1 };
constexpr int W = 24, H = 12;
using Board = array<Cell, W * H>;

__device__ __host__ constexpr int wrap(int v, int n) { return (v % n + n) % n; }

__global__ void step(const Cell* in, Cell* out)
{
    __shared__ unsigned char tile[6][10];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 60; i += blockDim.x * blockDim.y) {
        int tx = i % 10, ty = i / 10;
        int gx = wrap(int(blockIdx.x * blockDim.x) + tx - 1, W), gy = wrap(int(blockIdx.y * blockDim.y) + ty - 1, H);
        tile[ty][tx] = static_cast<unsigned char>(in[gy * W + gx]);
    }
    __syncthreads();
    int n = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) n += tile[threadIdx.y + 1 + dy][threadIdx.x + 1 + dx];
    bool alive = tile[threadIdx.y + 1][threadIdx.x + 1];
    out[y * W + x] = (n == 3 || (alive && n == 2)) ? Cell::Alive : Cell::Dead;
}

ostream& operator<<(ostream& os, const Board& b)
{
    for (int y = 0; y < H; ++y) {
        for (int x = 0; x < W; ++x) os << (b[y * W + x] == Cell::Alive ? '#' : '.');
        os << '\n';
    }
    return os;
}

optional<Board> parse(string_view text)
{
    Board b;
    b.fill(Cell::Dead);
    size_t i = 0;
    for (char c : text) {
        if (c == '\n') continue;
        if (i >= b.size()) return nullopt;
        switch (c) {
            case '#': b[i++] = Cell::Alive; break;
            case '.': b[i++] = Cell::Dead; break;
            default: return {};
        }
    }
    return b;
}
}

static const char* glider = R"(.#......................
..#..................###
###.....................
........................
..........##............
..........##............
........................
....#...................
....#...................
....#...................
........................
........................
)";

struct Deleter { template <class T> void operator()(T* p) const { cudaFree(p); } };
template <class T> using device_ptr = unique_ptr<T, Deleter>;
template <class T> device_ptr<T> make_device(size_t n)
{
    T* p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw bad_alloc();
    return device_ptr<T>(p);
}

int main()
try {
    auto board = life::parse(glider);
    if (!board) throw runtime_error("board is not readable");
    if (life::parse("#?").has_value()) throw logic_error("wrong characters accepted");
    auto a = make_device<life::Cell>(board->size()), b = make_device<life::Cell>(board->size());
    cudaMemcpy(a.get(), board->data(), sizeof(life::Board), cudaMemcpyHostToDevice);
    cout << "generation 0\n" << *board;
    for (auto gen = 1; gen <= 12; ++gen) {
        life::step<<<dim3(life::W / 8, life::H / 4), dim3(8, 4)>>>(a.get(), b.get());
        swap(a, b);
        if (gen % 6 == 0) {
            cudaMemcpy(board->data(), a.get(), board->size(), cudaMemcpyDeviceToHost);
            ostringstream title;
            title << "generation " << gen << " alive " << count(board->begin(), board->end(), life::Cell::Alive);
            cout << title.str() << endl << board.value();
        }
    }
    return 0;
} catch (const exception& e) {
    cerr << "error: " << e.what() << endl;
    return 1;
}
