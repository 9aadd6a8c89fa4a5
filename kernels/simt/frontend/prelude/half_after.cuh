// What of half precision is written in terms of its known functions.

__device__ inline half2 __hfma2(half2 a, half2 b, half2 c) { return half2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
