// cuComplex.h: complex numbers as two floats, or two doubles.

typedef float2 cuFloatComplex;
inline __host__ __device__ float cuCrealf(cuFloatComplex x) { return x.x; }
inline __host__ __device__ float cuCimagf(cuFloatComplex x) { return x.y; }
inline __host__ __device__ cuFloatComplex make_cuFloatComplex(float re, float im) { cuFloatComplex made; made.x = re; made.y = im; return made; }
inline __host__ __device__ cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
inline __host__ __device__ cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x + y.x, x.y + y.y); }
inline __host__ __device__ cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x - y.x, x.y - y.y); }
inline __host__ __device__ cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }
inline __host__ __device__ cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
    float by = 1.0f / (fabsf(y.x) + fabsf(y.y)), ars = x.x * by, ais = x.y * by, brs = y.x * by, bis = y.y * by;
    float over = 1.0f / (brs * brs + bis * bis);
    return make_cuFloatComplex((ars * brs + ais * bis) * over, (ais * brs - ars * bis) * over);
}
inline __host__ __device__ float cuCabsf(cuFloatComplex x) {
    float a = fabsf(x.x), b = fabsf(x.y), v = a > b ? a : b, w = a > b ? b : a, t = w / v;
    t = v * sqrtf(1.0f + t * t);
    return v == 0.0f || v > 3.402823466e38f || w > 3.402823466e38f ? v + w : t;
}
inline __host__ __device__ cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex d) {
    return make_cuFloatComplex(-(x.y * y.y) + (x.x * y.x + d.x), x.y * y.x + (x.x * y.y + d.y));
}
typedef double2 cuDoubleComplex;
inline __host__ __device__ double cuCreal(cuDoubleComplex x) { return x.x; }
inline __host__ __device__ double cuCimag(cuDoubleComplex x) { return x.y; }
inline __host__ __device__ cuDoubleComplex make_cuDoubleComplex(double re, double im) { cuDoubleComplex made; made.x = re; made.y = im; return made; }
inline __host__ __device__ cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }
inline __host__ __device__ cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x + y.x, x.y + y.y); }
inline __host__ __device__ cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x - y.x, x.y - y.y); }
inline __host__ __device__ cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }
inline __host__ __device__ cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
    double by = 1.0 / (fabs(y.x) + fabs(y.y)), ars = x.x * by, ais = x.y * by, brs = y.x * by, bis = y.y * by;
    double over = 1.0 / (brs * brs + bis * bis);
    return make_cuDoubleComplex((ars * brs + ais * bis) * over, (ais * brs - ars * bis) * over);
}
inline __host__ __device__ double cuCabs(cuDoubleComplex x) {
    double a = fabs(x.x), b = fabs(x.y), v = a > b ? a : b, w = a > b ? b : a, t = w / v;
    t = v * sqrt(1.0 + t * t);
    return v == 0.0 || v > 1.79769313486231570e+308 || w > 1.79769313486231570e+308 ? v + w : t;
}
inline __host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d) {
    return make_cuDoubleComplex(-(x.y * y.y) + (x.x * y.x + d.x), x.y * y.x + (x.x * y.y + d.y));
}
typedef cuFloatComplex cuComplex;
inline __host__ __device__ cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
inline __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }
inline __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) { return make_cuFloatComplex(c.x, c.y); }
