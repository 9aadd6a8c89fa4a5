// arguments: --n=1000 --block 96 --scale 2.5 -v data.bin
// Options of the command line as students read them: by hand, with checks, into a struct that the kernel is given.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include "check.h"

struct Options {
    int n = 256;
    int block = 128;
    double scale = 1.0;
    bool verbose = false;
    std::vector<std::string> files;
};

static bool parse_int(const char* text, int low, int high, int* out)
{
    char* end = nullptr;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno == ERANGE || end == text || *end != '\0' || value < low || value > high)
        return false;
    *out = static_cast<int>(value);
    return true;
}

static const char* value_of(int argc, char* argv[], int& i, const char* name)
{
    size_t length = strlen(name);
    if (strncmp(argv[i], name, length) != 0)
        return nullptr;
    if (argv[i][length] == '=')
        return argv[i] + length + 1;
    if (argv[i][length] == '\0' && i + 1 < argc)
        return argv[++i];
    return nullptr;
}

static bool parse(int argc, char* argv[], Options& options)
{
    for (int i = 1; i < argc; ++i) {
        if (const char* v = value_of(argc, argv, i, "--n")) {
            if (!parse_int(v, 1, INT_MAX / 8, &options.n))
                return false;
        } else if (const char* v = value_of(argc, argv, i, "--block")) {
            if (!parse_int(v, 1, 1024, &options.block))
                return false;
        } else if (const char* v = value_of(argc, argv, i, "--scale")) {
            options.scale = atof(v);
        } else if (!strcmp(argv[i], "-v") || !strcmp(argv[i], "--verbose")) {
            options.verbose = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return false;
        } else {
            options.files.emplace_back(argv[i]);
        }
    }
    return true;
}

struct Plan {
    int n;
    float scale;
    int stride;
};

__global__ void scale_and_shift(const Plan plan, float* data)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plan.n; i += plan.stride)
        data[i] = data[i] * plan.scale + 0.25f;
}

int main(int argc, char* argv[])
{
    Options options;
    if (!parse(argc, argv, options)) {
        printf("usage: %s [--n N] [--block B] [--scale S] [-v] [FILE...]\n", argv[0]);
        return EXIT_FAILURE;
    }
    int dummy = 7;
    printf("%d %d %d\n", parse_int("12x", 0, 100, &dummy), parse_int("99999999999999999999", 0, 100, &dummy), dummy);
    const int blocks = std::min(8, (options.n + options.block - 1) / options.block);
    Plan plan{options.n, static_cast<float>(options.scale), blocks * options.block};
    if (options.verbose)
        printf("n=%d block=%d blocks=%d scale=%.2f files=%zu (%s)\n", options.n, options.block, blocks, options.scale,
               options.files.size(), options.files.empty() ? "-" : options.files.front().c_str());
    std::vector<float> host(options.n);
    for (int i = 0; i < options.n; ++i)
        host[i] = static_cast<float>(i % 17);
    float* device;
    CHECK(cudaMalloc(&device, host.size() * sizeof(host[0])));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(host[0]), cudaMemcpyHostToDevice));
    scale_and_shift<<<blocks, options.block>>>(plan, device);
    CHECK(cudaGetLastError());
    std::vector<float> back(host.size());
    CHECK(cudaMemcpy(back.data(), device, back.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float x : back)
        sum += x;
    printf("sum %.3f, last %.3f\n", sum, back.back());
    CHECK(cudaFree(device));
    return EXIT_SUCCESS;
}
