// bfloat16: __bf16 is a type of its own here, so that its arithmetic is written as such.

typedef __bf16 __nv_bfloat16;
typedef __bf16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 { __bf16 x, y; };
typedef __nv_bfloat162 nv_bfloat162;

__device__ inline __nv_bfloat16 __float2bfloat16(float a) { return static_cast<__bf16>(a); }
__device__ inline __nv_bfloat16 __float2bfloat16_rn(float a) { return static_cast<__bf16>(a); }
__device__ inline float __bfloat162float(__nv_bfloat16 a) { return static_cast<float>(a); }
__device__ inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return __nv_bfloat162{static_cast<__bf16>(x), static_cast<__bf16>(y)};
}
