// Half precision: __fp16 is a type of its own here, so that its arithmetic is written as such.

typedef __fp16 half;
typedef __fp16 __half;
struct __attribute__((aligned(4))) half2 { half x, y; };
typedef half2 __half2;

__host__ __device__ inline half __float2half(float a) { return static_cast<half>(a); }
__host__ __device__ inline half __float2half_rn(float a) { return static_cast<half>(a); }
__host__ __device__ inline half __double2half(double a) { return static_cast<half>(a); }
__host__ __device__ inline half __int2half_rn(int a) { return static_cast<half>(a); }
__host__ __device__ inline float __half2float(half a) { return static_cast<float>(a); }
__host__ __device__ inline int __half2int_rz(half a) { return static_cast<int>(a); }
__device__ inline half __hadd(half a, half b) { return a + b; }
__device__ inline half __hsub(half a, half b) { return a - b; }
__device__ inline half __hmul(half a, half b) { return a * b; }
__device__ inline half __hdiv(half a, half b) { return a / b; }
__device__ inline half __hneg(half a) { return -a; }
__device__ inline half __habs(half a) { return a < static_cast<half>(0) ? -a : a; }
__device__ inline half __hmax(half a, half b) { return a < b ? b : a; }
__device__ inline half __hmin(half a, half b) { return b < a ? b : a; }
__device__ inline bool __heq(half a, half b) { return a == b; }
__device__ inline bool __hne(half a, half b) { return a != b; }
__device__ inline bool __hlt(half a, half b) { return a < b; }
__device__ inline bool __hle(half a, half b) { return a <= b; }
__device__ inline bool __hgt(half a, half b) { return a > b; }
__device__ inline bool __hge(half a, half b) { return a >= b; }
__device__ inline half hsqrt(half a) { return static_cast<half>(sqrtf(static_cast<float>(a))); }
__device__ inline half hexp(half a) { return static_cast<half>(expf(static_cast<float>(a))); }
__device__ inline half hlog(half a) { return static_cast<half>(logf(static_cast<float>(a))); }
__device__ inline half2 make_half2(half x, half y) { return half2{x, y}; }
__device__ inline half2 __halves2half2(half x, half y) { return half2{x, y}; }
__device__ inline half2 __half2half2(half a) { return half2{a, a}; }
__device__ inline half2 __float2half2_rn(float a) { return half2{static_cast<half>(a), static_cast<half>(a)}; }
__device__ inline half2 __floats2half2_rn(float x, float y) { return half2{static_cast<half>(x), static_cast<half>(y)}; }
__device__ inline half2 __float22half2_rn(float2 a) { return half2{static_cast<half>(a.x), static_cast<half>(a.y)}; }
__device__ inline float2 __half22float2(half2 a) { return make_float2(static_cast<float>(a.x), static_cast<float>(a.y)); }
__device__ inline half __low2half(half2 a) { return a.x; }
__device__ inline half __high2half(half2 a) { return a.y; }
__device__ inline float __low2float(half2 a) { return static_cast<float>(a.x); }
__device__ inline float __high2float(half2 a) { return static_cast<float>(a.y); }
__device__ inline half2 __hadd2(half2 a, half2 b) { return half2{a.x + b.x, a.y + b.y}; }
__device__ inline half2 __hsub2(half2 a, half2 b) { return half2{a.x - b.x, a.y - b.y}; }
__device__ inline half2 __hmul2(half2 a, half2 b) { return half2{a.x * b.x, a.y * b.y}; }
__device__ inline half2 operator+(half2 a, half2 b) { return half2{a.x + b.x, a.y + b.y}; }
__device__ inline half2 operator-(half2 a, half2 b) { return half2{a.x - b.x, a.y - b.y}; }
__device__ inline half2 operator*(half2 a, half2 b) { return half2{a.x * b.x, a.y * b.y}; }
