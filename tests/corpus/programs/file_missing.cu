// A file that is not there: the program says so by errno, and ends with a status of its own.
// status: 3
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void nothing() {}

int main() {
    FILE* file = fopen("file_missing.txt", "r");
    if (file == NULL) {
        printf("file_missing.txt: %s (%d)\n", strerror(errno), errno);
        return 3;
    }
    nothing<<<1, 1>>>();
    fclose(file);
    return 0;
}
