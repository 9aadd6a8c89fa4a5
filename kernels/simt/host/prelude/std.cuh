
// Parts of the C++ library, written in terms of the above.

__host__ void __tilescope_write_text(int, const char*);
__host__ void __tilescope_write_signed(int, long long);
__host__ void __tilescope_write_unsigned(int, unsigned long long);
__host__ void __tilescope_write_double(int, double);
__host__ void __tilescope_write_char(int, int);
__host__ void __tilescope_write_bool(int, bool);
__host__ void __tilescope_write_pointer(int, const void*);
__host__ void __tilescope_format(int, int, int);
__host__ long __tilescope_nanoseconds();
__host__ void* __tilescope_kept(size_t);

namespace std {
using ::malloc; using ::free; using ::calloc; using ::exit; using ::abort; using ::rand; using ::srand; using ::atoi; using ::atof;
using ::strlen; using ::strcmp; using ::strcpy; using ::memcmp; using ::fprintf; using ::puts; using ::clock; using ::time; using ::time_t;
using ::clock_t; using ::lround; using ::cbrt; using ::erf; using ::hypot; using ::atan2; using ::asin; using ::acos; using ::atan;
using ::sqrt; using ::exp; using ::exp2; using ::log; using ::log2; using ::log10; using ::pow; using ::sin; using ::cos; using ::tan;
using ::tanh; using ::sinh; using ::cosh; using ::floor; using ::ceil; using ::round; using ::trunc; using ::fabs; using ::abs;
using ::fmin; using ::fmax; using ::fma; using ::fmod; using ::min; using ::max; using ::isnan; using ::isinf; using ::isfinite;
using ::printf; using ::getenv; using ::memmove; using ::strcat; using ::strchr; using ::strtol; using ::strtod; using ::putchar;
using ::perror; using ::fflush; using ::sqrtf; using ::fabsf; using ::powf; using ::expf; using ::logf; using ::sinf; using ::cosf;
using ::FILE; using ::snprintf; using ::sprintf; using ::log1p; using ::rint;

struct __endl { int unused; };
struct __setting { int what, value; };
inline constexpr __endl endl{0};
inline constexpr __setting fixed{1, 0}, scientific{2, 0}, defaultfloat{3, 0}, left{4, 0}, right{5, 0}, boolalpha{8, 1}, noboolalpha{8, 0};
inline constexpr __setting hex{9, 16}, dec{9, 10}, flush{0, 0};
inline __host__ __setting setprecision(int n) { return __setting{6, n}; }
inline __host__ __setting setw(int n) { return __setting{7, n}; }
inline __host__ __setting setfill(char c) { return __setting{10, c}; }
struct ostream {
    int number;
    __host__ ostream& operator<<(const char* v) { __tilescope_write_text(number, v); return *this; }
    __host__ ostream& operator<<(char v) { __tilescope_write_char(number, v); return *this; }
    __host__ ostream& operator<<(signed char v) { __tilescope_write_char(number, v); return *this; }
    __host__ ostream& operator<<(unsigned char v) { __tilescope_write_char(number, v); return *this; }
    __host__ ostream& operator<<(bool v) { __tilescope_write_bool(number, v); return *this; }
    __host__ ostream& operator<<(short v) { __tilescope_write_signed(number, v); return *this; }
    __host__ ostream& operator<<(unsigned short v) { __tilescope_write_unsigned(number, v); return *this; }
    __host__ ostream& operator<<(int v) { __tilescope_write_signed(number, v); return *this; }
    __host__ ostream& operator<<(unsigned v) { __tilescope_write_unsigned(number, v); return *this; }
    __host__ ostream& operator<<(long v) { __tilescope_write_signed(number, v); return *this; }
    __host__ ostream& operator<<(unsigned long v) { __tilescope_write_unsigned(number, v); return *this; }
    __host__ ostream& operator<<(long long v) { __tilescope_write_signed(number, v); return *this; }
    __host__ ostream& operator<<(unsigned long long v) { __tilescope_write_unsigned(number, v); return *this; }
    __host__ ostream& operator<<(float v) { __tilescope_write_double(number, v); return *this; }
    __host__ ostream& operator<<(double v) { __tilescope_write_double(number, v); return *this; }
    __host__ ostream& operator<<(const void* v) { __tilescope_write_pointer(number, v); return *this; }
    __host__ ostream& operator<<(__endl) { __tilescope_write_char(number, 10); return *this; }
    __host__ ostream& operator<<(__setting v) { __tilescope_format(number, v.what, v.value); return *this; }
};
inline ostream cout{1};
inline ostream cerr{2};
inline ostream clog{2};

template <long N, long D = 1> struct ratio {};
typedef ratio<1, 1000> milli;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000000000> nano;
namespace chrono {
template <class P> struct __unit;
template <long N, long D> struct __unit<ratio<N, D>> { static constexpr long nanoseconds = 1000000000l / D * N; };
template <class R, class P = ratio<1>> struct duration {
    R ticks;
    constexpr __host__ duration() : ticks(0) {}
    constexpr __host__ explicit duration(R n) : ticks(n) {}
    template <class S, class Q> constexpr __host__ duration(const duration<S, Q>& other)
        : ticks(static_cast<R>(static_cast<R>(other.ticks) * __unit<Q>::nanoseconds / __unit<P>::nanoseconds)) {}
    constexpr __host__ R count() const { return ticks; }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
template <class D, class R, class P> __host__ D duration_cast(const duration<R, P>& other) { return D(other); }
struct time_point {
    long since;
    __host__ nanoseconds time_since_epoch() const { return nanoseconds(since); }
};
inline __host__ nanoseconds operator-(time_point a, time_point b) { return nanoseconds(a.since - b.since); }
struct high_resolution_clock {
    typedef std::chrono::time_point time_point;
    static __host__ time_point now() { return time_point{__tilescope_nanoseconds()}; }
};
typedef high_resolution_clock steady_clock;
typedef high_resolution_clock system_clock;
}

template <class T> class vector {
    T* first;
    size_t used, room;
public:
    typedef T value_type;
    __host__ vector() : first(0), used(0), room(0) {}
    __host__ explicit vector(size_t n) : first(0), used(0), room(0) { resize(n); }
    __host__ vector(size_t n, const T& value) : first(0), used(0), room(0) { assign(n, value); }
    __host__ vector(const vector& other) : first(0), used(0), room(0) { copy(other); }
    __host__ vector& operator=(const vector& other) { if (this != &other) { used = 0; copy(other); } return *this; }
    __host__ void reserve(size_t n) {
        if (n <= room) return;
        T* wider = static_cast<T*>(__tilescope_kept(n * sizeof(T)));
        for (size_t i = 0; i < used; ++i) wider[i] = first[i];
        first = wider;
        room = n;
    }
    __host__ void resize(size_t n) { reserve(n); for (size_t i = used; i < n; ++i) first[i] = T{}; used = n; }
    __host__ void assign(size_t n, const T& value) { reserve(n); for (size_t i = 0; i < n; ++i) first[i] = value; used = n; }
    __host__ void push_back(const T& value) { if (used == room) reserve(room ? 2 * room : 1); first[used] = value; used = used + 1; }
    __host__ void pop_back() { used = used - 1; }
    __host__ void clear() { used = 0; }
    __host__ size_t size() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ T* data() { return first; }
    __host__ const T* data() const { return first; }
    __host__ T* begin() { return first; }
    __host__ T* end() { return first + used; }
    __host__ const T* begin() const { return first; }
    __host__ const T* end() const { return first + used; }
    __host__ T& operator[](size_t i) { return first[i]; }
    __host__ const T& operator[](size_t i) const { return first[i]; }
    __host__ T& back() { return first[used - 1]; }
    __host__ T& front() { return first[0]; }
private:
    __host__ void copy(const vector& other) { reserve(other.used); for (size_t i = 0; i < other.used; ++i) first[i] = other.first[i]; used = other.used; }
};
template <class I, class T> __host__ void fill(I from, I to, const T& value) { for (; from != to; ++from) *from = value; }
template <class I, class T> __host__ T accumulate(I from, I to, T sum) { for (; from != to; ++from) sum = sum + *from; return sum; }
template <class I, class O> __host__ O copy(I from, I to, O into) { for (; from != to; ++from, ++into) *into = *from; return into; }
template <class I> __host__ void iota(I from, I to, int value) { for (; from != to; ++from, ++value) *from = value; }
template <class I, class F> __host__ void generate(I from, I to, F make) { for (; from != to; ++from) *from = make(); }
template <class I, class F> __host__ void for_each(I from, I to, F use) { for (; from != to; ++from) use(*from); }
template <class I, class O, class F> __host__ void transform(I from, I to, O into, F make) {
    for (; from != to; ++from, ++into) *into = make(*from);
}
template <class I, class J, class O, class F> __host__ void transform(I from, I to, J with, O into, F make) {
    for (; from != to; ++from, ++with, ++into) *into = make(*from, *with);
}
template <class I, class T> __host__ I find(I from, I to, const T& value) {
    I place = from;
    while (place != to && !(*place == value)) ++place;
    return place;
}
template <class I, class T> __host__ long count(I from, I to, const T& value) {
    long n = 0;
    for (; from != to; ++from) n += *from == value;
    return n;
}
template <class I> __host__ I max_element(I from, I to) {
    I best = from;
    for (I each = from; each != to; ++each) if (*best < *each) best = each;
    return best;
}
template <class I> __host__ I min_element(I from, I to) {
    I best = from;
    for (I each = from; each != to; ++each) if (*each < *best) best = each;
    return best;
}
template <class I, class J> __host__ bool equal(I from, I to, J with) {
    bool same = true;
    for (; from != to && same; ++from, ++with) same = *from == *with;
    return same;
}
template <class T> __host__ void reverse(T* from, T* to) {
    for (; from < to; ++from) { --to; T kept = *from; *from = *to; *to = kept; }
}
template <class T, class F> __host__ void __sift(T* heap, long root, long size, F before) {
    for (long child = 2 * root + 1; child < size; child = 2 * root + 1) {
        if (child + 1 < size && before(heap[child], heap[child + 1])) child = child + 1;
        if (!before(heap[root], heap[child])) break;
        T kept = heap[root];
        heap[root] = heap[child];
        heap[child] = kept;
        root = child;
    }
}
template <class T, class F> __host__ void sort(T* from, T* to, F before) {
    long size = to - from;
    for (long root = size / 2 - 1; root >= 0; --root) __sift(from, root, size, before);
    for (long end = size - 1; end > 0; --end) {
        T kept = from[0];
        from[0] = from[end];
        from[end] = kept;
        __sift(from, 0, end, before);
    }
}
template <class T> __host__ void sort(T* from, T* to) { sort(from, to, [](const T& a, const T& b) { return a < b; }); }
template <class T> struct greater { __host__ bool operator()(const T& a, const T& b) const { return b < a; } };
template <class T> struct less { __host__ bool operator()(const T& a, const T& b) const { return a < b; } };

template <class T, size_t N> struct array {
    T elements[N];
    __host__ T& operator[](size_t i) { return elements[i]; }
    __host__ const T& operator[](size_t i) const { return elements[i]; }
    __host__ size_t size() const { return N; }
    __host__ T* data() { return elements; }
    __host__ T* begin() { return elements; }
    __host__ T* end() { return elements + N; }
    __host__ void fill(const T& value) { for (size_t i = 0; i < N; ++i) elements[i] = value; }
};

struct mt19937 {
    unsigned words[624];
    unsigned place;
    typedef unsigned result_type;
    __host__ mt19937(unsigned seed = 5489u) {
        words[0] = seed;
        for (unsigned i = 1; i < 624; ++i) words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
        place = 624;
    }
    __host__ unsigned operator()() {
        if (place >= 624) {
            for (int i = 0; i < 624; ++i) {
                unsigned y = (words[i] & 0x80000000u) | (words[(i + 1) % 624] & 0x7fffffffu);
                words[i] = words[(i + 397) % 624] ^ (y >> 1) ^ (y & 1u ? 0x9908b0dfu : 0u);
            }
            place = 0;
        }
        unsigned y = words[place];
        place = place + 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }
};
template <class T = double> struct uniform_real_distribution {
    T low, high;
    __host__ uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
    __host__ T operator()(mt19937& generator) {
        T found;
        if (sizeof(T) == 4) {
            found = static_cast<T>(static_cast<float>(generator()) * 0x1p-32f);
            if (found >= T(1)) found = T(0x1.fffffep-1f);
        } else {
            double first = generator(), second = generator();
            found = static_cast<T>((first + second * 0x1p32) * 0x1p-64);
        }
        return found * (high - low) + low;
    }
};
template <class T = int> struct uniform_int_distribution {
    T low, high;
    __host__ uniform_int_distribution(T a = 0, T b = 2147483647) : low(a), high(b) {}
    __host__ T operator()(mt19937& generator) {
        unsigned long range = static_cast<unsigned long>(high) - static_cast<unsigned long>(low) + 1;
        unsigned long product = generator() * range;
        unsigned rest = static_cast<unsigned>(product);
        if (rest < range) {
            unsigned least = static_cast<unsigned>(-static_cast<unsigned>(range)) % static_cast<unsigned>(range);
            while (rest < least) {
                product = generator() * range;
                rest = static_cast<unsigned>(product);
            }
        }
        return static_cast<T>(static_cast<unsigned long>(low) + (product >> 32));
    }
};
}

namespace std {
struct string {
    char* first;
    size_t used;
    static constexpr size_t npos = ~0ul;
    __host__ string() : first(0), used(0) { set("", 0); }
    __host__ string(const char* text) : first(0), used(0) { set(text, strlen(text)); }
    __host__ string(size_t n, char c) : first(0), used(n) {
        first = static_cast<char*>(__tilescope_kept(n + 1));
        memset(first, c, n);
        first[n] = 0;
    }
    __host__ string(const string& other) : first(0), used(0) { set(other.first, other.used); }
    __host__ string& operator=(const string& other) { set(other.first, other.used); return *this; }
    __host__ string& operator=(const char* text) { set(text, strlen(text)); return *this; }
    __host__ void set(const char* text, size_t n) {
        char* made = static_cast<char*>(__tilescope_kept(n + 1));
        memcpy(made, text, n);
        made[n] = 0;
        first = made;
        used = n;
    }
    __host__ void add(const char* text, size_t n) {
        char* made = static_cast<char*>(__tilescope_kept(used + n + 1));
        memcpy(made, first, used);
        memcpy(made + used, text, n);
        made[used + n] = 0;
        first = made;
        used = used + n;
    }
    __host__ string& operator+=(const string& other) { add(other.first, other.used); return *this; }
    __host__ string& operator+=(const char* text) { add(text, strlen(text)); return *this; }
    __host__ string& operator+=(char c) { add(&c, 1); return *this; }
    __host__ void push_back(char c) { add(&c, 1); }
    __host__ const char* c_str() const { return first; }
    __host__ const char* data() const { return first; }
    __host__ size_t size() const { return used; }
    __host__ size_t length() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ char& operator[](size_t i) { return first[i]; }
    __host__ const char& operator[](size_t i) const { return first[i]; }
    __host__ string substr(size_t from, size_t n = npos) const {
        string part;
        size_t room = from < used ? used - from : 0;
        part.set(first + (from < used ? from : used), n < room ? n : room);
        return part;
    }
    __host__ size_t find(const char* text, size_t from = 0) const {
        const char* found = from <= used ? strstr(first + from, text) : 0;
        return found ? found - first : npos;
    }
    __host__ size_t find(char c, size_t from = 0) const {
        for (size_t i = from; i < used; ++i) if (first[i] == c) return i;
        return npos;
    }
};
inline __host__ string operator+(const string& a, const string& b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const string& a, const char* b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const char* a, const string& b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const string& a, char b) { string sum(a); sum += b; return sum; }
inline __host__ bool operator==(const string& a, const string& b) { return strcmp(a.first, b.first) == 0; }
inline __host__ bool operator==(const string& a, const char* b) { return strcmp(a.first, b) == 0; }
inline __host__ bool operator!=(const string& a, const string& b) { return strcmp(a.first, b.first) != 0; }
inline __host__ bool operator!=(const string& a, const char* b) { return strcmp(a.first, b) != 0; }
inline __host__ bool operator<(const string& a, const string& b) { return strcmp(a.first, b.first) < 0; }
inline __host__ ostream& operator<<(ostream& out, const string& text) { __tilescope_write_text(out.number, text.first); return out; }
#define __TILESCOPE_TEXT(type, format) \
    inline __host__ string to_string(type v) { char text[400]; snprintf(text, 400, format, v); return string(text); }
__TILESCOPE_TEXT(int, "%d") __TILESCOPE_TEXT(unsigned, "%u") __TILESCOPE_TEXT(long, "%ld") __TILESCOPE_TEXT(unsigned long, "%lu")
__TILESCOPE_TEXT(long long, "%lld") __TILESCOPE_TEXT(unsigned long long, "%llu") __TILESCOPE_TEXT(float, "%f") __TILESCOPE_TEXT(double, "%f")
#undef __TILESCOPE_TEXT
inline __host__ int stoi(const string& text) { return atoi(text.first); }
inline __host__ long stol(const string& text) { return atol(text.first); }
inline __host__ double stod(const string& text) { return atof(text.first); }
inline __host__ float stof(const string& text) { return atof(text.first); }
}
