// Operators of a class for arrays, which keep their length before them; and those of everybody, replaced by the program.
#include <cstdio>
#include <cstdlib>
#include <new>
static int live = 0;
struct Traced {
    int id;
    Traced() : id(++live) { printf("+%d\n", id); }
    ~Traced() { printf("-%d\n", id); --live; }
    static void* operator new[](size_t bytes) { printf("new[] %zu\n", bytes); return malloc(bytes); }
    static void operator delete[](void* p) { printf("delete[]\n"); free(p); }
};
struct alignas(32) Wide { double x[4]; ~Wide() {} 
    static void* operator new[](size_t bytes) { printf("wide %zu\n", bytes); void* p = 0; p = aligned_alloc(32, (bytes + 31) / 32 * 32); return p; }
    static void operator delete[](void* p, size_t n) { printf("wide gone %zu\n", n); free(p); } };
struct Plain { int v[3];
    static void* operator new[](size_t bytes) { printf("plain %zu\n", bytes); return malloc(bytes); }
    static void operator delete[](void* p) { free(p); } };
void class_arrays() {
    Traced* t = new Traced[3];
    printf("%d live\n", live);
    delete[] t;
    Wide* w = new Wide[2];
    w[1].x[3] = 5;
    delete[] w;
    Plain* p = new Plain[4];
    p[3].v[2] = 7;
    printf("%d\n", p[3].v[2]);
    delete[] p;
    Traced* none = nullptr;
    delete[] none;
    printf("%d live at the end\n", live);
}
static size_t bytes_asked = 0, calls = 0, frees = 0, sized = 0;
#ifndef __CUDA_ARCH__  // nvcc compiles them for kernels too, which have no such variables
#define COUNT(what) what
#else
#define COUNT(what)
#endif
void* operator new(size_t n) { COUNT(bytes_asked += n; ++calls); return malloc(n); }
void operator delete(void* p) noexcept { COUNT(++frees); free(p); }
void operator delete(void* p, size_t n) noexcept { COUNT(++frees; sized += n); free(p); }
struct Node { int value; Node* next; Node(int v, Node* n) : value(v), next(n) {} };
struct Handle { int* p; Handle() : p(new int(4)) {} ~Handle() { delete p; } };
int main() {
    class_arrays();
    Node* head = nullptr;
    for (int i = 0; i < 5; ++i) head = new Node(i, head);
    int sum = 0;
    while (head) { Node* next = head->next; sum += head->value; delete head; head = next; }
    int* many = new int[10];
    many[9] = 3;
    delete[] many;
    Handle* handles = new Handle[3];
    delete[] handles;
    double* zero = new double(2.5);
    printf("%g %d\n", *zero, sum);
    delete zero;
    void* raw = ::operator new(24);
    ::operator delete(raw);
    printf("%zu bytes in %zu calls, %zu freed, %zu told\n", bytes_asked, calls, frees, sized);
}
