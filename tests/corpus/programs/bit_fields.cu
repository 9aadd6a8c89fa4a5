// Flags and small numbers in bit-fields, on the host and in kernels.
#include <cstddef>
#include <cstdio>
#include <cstring>

struct Flags { unsigned ready : 1; unsigned level : 4; int delta : 5; unsigned : 6; unsigned count : 16; };
struct Split { char tag; int value : 20; bool on : 1; unsigned : 0; unsigned long long wide : 40; long long back : 24; };
struct Tight { unsigned char low : 4, high : 4; short s : 9; };
struct Only { unsigned a : 3; };
enum Kind { NONE, SOME, ALL };
struct Mixed { Kind kind : 3; unsigned char level : 5; float f; bool b = true; };
union Both { struct { unsigned lo : 8; unsigned mid : 16; unsigned hi : 8; }; unsigned whole; };
union Direct { unsigned five : 5; unsigned all; };
struct Made { int a : 7; int b : 9; __host__ __device__ Made(int x) : a(x), b(-x) {} __host__ __device__ int sum() const { return a + b; } __host__ __device__ void grow() { ++a; b -= 2; } };
struct Heir : Made { int c : 4; Heir() : Made(5), c(-3) {} };

__constant__ Flags preset = {1, 9, -7, 300};

__global__ void count(Flags* f, Split* s, Both* b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    f[i].ready = i & 1;
    f[i].level = i;
    f[i].delta = 3 - i;
    f[i].count = preset.count + i;
    f[i].level += preset.level;
    s[i].value = -i * 1000;
    s[i].on = i > 3;
    s[i].wide = (1ULL << 39) + i;
    s[i].back = -i;
    s[i].tag = 'a' + i % 26;
    b[i].whole = 0;
    b[i].mid = 0x1000 + i;
    b[i].hi = 255 + i;
    Made m(i);
    m.grow();
    b[i].lo = m.sum();
}

int main()
{
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(Flags), sizeof(Split), sizeof(Tight), sizeof(Only), sizeof(Mixed), sizeof(Both),
           sizeof(Made), sizeof(Heir));
    printf("%zu %zu\n", offsetof(Mixed, f), offsetof(Mixed, b));
    Flags f = {1, 20, -17, 70000};
    printf("%u %u %d %u\n", f.ready, f.level, f.delta, f.count);
    f.delta = 15;
    int was = f.delta++;
    printf("%d %d %d\n", was, f.delta, --f.delta);
    f.level ^= 5;
    f.level <<= 1;
    f.count /= 7;
    f.ready = !f.ready;
    int got = f.level = 18;
    printf("%u %d %u %u\n", f.ready, got, f.level, f.count);
    unsigned raw;
    memcpy(&raw, &f, sizeof raw);
    printf("%08x\n", raw & 0xffff03ffu);
    Split s;
    memset(&s, 0, sizeof s);
    s.tag = 'x'; s.value = -123456; s.on = 5; s.wide = 0xabcdef0123ULL; s.back = -8388608;
    printf("%c %d %d %llx %lld\n", s.tag, s.value, s.on, (unsigned long long)s.wide, (long long)s.back);
    unsigned char bytes[sizeof s];
    memcpy(bytes, &s, sizeof s);
    for (unsigned char byte : bytes)
        printf("%02x", byte);
    printf("\n");
    Tight t = {.low = 3, .high = 12, .s = -200};
    memcpy(&raw, &t, 4);
    printf("%d %d %d %06x\n", t.low, t.high, t.s, raw & 0x1ff00ff);
    Mixed m = {ALL, 17, 1.5f};
    printf("%d %d %g %d\n", m.kind, m.level, m.f, m.b);
    Both b;
    b.whole = 0x12345678;
    b.mid -= 0x100;
    printf("%x %x %x %x\n", b.lo, b.mid, b.hi, b.whole);
    Direct d;
    d.all = 0xff;
    d.five = 3;
    printf("%x %d\n", d.all, d.five);
    Heir h;
    h.grow();
    printf("%d %d %d %d\n", h.a, h.b, h.c, h.sum());
    const int& bound = h.a;
    h.a = 1;
    printf("%d %d\n", bound, h.a);
    auto [low, high, wide] = t;
    printf("%d\n", low + high + wide);
    bool chosen = f.ready ? f.level > 3 : h.c < 0;
    printf("%d %d\n", chosen, f.level > 3 && f.ready);
    const int n = 40;
    Flags* df; Split* ds; Both* db;
    cudaMalloc(&df, n * sizeof(Flags));
    cudaMalloc(&ds, n * sizeof(Split));
    cudaMalloc(&db, n * sizeof(Both));
    count<<<2, 32>>>(df, ds, db, n);
    Flags hf[n]; Split hs[n]; Both hb[n];
    cudaMemcpy(hf, df, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hs, ds, sizeof hs, cudaMemcpyDeviceToHost);
    cudaMemcpy(hb, db, sizeof hb, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 3)
        printf("%u %u %d %u | %c %d %d %llx %lld | %x\n", hf[i].ready, hf[i].level, hf[i].delta, hf[i].count, hs[i].tag, hs[i].value,
               hs[i].on, (unsigned long long)hs[i].wide, (long long)hs[i].back, hb[i].whole);
    cudaFree(df);
    cudaFree(ds);
    cudaFree(db);
    return 0;
}
