// Smart pointers, tuples and arrays of the library.
#include <array>
#include <cstdio>
#include <memory>
#include <tuple>
#include <utility>

struct Layer {
    int width;
    explicit Layer(int w) : width(w) { printf("+%d ", width); }
    ~Layer() { printf("-%d ", width); }
};

std::unique_ptr<Layer> larger(std::unique_ptr<Layer> a, std::unique_ptr<Layer> b) {
    if (a->width > b->width) return a;
    return b;
}

std::tuple<int, float, char> three() { return std::make_tuple(1, 2.5f, 'c'); }

int main() {
    auto first = std::make_unique<Layer>(5);
    std::unique_ptr<Layer> second(new Layer(7));
    auto kept = larger(std::move(first), std::move(second));
    printf("kept %d %d\n", kept->width, first == nullptr);
    std::unique_ptr<float[]> numbers(new float[10]);
    for (int i = 0; i < 10; ++i) numbers[i] = i;
    auto shared = std::make_shared<Layer>(9);
    {
        auto other = shared;
        printf("%ld owners ", shared.use_count());
    }
    printf("%ld owner\n", shared.use_count());
    std::array<int, 4> a = {1, 2, 3, 4};
    int sum = 0;
    for (int x : a) sum += x;
    auto t = three();
    int n;
    float f;
    char c;
    std::tie(n, f, c) = t;
    std::pair<int, int> p = {3, 4};
    std::swap(p.first, p.second);
    printf("%d %zu %g %d %g %c %d %g\n", sum, a.size(), numbers[9], n, std::get<1>(t), c, p.first, f);
    kept.reset();
    shared = std::make_shared<Layer>(11);
    printf("end\n");
}
