// Letters of a text counted in shared memory; sorted pairs, a file read through a stringstream where one is named.
#include <iostream>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include <iomanip>
#include <algorithm>
#include <cstring>

constexpr int NUM_BINS = 26;

__global__ void histo_kernel(const char *buffer, long size, unsigned int *histo)
{
    __shared__ unsigned int histo_private[NUM_BINS];
    if (threadIdx.x < NUM_BINS) histo_private[threadIdx.x] = 0u;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        int pos = (buffer[i] | 0x20) - 'a';
        if (pos >= 0 && pos < NUM_BINS) atomicAdd(&histo_private[pos], 1u);
        i += stride;
    }
    __syncthreads();
    if (threadIdx.x < NUM_BINS) atomicAdd(histo + threadIdx.x, histo_private[threadIdx.x]);
}

static std::string readFile(const std::string &path)
{
    std::ifstream in(path);
    if (!in.is_open()) throw std::runtime_error("cannot open " + path);
    std::stringstream ss;
    ss << in.rdbuf();
    return ss.str();
}

int main(int argc, char **argv)
{
    std::string text;
    try {
        text = argc > 1 ? readFile(argv[1]) : std::string("The quick brown fox jumps over the lazy dog. ") + "Pack my box with five dozen liquor jugs!";
    } catch (const std::exception &e) {
        std::cerr << "error: " << e.what() << std::endl;
        return 1;
    }
    std::vector<unsigned> hist(NUM_BINS), cpu(NUM_BINS, 0);
    for (unsigned char c : text) if (std::isalpha(c)) ++cpu[std::tolower(c) - 'a'];
    char *d_text; unsigned *d_hist;
    cudaMalloc(&d_text, text.size());
    cudaMalloc(&d_hist, NUM_BINS * sizeof(unsigned));
    cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice);
    cudaMemset(d_hist, 0, NUM_BINS * sizeof(unsigned));
    dim3 block(128), grid(std::min<size_t>(4, (text.size() + block.x - 1) / block.x));
    histo_kernel<<<grid, block>>>(d_text, text.size(), d_hist);
    cudaMemcpy(hist.data(), d_hist, hist.size() * sizeof(hist[0]), cudaMemcpyDeviceToHost);
    auto most = std::max_element(hist.begin(), hist.end());
    for (int b = 0; b < NUM_BINS; ++b)
        if (hist[b]) std::cout << static_cast<char>('a' + b) << std::setw(4) << hist[b] << ' ' << std::string(hist[b], '*') << '\n';
    std::cout << "most frequent: " << char('a' + std::distance(hist.begin(), most)) << std::endl;
    std::cout << std::boolalpha << (hist == cpu) << '\n';
    std::vector<std::pair<unsigned, char>> order;
    for (int b = 0; b < NUM_BINS; ++b) order.emplace_back(hist[b], 'a' + b);
    std::sort(order.begin(), order.end(), [](const auto &x, const auto &y) { return x.first != y.first ? x.first > y.first : x.second < y.second; });
    for (size_t i = 0; i < 3; ++i) std::cout << order[i].second << (i < 2 ? ", " : "\n");
    std::cout << std::fixed << std::setprecision(2) << 100.0 * *most / text.length() << "%\n";
    cudaFree(d_text); cudaFree(d_hist);
}
