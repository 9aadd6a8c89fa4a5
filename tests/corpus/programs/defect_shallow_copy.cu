// finds: bad-free 10
// status: 134
#include <stdio.h>

class Buffer {
    int *first;

public:
    explicit Buffer(int n) : first(new int[n]()) {}
    ~Buffer() { delete[] first; }
    int at(int i) const { return first[i]; }
};

int third(Buffer buffer) { return buffer.at(3); }

int main() {
    Buffer buffer(10);
    fprintf(stderr, "%d\n", third(buffer));
    return 0;
}
