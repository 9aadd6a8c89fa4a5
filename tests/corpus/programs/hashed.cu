// Words counted by hash tables, in the order in which the library keeps them; the counts squared on the device.
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include <cuda_runtime.h>

__global__ void square(int *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] *= p[i];
}

int main() {
    std::unordered_map<int, int> histogram;
    for (int i = 0; i < 40; ++i) histogram[(i * 37 + 11) % 23]++;
    std::cout << "histogram " << histogram.size() << ":";
    for (const auto &entry : histogram) std::cout << ' ' << entry.first << '=' << entry.second;
    std::cout << std::endl;

    std::unordered_set<int> seen = {100, 3, 58, 21, 77, 3, 1000, 42};
    for (int x : seen) std::cout << x << ' ';
    std::cout << "| " << seen.count(58) << seen.count(59) << '\n';
    seen.erase(21);
    seen.insert(5);
    for (auto it = seen.begin(); it != seen.end(); ++it) std::cout << *it << ' ';
    std::cout << '\n';

    std::unordered_map<long, double> weights;
    for (long k = 0; k < 30; k += 3) weights[k * k] = 0.5 * k;
    double total = 0;
    for (auto &[key, value] : weights) {
        value += 1;
        total += key * value;
    }
    std::cout << total << '\n';
    auto found = weights.find(81);
    if (found != weights.end()) std::cout << found->first << " -> " << found->second << '\n';
    weights.erase(found);
    std::cout << weights.count(81) << ' ' << weights.size() << '\n';

    std::stringstream text("the cat saw the dog and the dog saw the cat");
    std::unordered_map<std::string, int> words;
    std::string word;
    while (text >> word) ++words[word];
    std::cout << words["the"] << words["dog"] << words["bird"] << ' ' << words.size() << '\n';
    for (auto &entry : words) std::cout << entry.first << ':' << entry.second << ' ';
    std::cout << '\n';

    std::vector<int> counts;
    for (const auto &[key, count] : histogram) counts.push_back(count);
    int *d;
    cudaMalloc(&d, counts.size() * sizeof(int));
    cudaMemcpy(d, counts.data(), counts.size() * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 64>>>(d, (int)counts.size());
    cudaMemcpy(counts.data(), d, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int c : counts) std::cout << c << ' ';
    std::cout << std::endl;
    cudaFree(d);
}
