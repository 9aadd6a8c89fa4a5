#pragma clang diagnostic ignored "-Weverything"

#define SCALE 3
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

constexpr int DEPTH = 4;
enum Shade { DARK = 2, LIGHT = 7 };
__constant__ int table[8] = {3, -1, 4, 1, -5, 9, 2147483647, -6};

struct Pair {
    int a;
    float b;
    short c[2];
    unsigned char d;

    __device__ int sum() const { return a + c[0] + c[1] + d; }
    __device__ void scale(int by)
    {
        a *= by;
        b = b * by;
    }
};

__device__ Pair operator+(const Pair& x, const Pair& y) { return {x.a + y.a, x.b + y.b, {x.c[0], y.c[1]}, (unsigned char)(x.d + y.d)}; }

__device__ int to_int(double x) { return x > -2e9 && x < 2e9 ? (int)x : 77; }
__device__ long long to_long(double x) { return x > -9e18 && x < 9e18 ? (long long)x : -77; }

__device__ unsigned long long bits(float x) { return x == x ? __float_as_uint(x) : 0x7fc00000u; }
__device__ unsigned long long bits(double x) { return x == x ? (unsigned long long)__double_as_longlong(x) : 0x7ff8000000000000ull; }

template <int N, typename T> __device__ __forceinline__ T blend(T a, T b)
{
    T sum = a;
#pragma unroll
    for (int i = 0; i < N; ++i)
        sum = sum * 3 + b;
    return sum;
}

template <typename T> __device__ T quotient(T a, T b) { return b == 0 || b == -1 ? a % 7 : a / b; }

template <typename T> __device__ void trade(T& a, T& b)
{
    T old = a;
    a = b;
    b = old;
}

__device__ int collatz(unsigned n)
{
    int steps = 0;
    while (n > 1) {
        if (++steps > 9)
            return -steps;
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
    return steps;
}

__device__ void bump(int* at, const int* from, int count)
{
    for (int i = 0; i < count; i++)
        *at++ += from[i];
}

__device__ Pair paired(int a, float b)
{
    Pair made;
    made.a = a ^ 0x55;
    made.b = b * 0.5f;
    made.c[0] = (short)a;
    made.c[1] = (short)(a >> 16);
    made.d = (unsigned char)(a + 200);
    return made;
}

struct Nest {
    Pair inner[2];
    float4 v;
    short n;

    __device__ Nest& self() { return *this; }
};

template <typename T, int N> struct Bag {
    T items[N];

    __device__ T& operator[](int i) { return items[i]; }
    template <bool ODD = false> __device__ T total() const
    {
        T sum = 0;
        for (int i = ODD; i < N; i += 1 + ODD)
            sum += items[i];
        if constexpr (ODD)
            sum = -sum;
        return sum;
    }
};

