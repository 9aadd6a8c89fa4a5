// Formats: printf's corners, manipulators, string functions, stringstreams; numbers from a kernel.
#include <cctype>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#define LOG(level, ...) do { printf("[%s] ", level); printf(__VA_ARGS__); printf("\n"); } while (0)
#define NAME_OF(x) #x
#define JOIN(a, b) a##b

__global__ void values(double *out) { out[threadIdx.x] = (threadIdx.x + 1) * 1000.0 / 7.0; }

std::vector<std::string> split(const std::string &line, char by) {
    std::vector<std::string> parts;
    std::stringstream in(line);
    std::string part;
    while (std::getline(in, part, by)) parts.push_back(part);
    return parts;
}

std::string trimmed(std::string s) {
    while (!s.empty() && isspace((unsigned char)s.back())) s.pop_back();
    size_t first = s.find_first_not_of(" \t");
    return first == std::string::npos ? "" : s.substr(first);
}

int main() {
    double *d, h[4];
    cudaMalloc(&d, sizeof h);
    values<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("|%8.3f|%-10.2e|%+g|%010.4f|\n", h[0], h[1], h[2], h[3]);
    printf("|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|\n", 42, 42, 42, 42, 42, 255, 255, 8);
    printf("|%s|%10s|%-10s|%.3s|%c|%%|\n", "text", "right", "left", "truncated", 'c');
    printf("|%*d|%-*d|%.*f|\n", 6, 7, 6, 7, 2, 3.14159);
    printf("%lld %llu %zu %hd %hhu %ld\n", -5000000000LL, 18446744073709551615ULL, sizeof(double), (short)-3, (unsigned char)200, 7L);
    printf("%" PRId64 " %" PRIu32 "\n", (int64_t)1 << 40, (uint32_t)4000000000u);
    printf("%g %g %g %g\n", 1e-5, 123456789.0, 0.1, 100000.0);
    printf("%f %e %G\n", 1.0 / 0.0, -1.0 / 0.0, 1e20);
    LOG("info", "%d blocks of %d", 4, 256);
    LOG("warn", "%s", "no device \"x\"");
    int JOIN(va, lue) = 5;
    printf("%s = %d\n", NAME_OF(value), value);
    std::cout << std::setw(8) << 42 << std::left << std::setw(8) << "ab" << '|' << std::right << std::setfill('*') << std::setw(6) << 7 << std::setfill(' ') << '\n';
    std::cout << std::hex << std::showbase << 255 << std::dec << std::noshowbase << ' ' << std::boolalpha << true << ' ' << std::noboolalpha << false << '\n';
    std::cout << std::fixed << std::setprecision(1) << h[0] << ' ' << std::setprecision(6) << h[0] << '\n';
    std::cout.precision(3);
    std::cout << h[1] << std::defaultfloat << ' ' << h[1] << ' ' << 1e10 << ' ' << 0.00001f << '\n';
    std::cout << std::showpos << 3 << std::noshowpos << ' ' << std::uppercase << std::hex << 48879 << std::nouppercase << std::dec << '\n';
    std::ostringstream out;
    out << "n=" << 64 << ", t=" << std::fixed << std::setprecision(2) << 1.5;
    std::string s = out.str();
    std::cout << s << " (" << s.length() << ")\n";
    for (const std::string &part : split("one;two;;three", ';')) std::cout << '<' << part << '>';
    std::cout << '\n' << '[' << trimmed("  padded text \t") << "]\n";
    s.replace(0, 2, "size ");
    std::cout << s << ' ' << s.find("t=") << ' ' << (s.find("zzz") == std::string::npos) << ' ' << s.rfind('=') << '\n';
    std::string t = "kernel" + std::string("_") + std::to_string(12) + '!';
    t.insert(6, "s");
    t.erase(t.size() - 1);
    std::cout << t << ' ' << t.compare("kernels_12") << ' ' << (t < "z") << ' ' << t.substr(0, 6) << ' ' << t.find_last_of("_s") << '\n';
    std::string row(20, '-');
    std::cout << row << '\n' << std::stoi("0042") + std::stod("2.5") << ' ' << std::string("abc").append("def", 2) << '\n';
    char buffer[64];
    int used = snprintf(buffer, sizeof buffer, "%d-%s", 12, "block");
    char *copy = strdup(buffer);
    for (char *p = strtok(copy, "-"); p; p = strtok(NULL, "-")) printf("(%s)", p);
    printf(" %d %s\n", used, strrchr(buffer, 'o'));
    free(copy);
    int a = 0, b = 0;
    float f = 0;
    sscanf("12 x 34 1.5", "%d x %d %f", &a, &b, &f);
    printf("%d %d %.2f %d\n", a, b, f, strncmp("block", "blind", 3));
    std::istringstream numbers("3 4 5 x");
    int n, sum = 0;
    while (numbers >> n) sum += n;
    std::cout << sum << ' ' << numbers.eof() << numbers.fail() << std::endl;
    return 0;
}
