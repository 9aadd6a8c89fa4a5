
// The host's side of what nvcc gives a program: the C library. Functions without a body are those of kernels.simt.host.library.

#undef __managed__
#define __managed__ __attribute__((device, annotate("managed")))
typedef long time_t;
typedef long suseconds_t;
typedef int clockid_t;
typedef long ssize_t;
struct FILE { int number; };
inline FILE __tilescope_out{1};
inline FILE __tilescope_err{2};
inline FILE __tilescope_in{0};
#define stdout (&__tilescope_out)
#define stderr (&__tilescope_err)
#define stdin (&__tilescope_in)
#define EOF (-1)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000l
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define FLT_DIG 6
#define DBL_DIG 15
#define PRId32 "d"
#define PRIu32 "u"
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIi32 "d"
#define PRIi64 "ld"
#define PRIx32 "x"
#define PRIX32 "X"
#define PRIx64 "lx"
#define PRIX64 "lX"
#define INT32_C(n) n
#define UINT32_C(n) n##u
#define INT64_C(n) n##l
#define UINT64_C(n) n##ul
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct div_t { int quot, rem; };

__host__ __attribute__((format(printf, 1, 2))) int printf(const char*, ...);
__host__ __attribute__((format(printf, 2, 3))) int fprintf(FILE*, const char*, ...);
__host__ __attribute__((format(printf, 2, 3))) int sprintf(char*, const char*, ...);
__host__ __attribute__((format(printf, 3, 4))) int snprintf(char*, size_t, const char*, ...);
struct va_list { const long* next; };
__host__ const long* __tilescope_behind();
__host__ void __tilescope_no_argument(long, long);
__host__ int __tilescope_vfprintf(FILE*, const char*, const long*);
__host__ int __tilescope_vsprintf(char*, const char*, const long*);
__host__ int __tilescope_vsnprintf(char*, size_t, const char*, const long*);
#define va_start(list, ...) ((void)((list).next = __tilescope_behind()))
#define va_end(list) ((void)(list))
#define va_copy(to, from) ((void)((to) = (from)))
#define va_arg(list, ...) (*static_cast<__VA_ARGS__*>(__tilescope_argument(list, __tilescope_argument_kind<__VA_ARGS__>)))
template <class T> inline constexpr long __tilescope_argument_kind = static_cast<long>(sizeof(T)) + (__is_floating_point(T) ? 16 : 0);
template <class T> inline constexpr long __tilescope_argument_kind<T*> = 32;
inline __host__ void* __tilescope_argument(va_list& list, long wanted) {
    const long* at = list.next;
    long kind = at == 0 ? 0 : *at;
    if (kind != wanted && !(kind == 8 && wanted == 32)) __tilescope_no_argument(wanted, kind);
    list.next = at + 2;
    return const_cast<long*>(at + 1);
}
inline __host__ int vfprintf(FILE* to, const char* text, va_list list) { return __tilescope_vfprintf(to, text, list.next); }
inline __host__ int vprintf(const char* text, va_list list) { return __tilescope_vfprintf(stdout, text, list.next); }
inline __host__ int vsprintf(char* to, const char* text, va_list list) { return __tilescope_vsprintf(to, text, list.next); }
inline __host__ int vsnprintf(char* to, size_t n, const char* text, va_list list) { return __tilescope_vsnprintf(to, n, text, list.next); }
__host__ int puts(const char*);
__host__ int putchar(int);
__host__ int putc(int, FILE*);
__host__ int fputc(int, FILE*);
__host__ int fputs(const char*, FILE*);
__host__ int fflush(FILE*);
__host__ void setbuf(FILE*, char*);
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
inline __host__ int setvbuf(FILE*, char*, int, size_t) { return 0; }
__host__ void* calloc(size_t, size_t);
__host__ void* realloc(void*, size_t);
__host__ void* aligned_alloc(size_t, size_t);
__host__ void* alloca(size_t);
#define __builtin_alloca alloca
__host__ void* memmove(void*, const void*, size_t);
__host__ int memcmp(const void*, const void*, size_t);
__host__ size_t strlen(const char*);
__host__ int strcmp(const char*, const char*);
__host__ int strncmp(const char*, const char*, size_t);
__host__ char* strcpy(char*, const char*);
__host__ char* strncpy(char*, const char*, size_t);
__host__ char* strcat(char*, const char*);
__host__ char* strchr(const char*, int);
__host__ char* strstr(const char*, const char*);
inline __host__ char* strdup(const char* text) { size_t size = strlen(text) + 1; char* made = static_cast<char*>(malloc(size)); memcpy(made, text, size); return made; }
inline __host__ char* strrchr(const char* text, int c) {
    const char* found = 0;
    for (;; ++text) {
        if (*text == static_cast<char>(c)) found = text;
        if (!*text) return const_cast<char*>(found);
    }
}
inline __host__ char* strncat(char* to, const char* text, size_t n) {
    size_t at = strlen(to), i = 0;
    for (; i < n && text[i]; ++i) to[at + i] = text[i];
    to[at + i] = 0;
    return to;
}
inline __host__ size_t strspn(const char* text, const char* of) { size_t n = 0; while (text[n] && strchr(of, text[n])) ++n; return n; }
inline __host__ size_t strcspn(const char* text, const char* of) { size_t n = 0; while (text[n] && !strchr(of, text[n])) ++n; return n; }
inline __host__ char* strpbrk(const char* text, const char* of) { text += strcspn(text, of); return *text ? const_cast<char*>(text) : 0; }
inline char* __strtok_rest = 0;
inline __host__ char* strtok_r(char* text, const char* of, char** rest) {
    if (!text) text = *rest;
    if (!text) return 0;
    text += strspn(text, of);
    if (!*text) { *rest = 0; return 0; }
    char* end = text + strcspn(text, of);
    *rest = *end ? end + 1 : 0;
    *end = 0;
    return text;
}
inline __host__ char* strtok(char* text, const char* of) { return strtok_r(text, of, &__strtok_rest); }
inline __host__ void* memchr(const void* from, int c, size_t n) {
    const char* bytes = static_cast<const char*>(from);
    for (size_t i = 0; i < n; ++i) if (bytes[i] == static_cast<char>(c)) return const_cast<char*>(bytes + i);
    return 0;
}
inline __host__ void* bsearch(const void* key, const void* first, size_t n, size_t size, int (*compare)(const void*, const void*)) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char* at = static_cast<const char*>(first) + middle * size;
        int found = compare(key, at);
        if (found == 0) return const_cast<char*>(at);
        if (found < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}
__host__ __attribute__((noreturn)) void exit(int);
__host__ __attribute__((noreturn)) void _Exit(int);
__host__ __attribute__((noreturn)) void abort();
__host__ int rand();
__host__ void srand(unsigned);
__host__ double drand48();
__host__ void srand48(long);
__host__ int atoi(const char*);
__host__ long atol(const char*);
__host__ long long atoll(const char*);
__host__ double atof(const char*);
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
inline int __tilescope_errno = 0;
#define errno __tilescope_errno
inline __host__ const char* strerror(int error) {
    switch (error) {
        case 0: return "Success";
        case ENOENT: return "No such file or directory";
        case ENOMEM: return "Cannot allocate memory";
        case EINVAL: return "Invalid argument";
        case EDOM: return "Numerical argument out of domain";
        case ERANGE: return "Numerical result out of range";
        default: return "Unknown error";
    }
}
__host__ long strtol(const char*, char**, int, int*);
__host__ unsigned long strtoul(const char*, char**, int, int*);
__host__ double strtod(const char*, char**, int*);
__host__ float strtof(const char*, char**, int*);
inline __host__ long strtol(const char* text, char** end, int base) { return strtol(text, end, base, &errno); }
inline __host__ long long strtoll(const char* text, char** end, int base) { return strtol(text, end, base, &errno); }
inline __host__ unsigned long strtoul(const char* text, char** end, int base) { return strtoul(text, end, base, &errno); }
inline __host__ unsigned long long strtoull(const char* text, char** end, int base) { return strtoul(text, end, base, &errno); }
inline __host__ double strtod(const char* text, char** end) { return strtod(text, end, &errno); }
inline __host__ float strtof(const char* text, char** end) { return strtof(text, end, &errno); }
__host__ long clock();
__host__ time_t time(time_t*);
__host__ int gettimeofday(timeval*, void*);
__host__ int clock_gettime(clockid_t, timespec*);
__host__ void __assertion(bool, const char*);
__host__ int toupper(int);
__host__ int tolower(int);
__host__ int isdigit(int);
__host__ int isspace(int);
__host__ int isalpha(int);
inline __host__ int isupper(int c) { return c >= 'A' && c <= 'Z'; }
inline __host__ int islower(int c) { return c >= 'a' && c <= 'z'; }
inline __host__ int isalnum(int c) { return isupper(c) || islower(c) || (c >= '0' && c <= '9'); }
inline __host__ int isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline __host__ int isprint(int c) { return c >= ' ' && c <= '~'; }
inline __host__ int ispunct(int c) { return c > ' ' && c <= '~' && !isalnum(c); }
inline __host__ int strncasecmp(const char* a, const char* b, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        int differ = tolower(static_cast<unsigned char>(a[i])) - tolower(static_cast<unsigned char>(b[i]));
        if (differ != 0 || !a[i]) return differ;
    }
    return 0;
}
inline __host__ int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, ULONG_MAX); }
__host__ long labs(long);
__host__ long long llabs(long long);
__host__ unsigned usleep(unsigned);
__host__ unsigned sleep(unsigned);
__host__ char* getenv(const char*);
__host__ int fscanf(FILE*, const char*, ...);
__host__ int scanf(const char*, ...);
__host__ int sscanf(const char*, const char*, ...);
__host__ char* fgets(char*, int, FILE*);
__host__ int fgetc(FILE*);
__host__ int getc(FILE*);
__host__ int getchar();
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
__host__ FILE* fopen(const char*, const char*, int*);
inline __host__ FILE* fopen(const char* name, const char* mode) { return fopen(name, mode, &errno); }
__host__ int fclose(FILE*);
__host__ size_t fread(void*, size_t, size_t, FILE*);
__host__ size_t fwrite(const void*, size_t, size_t, FILE*);
__host__ int feof(FILE*);
__host__ int ferror(FILE*);
__host__ void clearerr(FILE*);
__host__ int ungetc(int, FILE*);
__host__ void rewind(FILE*);
__host__ int fseek(FILE*, long, int);
__host__ long ftell(FILE*);
inline __host__ void perror(const char* text) {
    if (text && *text) fprintf(stderr, "%s: %s\n", text, strerror(errno));
    else fprintf(stderr, "%s\n", strerror(errno));
}
// Refused in words where they are called.
__host__ int system(const char*);
__host__ int fork();
__host__ int socket(int, int, int);
__host__ int open(const char*, int, ...);
__host__ int atexit(void (*)());

#define __TILESCOPE_ONE(name) \
    __host__ double name(double); __host__ float name(float); __host__ float name##f(float); __host__ long double name(long double); \
    template <class T> __host__ std::enable_if_t<__is_integral(T), double> name(T x) { return name(static_cast<double>(x)); }
__TILESCOPE_ONE(sin) __TILESCOPE_ONE(cos) __TILESCOPE_ONE(tan) __TILESCOPE_ONE(asin) __TILESCOPE_ONE(acos) __TILESCOPE_ONE(atan)
__TILESCOPE_ONE(sinh) __TILESCOPE_ONE(cosh) __TILESCOPE_ONE(tanh) __TILESCOPE_ONE(exp) __TILESCOPE_ONE(exp2) __TILESCOPE_ONE(expm1)
__TILESCOPE_ONE(log) __TILESCOPE_ONE(log2) __TILESCOPE_ONE(log10) __TILESCOPE_ONE(log1p) __TILESCOPE_ONE(sqrt) __TILESCOPE_ONE(cbrt)
__TILESCOPE_ONE(floor) __TILESCOPE_ONE(ceil) __TILESCOPE_ONE(round) __TILESCOPE_ONE(trunc) __TILESCOPE_ONE(rint)
__TILESCOPE_ONE(nearbyint) __TILESCOPE_ONE(asinh) __TILESCOPE_ONE(acosh) __TILESCOPE_ONE(atanh)
__TILESCOPE_ONE(erf) __TILESCOPE_ONE(erfc) __TILESCOPE_ONE(tgamma) __TILESCOPE_ONE(lgamma) __TILESCOPE_ONE(fabs)
#undef __TILESCOPE_ONE
#define __TILESCOPE_TWO(name) \
    __host__ double name(double, double); __host__ float name(float, float); __host__ float name##f(float, float); \
    __host__ long double name(long double, long double); \
    template <class T, class U> \
    __host__ std::enable_if_t<__is_arithmetic(T) && __is_arithmetic(U) && !std::is_same_v<T, U>, double> name(T x, U y) { \
        return name(static_cast<double>(x), static_cast<double>(y)); \
    } \
    template <class T> __host__ std::enable_if_t<__is_integral(T), double> name(T x, T y) { \
        return name(static_cast<double>(x), static_cast<double>(y)); \
    }
__TILESCOPE_TWO(pow) __TILESCOPE_TWO(atan2) __TILESCOPE_TWO(fmod) __TILESCOPE_TWO(hypot) __TILESCOPE_TWO(fmin) __TILESCOPE_TWO(fmax)
__TILESCOPE_TWO(fdim) __TILESCOPE_TWO(copysign) __TILESCOPE_TWO(remainder) __TILESCOPE_TWO(nextafter)
#undef __TILESCOPE_TWO
__host__ double fma(double, double, double);
__host__ float fmaf(float, float, float);
__host__ long lround(double);
__host__ double ldexp(double, int);
inline __host__ long long llround(double x) { return lround(x); }
inline __host__ long lrint(double x) { return static_cast<long>(rint(x)); }
inline __host__ long long llrint(double x) { return static_cast<long long>(rint(x)); }
inline __host__ bool signbit(double x) { return copysign(1.0, x) < 0; }
inline __host__ bool signbit(float x) { return copysign(1.0f, x) < 0; }
inline __host__ double frexp(double x, int* power) {
    *power = 0;
    if (x == 0.0 || !(x - x == 0.0)) return x;
    int n = static_cast<int>(floor(log2(fabs(x)))) + 1;
    double part = ldexp(x, -n);
    if (fabs(part) >= 1.0) { part = part / 2; n = n + 1; }
    if (fabs(part) < 0.5) { part = part * 2; n = n - 1; }
    *power = n;
    return part;
}
inline __host__ div_t div(int a, int b) { div_t made = {a / b, a % b}; return made; }
inline __host__ double modf(double x, double* whole) { *whole = trunc(x); return copysign(x == *whole ? 0.0 : x - *whole, x); }
inline __host__ float modf(float x, float* whole) { *whole = trunc(x); return copysign(x == *whole ? 0.0f : x - *whole, x); }
inline __host__ float modff(float x, float* whole) { return modf(x, whole); }
inline __host__ int abs(int x) { return x < 0 ? -x : x; }
inline __host__ long abs(long x) { return x < 0 ? -x : x; }
inline __host__ long long abs(long long x) { return x < 0 ? -x : x; }
inline __host__ float abs(float x) { return fabs(x); }
inline __host__ double abs(double x) { return fabs(x); }
__host__ long double abs(long double);
inline __host__ bool isnan(double x) { return x != x; }
inline __host__ bool isnan(float x) { return x != x; }
inline __host__ bool isinf(double x) { return x == x && x - x != x - x; }
inline __host__ bool isinf(float x) { return x == x && x - x != x - x; }
inline __host__ bool isfinite(double x) { return x - x == x - x; }
inline __host__ bool isfinite(float x) { return x - x == x - x; }
#define __TILESCOPE_ORDER(type) \
    inline __host__ type min(type a, type b) { return b < a ? b : a; } \
    inline __host__ type max(type a, type b) { return a < b ? b : a; }
__TILESCOPE_ORDER(int) __TILESCOPE_ORDER(unsigned) __TILESCOPE_ORDER(long) __TILESCOPE_ORDER(unsigned long)
__TILESCOPE_ORDER(long long) __TILESCOPE_ORDER(unsigned long long) __TILESCOPE_ORDER(float) __TILESCOPE_ORDER(double)
#undef __TILESCOPE_ORDER
#define __TILESCOPE_VECTOR(name, scalar) \
    inline __host__ name##1 make_##name##1(scalar x) { return name##1{x}; } \
    inline __host__ name##2 make_##name##2(scalar x, scalar y) { return name##2{x, y}; } \
    inline __host__ name##3 make_##name##3(scalar x, scalar y, scalar z) { return name##3{x, y, z}; } \
    inline __host__ name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return name##4{x, y, z, w}; }
__TILESCOPE_VECTOR(float, float) __TILESCOPE_VECTOR(double, double) __TILESCOPE_VECTOR(int, int) __TILESCOPE_VECTOR(uint, unsigned)
__TILESCOPE_VECTOR(uchar, unsigned char) __TILESCOPE_VECTOR(char, signed char)
#undef __TILESCOPE_VECTOR
__host__ void* __tilescope_kept(size_t);
__host__ void __tilescope_drop(void*);
// As the GNU C library sorts: by merging, so that equal elements stay in order.
struct __word12 { int words[3]; };
struct __word16 { long words[2]; };
template <class T> __host__ void __merge(T* from, T* into, size_t n, int (*before)(const void*, const void*)) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; ++i) {
                bool first = left < middle && (right >= end || before(from + left, from + right) <= 0);
                if (first) { into[i] = from[left]; left = left + 1; }
                else { into[i] = from[right]; right = right + 1; }
            }
        }
        for (size_t i = 0; i < n; ++i) from[i] = into[i];
    }
}
inline __host__ void __merge_bytes(char* from, char* into, size_t n, size_t size, int (*before)(const void*, const void*)) {
    for (size_t i = 1; i < n; ++i) {
        size_t place = i;
        memmove(into, from + i * size, size);
        while (place > 0 && before(into, from + (place - 1) * size) < 0) place = place - 1;
        memmove(from + (place + 1) * size, from + place * size, (i - place) * size);
        memmove(from + place * size, into, size);
    }
}
inline __host__ void qsort(void* first, size_t n, size_t size, int (*before)(const void*, const void*)) {
    void* room = __tilescope_kept(n * size);
    if (size == 1) __merge(static_cast<char*>(first), static_cast<char*>(room), n, before);
    else if (size == 4) __merge(static_cast<int*>(first), static_cast<int*>(room), n, before);
    else if (size == 8) __merge(static_cast<long*>(first), static_cast<long*>(room), n, before);
    else if (size == 12) __merge(static_cast<__word12*>(first), static_cast<__word12*>(room), n, before);
    else if (size == 16) __merge(static_cast<__word16*>(first), static_cast<__word16*>(room), n, before);
    else __merge_bytes(static_cast<char*>(first), static_cast<char*>(room), n, size, before);
    __tilescope_drop(room);
}
