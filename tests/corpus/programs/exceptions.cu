// Errors as exceptions: thrown, caught by class, thrown again; what is around ends on the way.
#include <cstdio>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

class CudaError : public std::runtime_error {
    int code;

public:
    CudaError(const std::string &where, int c) : std::runtime_error(where), code(c) {}
    int number() const { return code; }
};

#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t status = (call);                                  \
        if (status != cudaSuccess) throw CudaError(#call, (int)status); \
    } while (0)

struct Scope {
    const char *name;
    ~Scope() { printf("leave %s\n", name); }
};

int checked(int n) {
    Scope scope{"checked"};
    if (n < 0) throw std::invalid_argument("negative: " + std::to_string(n));
    return 2 * n;
}

int tried(int n) {
    try {
        Scope scope{"tried"};
        return checked(n);
    } catch (const std::runtime_error &) {
        printf("never\n");
    }
    return 0;
}

int main() {
    try {
        CHECK(cudaSetDevice(0));
        printf("%d\n", tried(4));
        CHECK(cudaSetDevice(77));
        printf("not reached\n");
    } catch (const CudaError &e) {
        printf("%s: %d\n", e.what(), e.number());
    }
    try {
        tried(-3);
    } catch (const std::exception &e) {
        printf("%s\n", e.what());
    }
    for (int i = 0; i < 3; ++i) {
        try {
            try {
                if (i == 1) throw i;
                if (i == 2) throw "words";
                printf("nothing\n");
            } catch (int number) {
                printf("int %d\n", number);
                throw;
            }
        } catch (...) {
            printf("something\n");
        }
    }
}
