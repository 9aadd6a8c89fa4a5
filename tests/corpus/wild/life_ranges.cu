// Game of life: neighbours in a table that is walked by range, rules in a lambda, the host in modern C++.
#include <array>
#include <bitset>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string_view>

using Cell = unsigned char;
struct Offset { int dx, dy; };

namespace {
constexpr int TILE = 16;
__constant__ const Offset NEIGHBOURS[8] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

__global__ void step(const Cell* __restrict__ now, Cell* __restrict__ next, int width, int height)
{
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    auto alive = [=](int column, int row) { return now[(row + height) % height * width + (column + width) % width] != 0; };
    auto rule = [](bool lives, int around) -> Cell { return around == 3 || (lives && around == 2); };
    int around = 0;
    for (const auto& [dx, dy] : NEIGHBOURS) around += alive(x + dx, y + dy);
    next[y * width + x] = rule(alive(x, y), around);
}

__global__ void population(const Cell* cells, int count, unsigned long long* total)
{
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) mine += cells[i];
    const int in_block = __syncthreads_count(mine & 1) + 2 * __syncthreads_count(mine >> 1 & 1) + 4 * __syncthreads_count(mine >> 2);
    if (threadIdx.x == 0) atomicAdd(total, static_cast<unsigned long long>(in_block));
}
}  // namespace

class World {
public:
    explicit World(int w, int h) : width_(w), height_(h), cells_(std::make_unique<Cell[]>(w * h)) {}
    [[nodiscard]] std::optional<std::string> save(std::string_view path) const noexcept;
    void run(int steps) { while (steps--) { step<<<grid(), block(), 0, stream_>>>(a_, b_, width_, height_); std::swap(a_, b_); } }

private:
    static dim3 block() { return {TILE, TILE}; }
    dim3 grid() const { return dim3((width_ + TILE - 1) / TILE, (height_ + TILE - 1) / TILE); }
    int width_, height_;
    std::unique_ptr<Cell[]> cells_;
    cudaStream_t stream_{};
    Cell *a_ = nullptr, *b_ = nullptr;
};

auto main() -> int
{
    std::mt19937 random{std::random_device{}()};
    if (auto world = World{640, 480}; world.save("life.pbm").has_value()) return 1;
    for (auto&& [name, value] : std::map<std::string, int>{{"a", 1}}) std::printf("%s %d\n", name.c_str(), value);
}
