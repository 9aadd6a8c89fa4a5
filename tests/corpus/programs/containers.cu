// Vectors, strings, pairs and maps, in each other, copied and moved.
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Run {
    std::string name;
    std::vector<float> times;
    int blocks;
};

Run measured(const char *name, int blocks) {
    Run run{name, {}, blocks};
    for (int i = 1; i <= 3; ++i) run.times.push_back(1.5f * i / blocks);
    return run;
}

float best(Run run) {
    run.name = "changed";
    float least = run.times[0];
    for (float t : run.times) least = t < least ? t : least;
    return least;
}

int main() {
    std::vector<Run> runs;
    runs.push_back(measured("naive", 1));
    runs.push_back(measured("tiled", 4));
    Run copy = runs[1];
    copy.times[0] = 100;
    for (const auto &run : runs) printf("%s %d %g\n", run.name.c_str(), run.blocks, best(run));
    std::vector<int> sizes{64, 32, 16};
    sizes.insert(sizes.begin(), 128);
    sizes.erase(sizes.begin() + 2);
    for (int size : sizes) printf("%d ", size);
    std::vector<std::vector<int>> table(3, std::vector<int>(2, 5));
    table[1][0] = 9;
    std::vector<std::pair<int, float>> pairs = {{1, 2.5f}, {3, 4.5f}};
    pairs.emplace_back(5, 6.5f);
    float total = 0;
    for (auto &[key, value] : pairs) total += key * value;
    printf("\n%d %d %g\n", table[1][0], table[2][1], total);
    std::map<std::string, int> counts;
    for (const char *word : {"row", "tile", "row", "bank", "row"}) counts[word]++;
    for (const auto &entry : counts) printf("%s=%d ", entry.first.c_str(), entry.second);
    std::unordered_map<int, int> rest;
    for (int i = 0; i < 20; ++i) rest[i % 3] += i;
    printf("\n%d %zu %d\n", rest[2], counts.size(), (int)counts.count("warp"));
    std::vector<float> moved = std::move(copy.times);
    printf("%zu %zu %g\n", moved.size(), copy.times.size(), moved.at(0));
}
