// Words counted with a map, sorted by a comparator; their lengths squared on the device through a function pointer of the host's choice.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cuda_runtime.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

typedef int (*Combine)(int, int);
static int product(int a, int b) { return a * b; }
static int sum(int a, int b) { return a + b; }
struct Entry {
    std::string word;
    int count;
    bool operator<(const Entry& other) const { return count != other.count ? count > other.count : word < other.word; }
};

__global__ void weigh(const int* lengths, const int* counts, int* weights, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        weights[i] = lengths[i] * counts[i];
}

static int folded(const std::vector<int>& values, Combine combine, int start)
{
    for (std::vector<int>::const_iterator it = values.begin(); it != values.end(); ++it)
        start = combine(start, *it);
    return start;
}

int main()
{
    std::string text = "the cat and the dog and the bird saw the other cat, The end";
    std::map<std::string, int> counts;
    std::map<char, std::vector<std::string>> by_letter;
    std::istringstream in(text);
    std::string word;
    while (in >> word) {
        word.erase(std::remove_if(word.begin(), word.end(), [](unsigned char c) { return !std::isalpha(c); }), word.end());
        std::transform(word.begin(), word.end(), word.begin(), ::tolower);
        if (counts[word]++ == 0)
            by_letter[word[0]].push_back(word);
    }
    std::vector<Entry> entries;
    for (const auto& [name, count] : counts)
        entries.push_back({name, count});
    std::sort(entries.begin(), entries.end());
    std::vector<int> lengths, numbers;
    for (const Entry& each : entries) {
        lengths.push_back((int)each.word.size());
        numbers.push_back(each.count);
    }
    const int n = (int)entries.size();
    int *d_lengths, *d_counts, *d_weights;
    for (int** each : {&d_lengths, &d_counts, &d_weights})
        cudaMalloc(each, n * sizeof(int));
    cudaMemcpy(d_lengths, lengths.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_counts, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    weigh<<<1, 32>>>(d_lengths, d_counts, d_weights, n);
    std::vector<int> weights(n);
    cudaMemcpy(weights.data(), d_weights, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        printf("%-6s %2d %3d\n", entries[i].word.c_str(), entries[i].count, weights[i]);
    Combine table[] = {sum, product};
    const char* names[] = {"sum", "product"};
    for (int i = 0; i < 2; ++i)
        printf("%s %d\n", names[i], folded(numbers, table[i], i));
    for (auto it = by_letter.rbegin(); it != by_letter.rend(); ++it)
        printf("%c%zu ", it->first, it->second.size());
    printf("\n");
    auto most = std::max_element(weights.begin(), weights.end());
    printf("heaviest %s\n", entries[most - weights.begin()].word.c_str());
    for (int* each : {d_lengths, d_counts, d_weights})
        cudaFree(each);
    return 0;
}
