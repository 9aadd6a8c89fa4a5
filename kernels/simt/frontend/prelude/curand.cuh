// Random numbers on the device: the generators XORWOW and Philox 4x32-10 with the sequences of NVIDIA's library. States lie in memory like
// any struct. Normal numbers are those of the library up to the rounding of its fast sine and logarithm.

struct __tilescope_words { unsigned a, b, c, d, e; };
// The state of XORWOW after so many sequences of 2^67 numbers and so many numbers.
__device__ __tilescope_words __tilescope_xorwow_skip(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned long long, unsigned long long);

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

template <class State> __device__ void __tilescope_no_extra(State* state) {
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}
__device__ inline void __tilescope_skip(unsigned long long sequences, unsigned long long steps, curandStateXORWOW* s) {
    __tilescope_words w = __tilescope_xorwow_skip(s->v[0], s->v[1], s->v[2], s->v[3], s->v[4], sequences, steps);
    s->v[0] = w.a; s->v[1] = w.b; s->v[2] = w.c; s->v[3] = w.d; s->v[4] = w.e;
    s->d += 362437u * (unsigned)steps;
}
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW* state) { __tilescope_skip(0, n, state); }
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) { __tilescope_skip(n, 0, state); }
__device__ inline void curand_init(
    unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW* state) {
    unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u), high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    __tilescope_words w = __tilescope_xorwow_skip(
        123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low, sequence, offset);
    state->d = 6615241u + high + low + 362437u * (unsigned)offset;
    state->v[0] = w.a; state->v[1] = w.b; state->v[2] = w.c; state->v[3] = w.d; state->v[4] = w.e;
    __tilescope_no_extra(state);
}
__device__ inline unsigned curand(curandStateXORWOW* state) {
    unsigned t = state->v[0] ^ (state->v[0] >> 2), last = state->v[4];
    state->v[0] = state->v[1];
    state->v[1] = state->v[2];
    state->v[2] = state->v[3];
    state->v[3] = last;
    last = (last ^ (last << 4)) ^ (t ^ (t << 1));
    state->v[4] = last;
    return last + (state->d += 362437u);
}

__device__ inline uint4 __tilescope_philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        unsigned low = 0xD2511F53u * counter.x, other = 0xCD9E8D57u * counter.z;
        counter = make_uint4(
            __umulhi(0xCD9E8D57u, counter.z) ^ counter.y ^ key.x, other, __umulhi(0xD2511F53u, counter.x) ^ counter.w ^ key.y, low);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}
__device__ inline void __tilescope_step(curandStatePhilox4_32_10* state, unsigned long long by) {
    uint4 c = state->ctr;
    unsigned long long low = c.x | (unsigned long long)c.y << 32, sum = low + by;
    c.x = (unsigned)sum;
    c.y = (unsigned)(sum >> 32);
    if (sum < low) {
        if (++c.z == 0) ++c.w;
    }
    state->ctr = c;
    state->output = __tilescope_philox(c, state->key);
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
    unsigned at = state->STATE + (unsigned)(n & 3);
    n /= 4;
    if (at > 3) {
        n += 1;
        at -= 4;
    }
    state->STATE = at;
    __tilescope_step(state, n);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
    uint4 c = state->ctr;
    unsigned long long sum = (c.z | (unsigned long long)c.w << 32) + n;
    c.z = (unsigned)sum;
    c.w = (unsigned)(sum >> 32);
    state->ctr = c;
    state->output = __tilescope_philox(c, state->key);
}
__device__ inline void curand_init(
    unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10* state) {
    state->ctr = make_uint4(0, 0, (unsigned)sequence, (unsigned)(sequence >> 32));
    state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    state->STATE = 0;
    __tilescope_no_extra(state);
    skipahead(offset, state);
}
__device__ inline unsigned curand(curandStatePhilox4_32_10* state) {
    unsigned at = state->STATE;
    uint4 o = state->output;
    unsigned given = at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
    state->STATE = at + 1;
    if (at == 3) {
        __tilescope_step(state, 1);
        state->STATE = 0;
    }
    return given;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10* state) {
    uint4 a = state->output;
    __tilescope_step(state, 1);
    uint4 b = state->output;
    unsigned at = state->STATE;
    if (at == 0) return a;
    if (at == 1) return make_uint4(a.y, a.z, a.w, b.x);
    if (at == 2) return make_uint4(a.z, a.w, b.x, b.y);
    return make_uint4(a.w, b.x, b.y, b.z);
}

#define __TILESCOPE_2POW32_INV 2.3283064e-10f
#define __TILESCOPE_2POW53_INV 1.1102230246251565e-16
__device__ inline float __tilescope_uniform(unsigned x) { return x * __TILESCOPE_2POW32_INV + __TILESCOPE_2POW32_INV / 2.0f; }
__device__ inline double __tilescope_uniform(unsigned x, unsigned y) {
    unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << 21);
    return z * __TILESCOPE_2POW53_INV + __TILESCOPE_2POW53_INV / 2.0;
}
__device__ inline float2 __tilescope_normal(unsigned x, unsigned y) {
    const float turn = __TILESCOPE_2POW32_INV * 6.2831855f;
    float u = __tilescope_uniform(x), v = fmaf((float)y, turn, turn / 2), s = sqrtf(-2.0f * logf(u));
    float2 result;
    __sincosf(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}
__device__ inline double2 __tilescope_normal(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
    unsigned long long z = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
    double v = z * (__TILESCOPE_2POW53_INV * 2.0) + __TILESCOPE_2POW53_INV, s = sqrt(-2.0 * log(__tilescope_uniform(x0, x1)));
    double2 result;
    sincospi(v, &result.x, &result.y);
    result.x *= s;
    result.y *= s;
    return result;
}
__device__ inline double curand_uniform_double(curandStateXORWOW* state) {
    unsigned x = curand(state), y = curand(state);
    return __tilescope_uniform(x, y);
}
__device__ inline double curand_uniform_double(curandStatePhilox4_32_10* state) {  // of one word, as the library has it for this generator
    return curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}

#define __TILESCOPE_RANDOM(State) \
    __device__ inline float curand_uniform(State* state) { return __tilescope_uniform(curand(state)); } \
    __device__ inline float2 curand_normal2(State* state) { \
        unsigned x = curand(state), y = curand(state); \
        return __tilescope_normal(x, y); \
    } \
    __device__ inline double2 curand_normal2_double(State* state) { \
        unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state); \
        return __tilescope_normal(x0, x1, y0, y1); \
    } \
    __device__ inline float curand_normal(State* state) { \
        if (state->boxmuller_flag != 1) { \
            float2 both = curand_normal2(state); \
            state->boxmuller_extra = both.y; \
            state->boxmuller_flag = 1; \
            return both.x; \
        } \
        state->boxmuller_flag = 0; \
        return state->boxmuller_extra; \
    } \
    __device__ inline double curand_normal_double(State* state) { \
        if (state->boxmuller_flag_double != 1) { \
            double2 both = curand_normal2_double(state); \
            state->boxmuller_extra_double = both.y; \
            state->boxmuller_flag_double = 1; \
            return both.x; \
        } \
        state->boxmuller_flag_double = 0; \
        return state->boxmuller_extra_double; \
    } \
    __device__ inline float curand_log_normal(State* state, float mean, float deviation) { \
        return expf(mean + deviation * curand_normal(state)); \
    } \
    __device__ inline double curand_log_normal_double(State* state, double mean, double deviation) { \
        return exp(mean + deviation * curand_normal_double(state)); \
    }
__TILESCOPE_RANDOM(curandStateXORWOW) __TILESCOPE_RANDOM(curandStatePhilox4_32_10)
#undef __TILESCOPE_RANDOM
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    uint4 x = curand4(state);
    return make_float4(__tilescope_uniform(x.x), __tilescope_uniform(x.y), __tilescope_uniform(x.z), __tilescope_uniform(x.w));
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
    uint4 x = curand4(state);
    float2 a = __tilescope_normal(x.x, x.y), b = __tilescope_normal(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
