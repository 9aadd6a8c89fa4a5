// Options as getopt has them, written by hand: flags in one word, values behind, help; then a vector of the wished type.
// arguments: -vs8 --type double -x 2.5 out.csv --repeat=3
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct Arguments {
    bool verbose = false, help = false;
    int size = 4, repeat = 1;
    double factor = 1.0;
    char type[16] = "float";
    const char* rest[4] = {};
    int rests = 0;
};

static const char* value_of(int argc, char** argv, int& at, const char* behind)
{
    if (*behind)
        return behind;
    if (at + 1 >= argc) {
        std::fprintf(stderr, "%s: %s wants a value\n", argv[0], argv[at]);
        std::exit(2);
    }
    return argv[++at];
}

static bool long_option(const char* word, const char* name, const char** value)
{
    size_t length = std::strlen(name);
    if (std::strncmp(word, name, length) != 0)
        return false;
    *value = word[length] == '=' ? word + length + 1 : word + length;
    return word[length] == '=' || word[length] == '\0';
}

static Arguments parsed(int argc, char** argv)
{
    Arguments a;
    const char* value;
    for (int i = 1; i < argc; ++i) {
        const char* word = argv[i];
        if (long_option(word, "--type", &value)) {
            std::strncpy(a.type, value_of(argc, argv, i, value), sizeof a.type - 1);
        } else if (long_option(word, "--repeat", &value)) {
            a.repeat = std::atoi(value_of(argc, argv, i, value));
        } else if (word[0] != '-') {
            a.rest[a.rests++ % 4] = word;
        } else {
            for (const char* c = word + 1; *c; ++c) {
                bool taken = true;
                switch (*c) {
                case 'v': a.verbose = true; taken = false; break;
                case 'h': a.help = true; taken = false; break;
                case 's': a.size = (int)std::strtol(value_of(argc, argv, i, c + 1), nullptr, 0); break;
                case 'x': a.factor = std::strtod(value_of(argc, argv, i, c + 1), nullptr); break;
                default: std::fprintf(stderr, "unknown option -%c\n", *c); std::exit(EXIT_FAILURE);
                }
                if (taken)
                    break;
            }
        }
    }
    return a;
}

template <typename T> __global__ void scale(T* x, int n, T by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (T)(i + 1) * by;
}

template <typename T> static void run(const Arguments& a, const char* format)
{
    T *x, *h = new T[a.size]();
    cudaMalloc(&x, a.size * sizeof(T));
    for (int r = 0; r < a.repeat; ++r) {
        scale<T><<<(a.size + 31) / 32, 32>>>(x, a.size, (T)(a.factor + r));
        cudaMemcpy(h, x, a.size * sizeof(T), cudaMemcpyDeviceToHost);
        for (int i = 0; i < a.size; ++i) {
            std::printf(format, h[i]);
            std::putchar(i + 1 == a.size ? '\n' : ',');
        }
    }
    cudaFree(x);
    delete[] h;
}

int main(int argc, char** argv)
{
    const Arguments a = parsed(argc, argv);
    if (a.help)
        return std::puts("options: -v -h -s SIZE -x FACTOR --type NAME --repeat COUNT"), 0;
    if (a.verbose)
        std::printf("%d of %s, %d times, by %g, into %s\n", a.size, a.type, a.repeat, a.factor, a.rests ? a.rest[0] : "-");
    if (!std::strcmp(a.type, "double"))
        run<double>(a, "%.2f");
    else if (!std::strcmp(a.type, "int"))
        run<int>(a, "%d");
    else
        run<float>(a, "%g");
    return 0;
}
