// status: 134
// finds: bad-free 12
#include <cstdio>
#include <cstdlib>

void drop(char* p) { free(p); }

int main() {
    char* text = (char*)malloc(8);
    drop(text);
    printf("once\n");
    free(text);
    printf("twice\n");
}
