// Helpers of any number of arguments: reports, a logger, a text made by a format, sums over a va_list.
// status: 7
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum Level { INFO, WARN };

__attribute__((format(printf, 3, 4))) static void report(const char *file, int line, const char *format, ...)
{
    const char *name = strrchr(file, '/');
    printf("%s:%d: ", name ? "here" : "there", line > 0);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}
#define REPORT(...) report("a/b", __LINE__, __VA_ARGS__)

std::string text_of(const char *format, ...)
{
    va_list first, again;
    va_start(first, format);
    va_copy(again, first);
    int length = vsnprintf(nullptr, 0, format, first);
    va_end(first);
    std::vector<char> made(length + 1);
    vsnprintf(made.data(), made.size(), format, again);
    va_end(again);
    return std::string(made.data());
}

class Logger
{
public:
    explicit Logger(const char *name) : name_(name), count_(0) {}
    void log(Level level, const char *format, ...)
    {
        va_list list;
        va_start(list, format);
        write(level, format, list);
        va_end(list);
    }
    int count() const { return count_; }

private:
    void write(Level level, const char *format, va_list list)
    {
        char line[64];
        int length = vsnprintf(line, sizeof(line), format, list);
        printf("%s %s%d: %s%s\n", name_, level == WARN ? "warning " : "", ++count_, line, length >= (int)sizeof(line) ? "..." : "");
    }
    const char *name_;
    int count_;
};

double mean(int count, ...)
{
    va_list list;
    va_start(list, count);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += va_arg(list, double);
    va_end(list);
    return count ? sum / count : 0;
}

long longest(const char *kinds, ...)
{
    std::va_list list;
    va_start(list, kinds);
    long most = 0;
    for (const char *kind = kinds; *kind; ++kind) {
        long value = 0;
        switch (*kind) {
        case 'i': value = va_arg(list, int); break;
        case 'u': value = va_arg(list, unsigned); break;
        case 'l': value = va_arg(list, long); break;
        case 's': value = (long)strlen(va_arg(list, const char *)); break;
        case 'c': value = (char)va_arg(list, int); break;
        case 'p': value = *va_arg(list, int *); break;
        }
        if (value > most) most = value;
    }
    va_end(list);
    return most;
}

int nested(int depth, ...)
{
    va_list list;
    va_start(list, depth);
    int value = va_arg(list, int);
    if (depth > 0) value += nested(depth - 1, value + 1);
    va_end(list);
    return value;
}

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) die("%s failed: %s", #call, cudaGetErrorString(e)); } while (0)

[[noreturn]] void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("fatal: ", stdout);
    vfprintf(stdout, format, list);
    fputs("\n", stdout);
    va_end(list);
    exit(7);
}

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

int main()
{
    REPORT("plain");
    REPORT("%d %5.2f %s %c %ld %p", 3, 2.5f, "text", 'x', 1L << 40, (void *)0);
    bool yes = true; short small = -3; unsigned char byte = 200; float half = 0.5f;
    REPORT("%d %d %u %g %zu", yes, small, byte, half, sizeof(double));
    std::string made = text_of("%03d|%-6s|%+.3e", 7, "ab", 12345.678);
    printf("%s (%zu)\n", made.c_str(), made.size());
    Logger logger("lab");
    logger.log(INFO, "%d threads", 256);
    logger.log(WARN, "%s %s", "a text that is longer than a line of this logger may be, which is", "sixty-three characters");
    printf("%d lines, mean %.3f, %.3f\n", logger.count(), mean(3, 1.0, 2.0f, 4.5), mean(0));
    int there = 90;
    printf("%ld %ld\n", longest("iuls", -4, 4000000000u, 5L, "abc"), longest("csp", 'A', "xyz", &there));
    printf("%d\n", nested(3, 10));
    float host[64], *device;
    for (int i = 0; i < 64; ++i) host[i] = i;
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    twice<<<2, 32>>>(device, 64);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    REPORT("last is %g", host[63]);
    if (host[63] > 100) die("%s has %g, not %d", "last", host[63], 63);
    return 0;
}
