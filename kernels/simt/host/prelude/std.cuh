
// Parts of the C++ library, written in terms of the above.

__host__ void __tilescope_write_text(int, const char*, long = -1);
__host__ void __tilescope_write_signed(int, long long);
__host__ void __tilescope_write_unsigned(int, unsigned long long);
__host__ void __tilescope_write_double(int, double);
__host__ void __tilescope_write_char(int, int);
__host__ void __tilescope_write_bool(int, bool);
__host__ void __tilescope_write_pointer(int, const void*);
__host__ int __tilescope_format(int, int, int);
__host__ long __tilescope_nanoseconds();
__host__ void* __tilescope_kept(size_t);
__host__ void __tilescope_drop(void*);
__host__ bool __tilescope_at(size_t, size_t);
__host__ void* __tilescope_new(size_t);
__host__ void* __tilescope_new_zeroed(size_t, size_t);
__host__ void __tilescope_delete(void*);
__host__ void __tilescope_delete_array(void*);
__host__ size_t __tilescope_count(const void*, size_t);
__host__ void* operator new(size_t, void*) noexcept;
template <class T> using __tilescope_bare = std::remove_cv_t<std::remove_reference_t<T>>;

namespace std {
inline __host__ void __beyond(const char*, size_t, size_t);
using ::strrchr; using ::strncat; using ::strtok; using ::strspn; using ::strcspn; using ::strpbrk; using ::memchr; using ::bsearch; using ::qsort;
using ::isupper; using ::islower; using ::isalnum; using ::isdigit; using ::isspace; using ::isalpha; using ::ispunct; using ::toupper; using ::tolower;
using ::strncmp; using ::strncpy; using ::strstr; using ::memcpy; using ::memset; using ::realloc; using ::strtoul; using ::sscanf;
using ::malloc; using ::free; using ::calloc; using ::exit; using ::abort; using ::rand; using ::srand; using ::atoi; using ::atof;
using ::strlen; using ::strcmp; using ::strcpy; using ::memcmp; using ::fprintf; using ::puts; using ::clock; using ::time; using ::time_t;
using ::clock_t; using ::lround; using ::cbrt; using ::erf; using ::hypot; using ::atan2; using ::asin; using ::acos; using ::atan;
using ::sqrt; using ::exp; using ::exp2; using ::log; using ::log2; using ::log10; using ::pow; using ::sin; using ::cos; using ::tan;
using ::tanh; using ::sinh; using ::cosh; using ::floor; using ::ceil; using ::round; using ::trunc; using ::fabs; using ::abs;
using ::fmin; using ::fmax; using ::fma; using ::fmod; using ::min; using ::max; using ::isnan; using ::isinf; using ::isfinite;
using ::printf; using ::getenv; using ::memmove; using ::strcat; using ::strchr; using ::strtol; using ::strtod; using ::strtof; using ::strtoll; using ::strtoull; using ::strerror; using ::putchar;
using ::perror; using ::fflush; using ::sqrtf; using ::fabsf; using ::powf; using ::expf; using ::logf; using ::sinf; using ::cosf;
using ::FILE; using ::fopen; using ::fclose; using ::fread; using ::fwrite; using ::feof; using ::ferror; using ::rewind; using ::fseek; using ::ftell;
using ::fgets; using ::fgetc; using ::getc; using ::ungetc; using ::fscanf; using ::scanf; using ::getchar; using ::snprintf; using ::sprintf; using ::va_list; using ::vprintf; using ::vfprintf; using ::vsprintf; using ::vsnprintf; using ::log1p; using ::rint;
using ::expm1; using ::erfc; using ::tgamma; using ::lgamma; using ::asinh; using ::acosh; using ::atanh; using ::nearbyint; using ::fdim;
using ::copysign; using ::remainder; using ::ldexp; using ::modf; using ::frexp; using ::div; using ::signbit; using ::lrint; using ::llround; using ::llrint;

struct __endl { int unused; };
struct __setting { int what, value; };
inline constexpr __endl endl{0};
inline constexpr __setting fixed{1, 0}, scientific{2, 0}, defaultfloat{3, 0}, left{4, 0}, right{5, 0}, boolalpha{8, 1}, noboolalpha{8, 0};
inline constexpr __setting hex{9, 16}, oct{9, 8}, dec{9, 10}, flush{0, 0}, showbase{11, 1}, noshowbase{11, 0}, showpos{12, 1}, noshowpos{12, 0};
inline constexpr __setting uppercase{13, 1}, nouppercase{13, 0}, showpoint{14, 1}, noshowpoint{14, 0};
typedef long streamsize;
inline __host__ __setting setprecision(int n) { return __setting{6, n}; }
inline __host__ __setting setw(int n) { return __setting{7, n}; }
inline __host__ __setting setbase(int n) { return __setting{9, n == 8 || n == 16 ? n : 10}; }
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
    __host__ long precision() const { return __tilescope_format(number, 6, -1); }
    __host__ long precision(long n) { return __tilescope_format(number, 6, n); }
    __host__ long width(long n) { return __tilescope_format(number, 7, n); }
    __host__ char fill(char c) { return __tilescope_format(number, 10, c); }
    __host__ void setf(__setting v) { __tilescope_format(number, v.what, v.value); }
    __host__ void setf(__setting v, int) { __tilescope_format(number, v.what, v.value); }
    __host__ int flags() const { return __tilescope_format(number, 15, -1); }
    __host__ int flags(int v) { return __tilescope_format(number, 15, v); }
    __host__ void unsetf(int field) { if (field == 1) __tilescope_format(number, 3, 0); else if (field == 2) __tilescope_format(number, 5, 0); else __tilescope_format(number, 9, 10); }
    __host__ ostream& put(char v) { __tilescope_write_char(number, v); return *this; }
    __host__ ostream& write(const char* text, long n) { for (long i = 0; i < n; ++i) __tilescope_write_char(number, text[i]); return *this; }
    __host__ ostream& flush() { __tilescope_format(number, 0, 0); return *this; }
    __host__ explicit operator bool() const { return true; }
    __host__ ostream& operator<<(__endl) { __tilescope_write_char(number, 10); return *this; }
    __host__ ostream& operator<<(__setting v) { __tilescope_format(number, v.what, v.value); return *this; }
};
struct ios {
    static constexpr __setting fixed{1, 0}, scientific{2, 0}, left{4, 0}, right{5, 0}, boolalpha{8, 1}, hex{9, 16}, showpos{12, 1}, showpoint{14, 1};
    static constexpr int floatfield = 1, adjustfield = 2, basefield = 3;
    typedef int openmode;
    typedef int fmtflags;
    static constexpr int in = 1, out = 2, binary = 4, app = 8, trunc = 16, ate = 32, beg = 0, cur = 1, end = 2;
    static __host__ bool sync_with_stdio(bool) { return true; }
};
typedef ios ios_base;
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
    typedef R rep;
    typedef P period;
    constexpr __host__ duration() : ticks(0) {}
    template <class S, class = enable_if_t<__is_arithmetic(S)>> constexpr __host__ explicit duration(S n) : ticks(static_cast<R>(n)) {}
    template <class S, class Q> constexpr __host__ duration(const duration<S, Q>& other)
        : ticks(static_cast<R>(static_cast<R>(other.ticks) * __unit<Q>::nanoseconds / __unit<P>::nanoseconds)) {}
    constexpr __host__ R count() const { return ticks; }
    __host__ duration& operator+=(const duration& other) { ticks += other.ticks; return *this; }
    __host__ duration& operator-=(const duration& other) { ticks -= other.ticks; return *this; }
    static constexpr __host__ duration zero() { return duration(0); }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;
template <class D, class R, class P> __host__ D duration_cast(const duration<R, P>& other) { return D(other); }
template <class A, class B> struct __finer;
template <class R, class P, class S, class Q> struct __finer<duration<R, P>, duration<S, Q>> {
    typedef decltype(R() + S()) rep;
    typedef duration<rep, conditional_t<(__unit<P>::nanoseconds < __unit<Q>::nanoseconds), P, Q>> type;
};
template <class A, class B> using __finer_t = typename __finer<A, B>::type;
template <class R, class P, class S, class Q> __host__ auto operator+(const duration<R, P>& a, const duration<S, Q>& b) {
    typedef __finer_t<duration<R, P>, duration<S, Q>> D;
    return D(D(a).ticks + D(b).ticks);
}
template <class R, class P, class S, class Q> __host__ auto operator-(const duration<R, P>& a, const duration<S, Q>& b) {
    typedef __finer_t<duration<R, P>, duration<S, Q>> D;
    return D(D(a).ticks - D(b).ticks);
}
template <class R, class P, class S, class Q> __host__ auto operator/(const duration<R, P>& a, const duration<S, Q>& b) {
    typedef __finer_t<duration<R, P>, duration<S, Q>> D;
    return D(a).ticks / D(b).ticks;
}
template <class R, class P, class N> __host__ duration<R, P> operator*(const duration<R, P>& a, N n) { return duration<R, P>(static_cast<R>(a.ticks * n)); }
template <class R, class P, class N, class = enable_if_t<__is_arithmetic(N)>> __host__ duration<R, P> operator/(const duration<R, P>& a, N n) { return duration<R, P>(static_cast<R>(a.ticks / n)); }
template <class R, class P, class S, class Q> __host__ bool operator<(const duration<R, P>& a, const duration<S, Q>& b) {
    return static_cast<double>(a.ticks) * __unit<P>::nanoseconds < static_cast<double>(b.ticks) * __unit<Q>::nanoseconds;
}
template <class R, class P, class S, class Q> __host__ bool operator>(const duration<R, P>& a, const duration<S, Q>& b) { return b < a; }
template <class R, class P, class S, class Q> __host__ bool operator<=(const duration<R, P>& a, const duration<S, Q>& b) { return !(b < a); }
template <class R, class P, class S, class Q> __host__ bool operator>=(const duration<R, P>& a, const duration<S, Q>& b) { return !(a < b); }
template <class R, class P, class S, class Q> __host__ bool operator==(const duration<R, P>& a, const duration<S, Q>& b) { return !(a < b) && !(b < a); }
template <class R, class P, class S, class Q> __host__ bool operator!=(const duration<R, P>& a, const duration<S, Q>& b) { return a < b || b < a; }
template <class C, class D = nanoseconds> struct time_point {
    long since;
    typedef D duration;
    typedef C clock;
    __host__ time_point() : since(0) {}
    template <class R, class P> __host__ explicit time_point(const std::chrono::duration<R, P>& d) : since(nanoseconds(d).count()) {}
    __host__ nanoseconds time_since_epoch() const { return nanoseconds(since); }
    __host__ bool operator<(const time_point& other) const { return since < other.since; }
    __host__ bool operator>(const time_point& other) const { return since > other.since; }
    __host__ bool operator<=(const time_point& other) const { return since <= other.since; }
    __host__ bool operator>=(const time_point& other) const { return since >= other.since; }
    __host__ bool operator==(const time_point& other) const { return since == other.since; }
    __host__ bool operator!=(const time_point& other) const { return since != other.since; }
    template <class R, class P> __host__ time_point operator+(const std::chrono::duration<R, P>& by) const { return time_point(nanoseconds(since) + nanoseconds(by)); }
    template <class R, class P> __host__ time_point operator-(const std::chrono::duration<R, P>& by) const { return time_point(nanoseconds(since) - nanoseconds(by)); }
    template <class R, class P> __host__ time_point& operator+=(const std::chrono::duration<R, P>& by) { since += nanoseconds(by).count(); return *this; }
    template <class R, class P> __host__ time_point& operator-=(const std::chrono::duration<R, P>& by) { since -= nanoseconds(by).count(); return *this; }
};
template <class C, class D> __host__ nanoseconds operator-(const time_point<C, D>& a, const time_point<C, D>& b) { return nanoseconds(a.since - b.since); }
struct steady_clock {
    typedef std::chrono::time_point<steady_clock> time_point;
    typedef nanoseconds duration;
    static constexpr bool is_steady = true;
    static __host__ time_point now() { return time_point(nanoseconds(__tilescope_nanoseconds())); }
};
struct system_clock {
    typedef std::chrono::time_point<system_clock> time_point;
    typedef nanoseconds duration;
    static constexpr bool is_steady = false;
    static __host__ time_point now() {
        timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        return from_time_t(t.tv_sec) + nanoseconds(t.tv_nsec);
    }
    static __host__ time_t to_time_t(const time_point& t) { return t.since / 1000000000l; }
    static __host__ time_point from_time_t(time_t t) { return time_point(seconds(t)); }
};
typedef system_clock high_resolution_clock;
}
inline namespace literals {
inline namespace chrono_literals {
inline __host__ chrono::hours operator""h(unsigned long long n) { return chrono::hours(n); }
inline __host__ chrono::minutes operator""min(unsigned long long n) { return chrono::minutes(n); }
inline __host__ chrono::seconds operator""s(unsigned long long n) { return chrono::seconds(n); }
inline __host__ chrono::milliseconds operator""ms(unsigned long long n) { return chrono::milliseconds(n); }
inline __host__ chrono::microseconds operator""us(unsigned long long n) { return chrono::microseconds(n); }
inline __host__ chrono::nanoseconds operator""ns(unsigned long long n) { return chrono::nanoseconds(n); }
}
}

template <class T, class U = T> __host__ T exchange(T& place, U&& value) { T old = move(place); place = forward<U>(value); return old; }
template <class T> __host__ void __end(T* from, size_t n) {
    if constexpr (!__is_trivially_destructible(T)) for (size_t i = 0; i < n; ++i) from[i].~T();
}
// What runs back over elements that lie one after the other.
template <class T> struct reverse_iterator {
    T* behind;
    typedef T value_type;
    __host__ T& operator*() const { return behind[-1]; }
    __host__ T* operator->() const { return behind - 1; }
    __host__ T* base() const { return behind; }
    __host__ reverse_iterator& operator++() { behind = behind - 1; return *this; }
    __host__ reverse_iterator operator++(int) { reverse_iterator old{behind}; behind = behind - 1; return old; }
    __host__ reverse_iterator& operator--() { behind = behind + 1; return *this; }
    __host__ reverse_iterator operator+(long n) const { return reverse_iterator{behind - n}; }
    __host__ long operator-(const reverse_iterator& other) const { return other.behind - behind; }
    __host__ bool operator==(const reverse_iterator& other) const { return behind == other.behind; }
    __host__ bool operator!=(const reverse_iterator& other) const { return behind != other.behind; }
    __host__ bool operator<(const reverse_iterator& other) const { return behind > other.behind; }
};
#define __TILESCOPE_BACKWARDS(type) \
    typedef std::reverse_iterator<type> reverse_iterator; \
    __host__ std::reverse_iterator<type> rbegin() { return std::reverse_iterator<type>{end()}; } \
    __host__ std::reverse_iterator<type> rend() { return std::reverse_iterator<type>{begin()}; } \
    __host__ std::reverse_iterator<const type> rbegin() const { return std::reverse_iterator<const type>{end()}; } \
    __host__ std::reverse_iterator<const type> rend() const { return std::reverse_iterator<const type>{begin()}; } \
    __host__ const type* cbegin() const { return begin(); } \
    __host__ const type* cend() const { return end(); }
template <class T> class vector {
    T* first;
    size_t used, room;
public:
    typedef T value_type;
    typedef T* iterator;
    typedef const T* const_iterator;
    typedef size_t size_type;
    __host__ vector() : first(0), used(0), room(0) {}
    __host__ explicit vector(size_t n) : first(0), used(0), room(0) { resize(n); }
    __host__ vector(size_t n, const T& value) : first(0), used(0), room(0) { assign(n, value); }
    __host__ vector(initializer_list<T> given) : first(0), used(0), room(0) { add(given.begin(), given.end()); }
    template <class U> __host__ vector(U* from, U* to) : first(0), used(0), room(0) { add(from, to); }
    template <class I, class = decltype(*declval<I&>())> __host__ vector(I from, I to) : first(0), used(0), room(0) { for (; from != to; ++from) push_back(*from); }
    __host__ vector(const vector& other) : first(0), used(0), room(0) { add(other.first, other.first + other.used); }
    __host__ vector(vector&& other) : first(other.first), used(other.used), room(other.room) { other.forget(); }
    __host__ ~vector() { __end(first, used); __tilescope_drop(first); }
    __host__ vector& operator=(const vector& other) { if (this != &other) { clear(); add(other.first, other.first + other.used); } return *this; }
    __host__ vector& operator=(vector&& other) { if (this != &other) take(other); return *this; }
    __host__ vector& operator=(initializer_list<T> given) { clear(); add(given.begin(), given.end()); return *this; }
    __host__ void reserve(size_t n) {
        if (n <= room) return;
        T* wider = static_cast<T*>(__tilescope_kept(n * sizeof(T)));
        memcpy(wider, first, used * sizeof(T));
        __tilescope_drop(first);
        first = wider;
        room = n;
    }
    __host__ void resize(size_t n) {
        if (n < used) { __end(first + n, used - n); used = n; }
        reserve(n);
        if constexpr (!__is_trivially_constructible(T)) for (size_t i = used; i < n; ++i) new (first + i) T();
        else if (n > used) memset(first + used, 0, (n - used) * sizeof(T));
        used = n;
    }
    __host__ void resize(size_t n, const T& value) { if (n < used) resize(n); reserve(n); while (used < n) push_back(value); }
    __host__ void assign(size_t n, const T& value) {
        clear();
        reserve(n);
        for (size_t i = 0; i < n; ++i) new (first + i) T(value);
        used = n;
    }
    template <class U> __host__ void assign(U* from, U* to) { clear(); add(from, to); }
    __host__ void assign(initializer_list<T> given) { clear(); add(given.begin(), given.end()); }
    __host__ T* insert(const T* place, initializer_list<T> given) { return insert(place, given.begin(), given.end()); }
    __host__ T* insert(const T* place, size_t n, const T& value) {
        size_t at = place - first;
        T kept(value);
        for (size_t i = 0; i < n; ++i) insert(first + at, kept);
        return first + at;
    }
    template <class... A> __host__ T* emplace(const T* place, A&&... a) { return insert(place, T(forward<A>(a)...)); }
    __host__ void push_back(const T& value) {
        if (used == room) { T kept(value); grow(); new (first + used) T(move(kept)); }
        else new (first + used) T(value);
        used = used + 1;
    }
    __host__ void push_back(T&& value) { T kept(move(value)); grow(); new (first + used) T(move(kept)); used = used + 1; }
    template <class... A> __host__ T& emplace_back(A&&... a) {
        grow();
        new (first + used) T(forward<A>(a)...);
        used = used + 1;
        return first[used - 1];
    }
    __host__ T* insert(const T* place, const T& value) {
        size_t at = place - first;
        T kept(value);
        grow();
        memmove(first + at + 1, first + at, (used - at) * sizeof(T));
        new (first + at) T(move(kept));
        used = used + 1;
        return first + at;
    }
    template <class U> __host__ T* insert(const T* place, U* from, U* to) {
        size_t at = place - first, n = to - from;
        reserve(used + n);
        memmove(first + at + n, first + at, (used - at) * sizeof(T));
        for (size_t i = 0; i < n; ++i) new (first + at + i) T(from[i]);
        used = used + n;
        return first + at;
    }
    __host__ T* erase(const T* place) { return erase(place, place + 1); }
    __host__ T* erase(const T* from, const T* to) {
        size_t at = from - first, n = to - from;
        __end(first + at, n);
        memmove(first + at, first + at + n, (used - at - n) * sizeof(T));
        used = used - n;
        return first + at;
    }
    __host__ void pop_back() { used = used - 1; __end(first + used, 1); }
    __host__ void clear() { __end(first, used); used = 0; }
    __host__ void shrink_to_fit() {}
    __host__ void swap(vector& other) { std::swap(first, other.first); std::swap(used, other.used); std::swap(room, other.room); }
    __host__ size_t size() const { return used; }
    __host__ size_t capacity() const { return room; }
    __host__ bool empty() const { return used == 0; }
    __host__ T* data() { return first; }
    __host__ const T* data() const { return first; }
    __host__ T* begin() { return first; }
    __host__ T* end() { return first + used; }
    __host__ const T* begin() const { return first; }
    __host__ const T* end() const { return first + used; }
    __TILESCOPE_BACKWARDS(T)
    __host__ T& operator[](size_t i) { return first[i]; }
    __host__ const T& operator[](size_t i) const { return first[i]; }
    __host__ T& at(size_t i) { if (__tilescope_at(i, used)) __beyond("vector::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", i, used); return first[i]; }
    __host__ const T& at(size_t i) const { if (__tilescope_at(i, used)) __beyond("vector::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", i, used); return first[i]; }
    __host__ T& back() { return first[used - 1]; }
    __host__ T& front() { return first[0]; }
    __host__ const T& back() const { return first[used - 1]; }
    __host__ const T& front() const { return first[0]; }
private:
    __host__ void forget() { first = 0; used = 0; room = 0; }
    __host__ void grow() { if (used == room) reserve(room ? 2 * room : 1); }
    __host__ void take(vector& other) {
        __end(first, used);
        __tilescope_drop(first);
        first = other.first;
        used = other.used;
        room = other.room;
        other.forget();
    }
    template <class U> __host__ void add(const U* from, const U* to) {
        reserve(used + (to - from));
        for (; from != to; ++from) { new (first + used) T(*from); used = used + 1; }
    }
};
template <class T> __host__ void swap(vector<T>& a, vector<T>& b) { a.swap(b); }
template <class T> __host__ bool operator==(const vector<T>& a, const vector<T>& b) {
    bool same = a.size() == b.size();
    for (size_t i = 0; i < a.size() && same; ++i) same = a[i] == b[i];
    return same;
}
template <class T> __host__ bool operator!=(const vector<T>& a, const vector<T>& b) { return !(a == b); }
template <class T> __host__ bool operator<(const vector<T>& a, const vector<T>& b) {
    size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    return i == a.size() ? i < b.size() : i < b.size() && a[i] < b[i];
}
template <class C> __host__ auto begin(C& c) { return c.begin(); }
template <class C> __host__ auto end(C& c) { return c.end(); }
template <class T, size_t N> __host__ T* begin(T (&a)[N]) { return a; }
template <class T, size_t N> __host__ T* end(T (&a)[N]) { return a + N; }
template <class C> __host__ size_t size(const C& c) { return c.size(); }
template <class T, size_t N> constexpr __host__ size_t size(const T (&)[N]) { return N; }
template <class C> __host__ auto data(C& c) { return c.data(); }

template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    __host__ pair() : first(), second() {}
    __host__ pair(const A& a, const B& b) : first(a), second(b) {}
    template <class C, class D> __host__ pair(C&& a, D&& b) : first(forward<C>(a)), second(forward<D>(b)) {}
    template <class C, class D> __host__ pair(const pair<C, D>& o) : first(o.first), second(o.second) {}
};
template <class A, class B> __host__ pair<__tilescope_bare<A>, __tilescope_bare<B>> make_pair(A&& a, B&& b) {
    return pair<__tilescope_bare<A>, __tilescope_bare<B>>(forward<A>(a), forward<B>(b));
}
template <class A, class B> __host__ bool operator==(const pair<A, B>& a, const pair<A, B>& b) { return a.first == b.first && a.second == b.second; }
template <class A, class B> __host__ bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
#define __TILESCOPE_ORDER(head, type) \
    head __host__ bool operator>(const type& a, const type& b) { return b < a; } \
    head __host__ bool operator<=(const type& a, const type& b) { return !(b < a); } \
    head __host__ bool operator>=(const type& a, const type& b) { return !(a < b); } \
    head __host__ bool operator!=(const type& a, const type& b) { return !(a == b); }
#define __TILESCOPE_PAIR pair<A, B>
#define __TILESCOPE_OF_PAIR template <class A, class B>
__TILESCOPE_ORDER(__TILESCOPE_OF_PAIR, __TILESCOPE_PAIR)
template <class... T> struct tuple;
template <class A> struct tuple<A> {
    A first;
    __host__ tuple() : first() {}
    __host__ tuple(const A& a) : first(a) {}
};
template <class A, class B> struct tuple<A, B> {
    A first;
    B second;
    __host__ tuple() : first(), second() {}
    __host__ tuple(const A& a, const B& b) : first(a), second(b) {}
};
template <class A, class B, class C> struct tuple<A, B, C> {
    A first;
    B second;
    C third;
    __host__ tuple() : first(), second(), third() {}
    __host__ tuple(const A& a, const B& b, const C& c) : first(a), second(b), third(c) {}
};
template <class A, class B, class C, class D> struct tuple<A, B, C, D> {
    A first;
    B second;
    C third;
    D fourth;
    __host__ tuple() : first(), second(), third(), fourth() {}
    __host__ tuple(const A& a, const B& b, const C& c, const D& d) : first(a), second(b), third(c), fourth(d) {}
};
template <class... T> __host__ tuple<T...> make_tuple(T... given) { return tuple<T...>(given...); }
#define tuple_size __tilescope_tuple_size // under its own name, the compiler would take it for how structured bindings are to be made
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> { static constexpr size_t value = sizeof...(T); };
template <class A, class B> struct tuple_size<pair<A, B>> { static constexpr size_t value = 2; };
template <class T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t N, class T> struct tuple_element;
template <class A, class... T> struct tuple_element<0, tuple<A, T...>> { using type = A; };
template <size_t N, class A, class... T> struct tuple_element<N, tuple<A, T...>> : tuple_element<N - 1, tuple<T...>> {};
template <size_t N, class A, class B> struct tuple_element<N, pair<A, B>> : tuple_element<N, tuple<A, B>> {};
template <size_t N, class T> using tuple_element_t = typename tuple_element<N, T>::type;
template <size_t N, class P> __host__ auto& get(P& given) {
    if constexpr (N == 0) return given.first;
    else if constexpr (N == 1) return given.second;
    else if constexpr (N == 2) return given.third;
    else return given.fourth;
}
template <size_t N, class P> __host__ const auto& get(const P& given) {
    if constexpr (N == 0) return given.first;
    else if constexpr (N == 1) return given.second;
    else if constexpr (N == 2) return given.third;
    else return given.fourth;
}
template <size_t I, size_t N, class S, class T> __host__ bool __same_from(const S& a, const T& b) {
    if constexpr (I == N) return true;
    else return get<I>(a) == get<I>(b) && __same_from<I + 1, N>(a, b);
}
template <size_t I, size_t N, class S, class T> __host__ bool __less_from(const S& a, const T& b) {
    if constexpr (I == N) return false;
    else return get<I>(a) < get<I>(b) || (!(get<I>(b) < get<I>(a)) && __less_from<I + 1, N>(a, b));
}
template <class... T> __host__ bool operator==(const tuple<T...>& a, const tuple<T...>& b) { return __same_from<0, sizeof...(T)>(a, b); }
template <class... T> __host__ bool operator<(const tuple<T...>& a, const tuple<T...>& b) { return __less_from<0, sizeof...(T)>(a, b); }
#define __TILESCOPE_TUPLE tuple<T...>
#define __TILESCOPE_OF_TUPLE template <class... T>
__TILESCOPE_ORDER(__TILESCOPE_OF_TUPLE, __TILESCOPE_TUPLE)
template <class A, class B> struct __tie2 {
    A& first;
    B& second;
    template <class P> __host__ void operator=(const P& given) { first = get<0>(given); second = get<1>(given); }
    __host__ bool operator<(const __tie2& other) const { return __less_from<0, 2>(*this, other); }
    __host__ bool operator==(const __tie2& other) const { return __same_from<0, 2>(*this, other); }
};
template <class A, class B, class C> struct __tie3 {
    A& first;
    B& second;
    C& third;
    template <class P> __host__ void operator=(const P& given) { first = get<0>(given); second = get<1>(given); third = get<2>(given); }
    __host__ bool operator<(const __tie3& other) const { return __less_from<0, 3>(*this, other); }
    __host__ bool operator==(const __tie3& other) const { return __same_from<0, 3>(*this, other); }
};
struct __ignore { template <class T> __host__ const __ignore& operator=(const T&) const { return *this; } };
inline constexpr __ignore ignore{};
template <class A, class B> __host__ __tie2<A, B> tie(A& a, B& b) { return __tie2<A, B>{a, b}; }
template <class A, class B, class C> __host__ __tie3<A, B, C> tie(A& a, B& b, C& c) { return __tie3<A, B, C>{a, b, c}; }

template <class T, class = void> struct __own_delete { static constexpr bool value = false; };
template <class T> struct __own_delete<T, decltype(T::operator delete(static_cast<void*>(0)))> { static constexpr bool value = true; };
template <class T, class... A> __host__ T* __new(A&&... a) {
    if constexpr (__own_delete<T>::value) return new T(forward<A>(a)...);
    else return new (__tilescope_new(sizeof(T))) T(forward<A>(a)...);
}
template <class T> __host__ void __delete(T* p) {
    if constexpr (__own_delete<T>::value) delete p;
    else { __end(p, 1); __tilescope_delete(p); }
}
template <class T> struct default_delete { __host__ void operator()(T* p) const { __delete(p); } };
template <class T> struct default_delete<T[]> {
    __host__ void operator()(T* p) const { __end(p, __tilescope_count(p, sizeof(T))); __tilescope_delete_array(p); }
};
template <class T, class D = default_delete<T>> class unique_ptr {
    T* held;
    D deleter;
public:
    typedef T element_type;
    __host__ unique_ptr() : held(0), deleter() {}
    __host__ unique_ptr(decltype(nullptr)) : held(0), deleter() {}
    __host__ explicit unique_ptr(T* p) : held(p), deleter() {}
    __host__ unique_ptr(T* p, D d) : held(p), deleter(d) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(const unique_ptr&) = delete;
    __host__ unique_ptr(unique_ptr&& other) : held(other.held), deleter(other.deleter) { other.held = 0; }
    template <class U> __host__ unique_ptr(unique_ptr<U>&& other) : held(other.release()), deleter() {}
    template <class U> __host__ unique_ptr& operator=(unique_ptr<U>&& other) { reset(other.release()); return *this; }
    __host__ ~unique_ptr() { if (held) deleter(held); }
    __host__ unique_ptr& operator=(unique_ptr&& other) { reset(other.release()); deleter = other.deleter; return *this; }
    __host__ unique_ptr& operator=(decltype(nullptr)) { reset(); return *this; }
    __host__ T* get() const { return held; }
    __host__ D& get_deleter() { return deleter; }
    __host__ T* release() { T* given = held; held = 0; return given; }
    __host__ void reset(T* p = 0) { T* old = held; held = p; if (old) deleter(old); }
    __host__ void swap(unique_ptr& other) { T* kept = held; held = other.held; other.held = kept; }
    __host__ T& operator*() const { return *held; }
    __host__ T* operator->() const { return held; }
    __host__ explicit operator bool() const { return held != 0; }
    __host__ bool operator==(const unique_ptr& other) const { return held == other.held; }
    __host__ bool operator!=(const unique_ptr& other) const { return held != other.held; }
    __host__ bool operator<(const unique_ptr& other) const { return held < other.held; }
    __host__ bool operator==(decltype(nullptr)) const { return held == 0; }
    __host__ bool operator!=(decltype(nullptr)) const { return held != 0; }
};
template <class T, class D> class unique_ptr<T[], D> {
    T* held;
    D deleter;
public:
    typedef T element_type;
    __host__ unique_ptr() : held(0), deleter() {}
    __host__ unique_ptr(decltype(nullptr)) : held(0), deleter() {}
    __host__ explicit unique_ptr(T* p) : held(p), deleter() {}
    __host__ unique_ptr(T* p, D d) : held(p), deleter(d) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(const unique_ptr&) = delete;
    __host__ unique_ptr(unique_ptr&& other) : held(other.held), deleter(other.deleter) { other.held = 0; }
    __host__ ~unique_ptr() { if (held) deleter(held); }
    __host__ unique_ptr& operator=(unique_ptr&& other) { reset(other.release()); deleter = other.deleter; return *this; }
    __host__ unique_ptr& operator=(decltype(nullptr)) { reset(); return *this; }
    __host__ T* get() const { return held; }
    __host__ D& get_deleter() { return deleter; }
    __host__ T* release() { T* given = held; held = 0; return given; }
    __host__ void reset(T* p = 0) { T* old = held; held = p; if (old) deleter(old); }
    __host__ void swap(unique_ptr& other) { T* kept = held; held = other.held; other.held = kept; }
    __host__ T& operator[](size_t i) const { return held[i]; }
    __host__ explicit operator bool() const { return held != 0; }
    __host__ bool operator==(const unique_ptr& other) const { return held == other.held; }
    __host__ bool operator!=(const unique_ptr& other) const { return held != other.held; }
    __host__ bool operator<(const unique_ptr& other) const { return held < other.held; }
    __host__ bool operator==(decltype(nullptr)) const { return held == 0; }
    __host__ bool operator!=(decltype(nullptr)) const { return held != 0; }
};
template <class T, class D> __host__ void swap(unique_ptr<T, D>& a, unique_ptr<T, D>& b) { T* kept = a.release(); a.reset(b.release()); b.reset(kept); }
template <class T, class D> __host__ void swap(unique_ptr<T[], D>& a, unique_ptr<T[], D>& b) { T* kept = a.release(); a.reset(b.release()); b.reset(kept); }
template <class T> struct __made { typedef unique_ptr<T> one; };
template <class T> struct __made<T[]> { typedef unique_ptr<T[]> many; typedef T element; };
template <class T, class... A> __host__ typename __made<T>::one make_unique(A&&... a) { return unique_ptr<T>(__new<T>(forward<A>(a)...)); }
template <class T> __host__ typename __made<T>::many make_unique(size_t n) {
    typedef typename __made<T>::element E;
    E* first = static_cast<E*>(__tilescope_new_zeroed(n, sizeof(E)));
    if constexpr (!__is_trivially_constructible(E)) for (size_t i = 0; i < n; ++i) new (first + i) E();
    return unique_ptr<T>(first);
}
// Who owns an object together: how many owners and watchers there are, and how the object ends.
struct __owned {
    long owners, watchers;
    __host__ __owned() : owners(1), watchers(0) {}
    virtual __host__ void end() {}
};
template <class T, class D> struct __owned_by : __owned {
    T* held;
    D deleter;
    __host__ __owned_by(T* p, D d) : held(p), deleter(d) {}
    __host__ void end() override { deleter(held); }
};
template <class T> class weak_ptr;
template <class T> class shared_ptr {
    template <class U> friend class shared_ptr;
    template <class U> friend class weak_ptr;
    T* held;
    __owned* shared;
public:
    typedef T element_type;
    __host__ shared_ptr() : held(0), shared(0) {}
    __host__ shared_ptr(decltype(nullptr)) : held(0), shared(0) {}
    template <class U> __host__ explicit shared_ptr(U* p) : held(p), shared(new (__tilescope_kept(sizeof(__owned_by<U, default_delete<U>>))) __owned_by<U, default_delete<U>>(p, default_delete<U>())) {}
    template <class U, class D> __host__ shared_ptr(U* p, D d) : held(p), shared(new (__tilescope_kept(sizeof(__owned_by<U, D>))) __owned_by<U, D>(p, d)) {}
    template <class U> __host__ shared_ptr(const shared_ptr<U>& other, T* p) : held(p), shared(other.shared) { join(); }
    __host__ shared_ptr(const shared_ptr& other) : held(other.held), shared(other.shared) { join(); }
    __host__ shared_ptr(shared_ptr&& other) : held(other.held), shared(other.shared) { other.held = 0; other.shared = 0; }
    template <class U> __host__ shared_ptr(const shared_ptr<U>& other) : held(other.held), shared(other.shared) { join(); }
    template <class U> __host__ shared_ptr(unique_ptr<U>&& other) : held(0), shared(0) { if (other) { shared_ptr made(other.release()); swap(made); } }
    __host__ ~shared_ptr() { leave(); }
    __host__ shared_ptr& operator=(const shared_ptr& other) { shared_ptr made(other); swap(made); return *this; }
    __host__ shared_ptr& operator=(shared_ptr&& other) { shared_ptr made(move(other)); swap(made); return *this; }
    template <class U> __host__ shared_ptr& operator=(const shared_ptr<U>& other) { shared_ptr made(other); swap(made); return *this; }
    __host__ shared_ptr& operator=(decltype(nullptr)) { reset(); return *this; }
    __host__ void reset() { leave(); held = 0; shared = 0; }
    template <class U> __host__ void reset(U* p) { shared_ptr made(p); swap(made); }
    __host__ void swap(shared_ptr& other) {
        T* kept = held;
        __owned* with = shared;
        held = other.held;
        shared = other.shared;
        other.held = kept;
        other.shared = with;
    }
    __host__ long use_count() const { return shared ? shared->owners : 0; }
    __host__ bool unique() const { return use_count() == 1; }
    __host__ T* get() const { return held; }
    __host__ T& operator*() const { return *held; }
    __host__ T* operator->() const { return held; }
    __host__ T& operator[](long i) const { return held[i]; }
    __host__ explicit operator bool() const { return held != 0; }
    __host__ bool operator==(const shared_ptr& other) const { return held == other.held; }
    __host__ bool operator!=(const shared_ptr& other) const { return held != other.held; }
    __host__ bool operator<(const shared_ptr& other) const { return held < other.held; }
    __host__ bool operator==(decltype(nullptr)) const { return held == 0; }
    __host__ bool operator!=(decltype(nullptr)) const { return held != 0; }
private:
    __host__ void join() { if (shared) shared->owners = shared->owners + 1; }
    __host__ void leave() {
        if (!shared) return;
        shared->owners = shared->owners - 1;
        if (shared->owners) return;
        shared->watchers = shared->watchers + 1;
        shared->end();
        shared->watchers = shared->watchers - 1;
        if (shared->watchers == 0) __tilescope_drop(shared);
    }
};
template <class T> class weak_ptr {
    T* held;
    __owned* shared;
public:
    __host__ weak_ptr() : held(0), shared(0) {}
    __host__ weak_ptr(const weak_ptr& other) : held(other.held), shared(other.shared) { join(); }
    template <class U> __host__ weak_ptr(const shared_ptr<U>& other) : held(other.held), shared(other.shared) { join(); }
    __host__ ~weak_ptr() { leave(); }
    __host__ weak_ptr& operator=(const weak_ptr& other) { weak_ptr made(other); swap(made); return *this; }
    template <class U> __host__ weak_ptr& operator=(const shared_ptr<U>& other) { weak_ptr made(other); swap(made); return *this; }
    __host__ void reset() { leave(); held = 0; shared = 0; }
    __host__ void swap(weak_ptr& other) {
        T* kept = held;
        __owned* with = shared;
        held = other.held;
        shared = other.shared;
        other.held = kept;
        other.shared = with;
    }
    __host__ long use_count() const { return shared ? shared->owners : 0; }
    __host__ bool expired() const { return use_count() == 0; }
    __host__ shared_ptr<T> lock() const {
        shared_ptr<T> made;
        if (!expired()) { made.held = held; made.shared = shared; made.join(); }
        return made;
    }
private:
    __host__ void join() { if (shared) shared->watchers = shared->watchers + 1; }
    __host__ void leave() {
        if (!shared) return;
        shared->watchers = shared->watchers - 1;
        if (shared->owners == 0 && shared->watchers == 0) __tilescope_drop(shared);
    }
};
template <class T, class... A> __host__ shared_ptr<T> make_shared(A&&... a) { return shared_ptr<T>(__new<T>(forward<A>(a)...)); }
template <class T, class U> __host__ shared_ptr<T> static_pointer_cast(const shared_ptr<U>& p) { return shared_ptr<T>(p, static_cast<T*>(p.get())); }
template <class T, class U> __host__ shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U>& p) {
    T* found = dynamic_cast<T*>(p.get());
    return found ? shared_ptr<T>(p, found) : shared_ptr<T>();
}

template <class T = void> struct greater { __host__ bool operator()(const T& a, const T& b) const { return b < a; } };
template <class T = void> struct less { __host__ bool operator()(const T& a, const T& b) const { return a < b; } };
template <class K, class V, class C = less<K>> class map {
    pair<K, V>* first;
    size_t used, room;
    C before;
public:
    typedef pair<K, V> value_type;
    typedef pair<K, V>* iterator;
    typedef const pair<K, V>* const_iterator;
    __host__ map() : first(0), used(0), room(0) {}
    __host__ explicit map(const C& c) : first(0), used(0), room(0), before(c) {}
    template <class I> __host__ map(I from, I to) : first(0), used(0), room(0) { for (; from != to; ++from) insert(*from); }
    __host__ map(initializer_list<pair<K, V>> given) : first(0), used(0), room(0) {
        for (const pair<K, V>* each = given.begin(); each != given.end(); ++each) (*this)[each->first] = each->second;
    }
    __host__ map(const map& other) : first(0), used(0), room(0), before(other.before) { for (size_t i = 0; i < other.used; ++i) (*this)[other.first[i].first] = other.first[i].second; }
    __host__ ~map() { __end(first, used); __tilescope_drop(first); }
    __host__ map& operator=(const map& other) {
        if (this == &other) return *this;
        clear();
        for (size_t i = 0; i < other.used; ++i) (*this)[other.first[i].first] = other.first[i].second;
        return *this;
    }
    __host__ V& operator[](const K& key) {
        size_t at = place(key);
        if (at < used && !before(key, first[at].first)) return first[at].second;
        if (used == room) {
            size_t wider = room ? 2 * room : 4;
            pair<K, V>* made = static_cast<pair<K, V>*>(__tilescope_kept(wider * sizeof(pair<K, V>)));
            memcpy(made, first, used * sizeof(pair<K, V>));
            __tilescope_drop(first);
            first = made;
            room = wider;
        }
        memmove(first + at + 1, first + at, (used - at) * sizeof(pair<K, V>));
        new (first + at) pair<K, V>(key, V());
        used = used + 1;
        return first[at].second;
    }
    __host__ V& at(const K& key) { size_t found = find(key) - first; if (__tilescope_at(found, used)) __beyond("map::at", found, used); return first[found].second; }
    __host__ const V& at(const K& key) const { size_t found = find(key) - first; if (__tilescope_at(found, used)) __beyond("map::at", found, used); return first[found].second; }
    __host__ pair<pair<K, V>*, bool> insert(const pair<K, V>& given) {
        bool fresh = !count(given.first);
        if (fresh) (*this)[given.first] = given.second;
        return pair<pair<K, V>*, bool>(find(given.first), fresh);
    }
    template <class I> __host__ void insert(I from, I to) { for (; from != to; ++from) insert(*from); }
    template <class U> __host__ pair<pair<K, V>*, bool> insert_or_assign(const K& key, U&& value) {
        bool fresh = !count(key);
        (*this)[key] = forward<U>(value);
        return pair<pair<K, V>*, bool>(find(key), fresh);
    }
    template <class... A> __host__ pair<pair<K, V>*, bool> try_emplace(const K& key, A&&... a) { return insert(pair<K, V>(key, V(forward<A>(a)...))); }
    template <class A, class B> __host__ pair<pair<K, V>*, bool> emplace(A&& key, B&& value) { return insert(pair<K, V>(forward<A>(key), forward<B>(value))); }
    __host__ pair<K, V>* lower_bound(const K& key) { return first + place(key); }
    __host__ pair<K, V>* upper_bound(const K& key) { return first + place(key) + count(key); }
    __host__ pair<K, V>* find(const K& key) { size_t at = place(key); return at < used && !before(key, first[at].first) ? first + at : first + used; }
    __host__ const pair<K, V>* find(const K& key) const {
        size_t at = place(key);
        return at < used && !before(key, first[at].first) ? first + at : first + used;
    }
    __host__ size_t count(const K& key) const { size_t at = place(key); return at < used && !before(key, first[at].first); }
    __host__ bool contains(const K& key) const { return count(key) != 0; }
    __host__ size_t erase(const K& key) {
        size_t at = place(key);
        if (at == used || before(key, first[at].first)) return 0;
        __end(first + at, 1);
        memmove(first + at, first + at + 1, (used - at - 1) * sizeof(pair<K, V>));
        used = used - 1;
        return 1;
    }
    __host__ pair<K, V>* erase(pair<K, V>* gone) { size_t at = gone - first; erase(gone->first); return first + at; }
    __host__ void clear() { __end(first, used); used = 0; }
    __host__ size_t size() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ pair<K, V>* begin() { return first; }
    __host__ pair<K, V>* end() { return first + used; }
    __host__ const pair<K, V>* begin() const { return first; }
    __host__ const pair<K, V>* end() const { return first + used; }
    typedef pair<K, V> __pair;
    typedef K key_type;
    typedef V mapped_type;
    __TILESCOPE_BACKWARDS(__pair)
private:
    __host__ size_t place(const K& key) const {
        size_t low = 0, high = used;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (before(first[middle].first, key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};
template <class T, size_t N> struct array {
    T elements[N];
    __host__ T& operator[](size_t i) { return elements[i]; }
    __host__ const T& operator[](size_t i) const { return elements[i]; }
    __host__ T& at(size_t i) { if (__tilescope_at(i, N)) __beyond("array::at: __n (which is %zu) >= _Nm (which is %zu)", i, N); return elements[i]; }
    __host__ T& front() { return elements[0]; }
    __host__ T& back() { return elements[N - 1]; }
    __host__ const T& front() const { return elements[0]; }
    __host__ const T& back() const { return elements[N - 1]; }
    constexpr __host__ bool empty() const { return N == 0; }
    constexpr __host__ size_t size() const { return N; }
    __TILESCOPE_BACKWARDS(T)
    __host__ T* data() { return elements; }
    __host__ const T* data() const { return elements; }
    __host__ T* begin() { return elements; }
    __host__ T* end() { return elements + N; }
    __host__ const T* begin() const { return elements; }
    __host__ const T* end() const { return elements + N; }
    __host__ void fill(const T& value) { for (size_t i = 0; i < N; ++i) elements[i] = value; }
};
template <class T, size_t N> __host__ bool operator==(const array<T, N>& a, const array<T, N>& b) {
    for (size_t i = 0; i < N; ++i) if (!(a[i] == b[i])) return false;
    return true;
}
template <class T, size_t N> __host__ bool operator!=(const array<T, N>& a, const array<T, N>& b) { return !(a == b); }
template <class T, size_t N> __host__ bool operator<(const array<T, N>& a, const array<T, N>& b) {
    size_t i = 0;
    while (i < N && a[i] == b[i]) ++i;
    return i < N && a[i] < b[i];
}

}

namespace std {
struct string {
    char* first;
    size_t used, room;
    static constexpr size_t npos = ~0ul;
    __host__ string() : first(0), used(0), room(0) { add("", 0); }
    __host__ string(const char* text) : first(0), used(0), room(0) { add(text, strlen(text)); }
    __host__ string(const char* text, size_t n) : first(0), used(0), room(0) { add(text, n); }
    __host__ string(size_t n, char c) : first(0), used(0), room(0) { reserve(n); memset(first, c, n); used = n; first[n] = 0; }
    __host__ string(const char* from, const char* to) : first(0), used(0), room(0) { add(from, to - from); }
    __host__ string(char* from, char* to) : first(0), used(0), room(0) { add(from, to - from); }
    template <class I, class = decltype(*declval<I&>())> __host__ string(I from, I to) : first(0), used(0), room(0) { add("", 0); for (; from != to; ++from) push_back(*from); }
    __host__ string(initializer_list<char> given) : first(0), used(0), room(0) { add(given.begin(), given.size()); }
    __host__ string(const string& other) : first(0), used(0), room(0) { add(other.first, other.used); }
    __host__ string(string&& other) : first(other.first), used(other.used), room(other.room) { other.first = 0; other.used = 0; other.room = 0; other.add("", 0); }
    __host__ ~string() { __tilescope_drop(first); }
    __host__ string& operator=(const string& other) { if (this != &other) { used = 0; add(other.first, other.used); } return *this; }
    __host__ string& operator=(const char* text) { used = 0; add(text, strlen(text)); return *this; }
    __host__ void reserve(size_t n) {
        if (n < room) return;
        char* made = static_cast<char*>(__tilescope_kept(n + 1));
        memcpy(made, first, used);
        made[used] = 0;
        __tilescope_drop(first);
        first = made;
        room = n + 1;
    }
    __host__ void add(const char* text, size_t n) {
        if (used + n >= room) {
            size_t size = used + n + used / 2 + 16;
            char* made = static_cast<char*>(__tilescope_kept(size));
            memcpy(made, first, used);
            memcpy(made + used, text, n);
            __tilescope_drop(first);
            first = made;
            room = size;
        } else memmove(first + used, text, n);
        used = used + n;
        first[used] = 0;
    }
    __host__ string& operator+=(const string& other) { add(other.first, other.used); return *this; }
    __host__ string& operator+=(const char* text) { add(text, strlen(text)); return *this; }
    __host__ string& operator+=(char c) { add(&c, 1); return *this; }
    __host__ string& append(const string& other) { add(other.first, other.used); return *this; }
    __host__ string& append(const char* text) { add(text, strlen(text)); return *this; }
    __host__ string& append(const char* text, size_t n) { add(text, n); return *this; }
    __host__ string& append(size_t n, char c) { for (size_t i = 0; i < n; ++i) add(&c, 1); return *this; }
    __host__ string& insert(size_t at, const char* text) { return put(at, 0, text, strlen(text)); }
    __host__ string& insert(size_t at, const string& text) { return put(at, 0, text.first, text.used); }
    __host__ string& insert(size_t at, size_t n, char c) { string text(n, c); return put(at, 0, text.first, n); }
    __host__ string& replace(size_t at, size_t n, const string& text) { return put(at, n, text.first, text.used); }
    __host__ string& replace(size_t at, size_t n, const char* text) { return put(at, n, text, strlen(text)); }
    __host__ string& erase(size_t at = 0, size_t n = npos) { return put(at, n, "", 0); }
    __host__ char* erase(const char* place) { size_t at = place - first; put(at, 1, "", 0); return first + at; }
    __host__ char* erase(const char* from, const char* to) { size_t at = from - first; put(at, to - from, "", 0); return first + at; }
    __host__ string& put(size_t at, size_t n, const char* text, size_t size) {
        size_t end = n < used - at ? at + n : used;
        string made(text, size), rest(first + end, used - end);
        used = at;
        add(made.first, made.used);
        add(rest.first, rest.used);
        return *this;
    }
    __host__ string& assign(const string& text) { string kept(text); used = 0; add(kept.first, kept.used); return *this; }
    __host__ string& assign(size_t n, char c) { used = 0; first[0] = 0; return append(n, c); }
    __host__ void swap(string& other) { std::swap(first, other.first); std::swap(used, other.used); std::swap(room, other.room); }
    __host__ void push_back(char c) { add(&c, 1); }
    __host__ void pop_back() { used = used - 1; first[used] = 0; }
    __host__ void clear() { used = 0; first[0] = 0; }
    __host__ void resize(size_t n, char c = 0) { while (used < n) add(&c, 1); used = n; first[n] = 0; }
    __host__ const char* c_str() const { return first; }
    __host__ const char* data() const { return first; }
    __host__ char* data() { return first; }
    __host__ size_t size() const { return used; }
    __host__ size_t length() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ char* begin() { return first; }
    __host__ char* end() { return first + used; }
    __host__ const char* begin() const { return first; }
    __host__ const char* end() const { return first + used; }
    __host__ char& operator[](size_t i) { return first[i]; }
    __host__ const char& operator[](size_t i) const { return first[i]; }
    __host__ char& at(size_t i) { if (__tilescope_at(i, used)) __beyond("basic_string::at: __n (which is %zu) >= this->size() (which is %zu)", i, used); return first[i]; }
    __host__ char& back() { return first[used - 1]; }
    __host__ char& front() { return first[0]; }
    __host__ string substr(size_t from, size_t n = npos) const {
        size_t start = from < used ? from : used, rest = used - start;
        return string(first + start, n < rest ? n : rest);
    }
    typedef char value_type;
    typedef char* iterator;
    typedef const char* const_iterator;
    typedef size_t size_type;
    __TILESCOPE_BACKWARDS(char)
    __host__ size_t capacity() const { return room > 16 ? room - 1 : 15; }
    __host__ void shrink_to_fit() {}
    __host__ int compare(const string& other) const { return strcmp(first, other.first); }
    __host__ int compare(size_t from, size_t n, const string& other) const { return substr(from, n).compare(other); }
    __host__ size_t find(const char* text, size_t from = 0) const {
        const char* found = from <= used ? strstr(first + from, text) : 0;
        return found ? found - first : npos;
    }
    __host__ size_t find(const string& text, size_t from = 0) const { return find(text.first, from); }
    __host__ size_t find(char c, size_t from = 0) const {
        for (size_t i = from; i < used; ++i) if (first[i] == c) return i;
        return npos;
    }
    __host__ size_t rfind(char c, size_t from = npos) const {
        for (size_t i = from < used ? from + 1 : used; i > 0; --i) if (first[i - 1] == c) return i - 1;
        return npos;
    }
    __host__ size_t rfind(const string& text, size_t from = npos) const {
        for (size_t i = (from < used ? from : used) + 1; i > 0; --i)
            if (i - 1 + text.used <= used && memcmp(first + i - 1, text.first, text.used) == 0) return i - 1;
        return npos;
    }
    __host__ size_t __one_of(const string& set, size_t from, bool wanted) const {
        for (size_t i = from; i < used; ++i) if ((set.find(first[i]) != npos) == wanted) return i;
        return npos;
    }
    __host__ size_t __last_of(const string& set, bool wanted) const {
        for (size_t i = used; i > 0; --i) if ((set.find(first[i - 1]) != npos) == wanted) return i - 1;
        return npos;
    }
    __host__ size_t find_first_of(const string& set, size_t from = 0) const { return __one_of(set, from, true); }
    __host__ size_t find_first_not_of(const string& set, size_t from = 0) const { return __one_of(set, from, false); }
    __host__ size_t find_last_of(const string& set) const { return __last_of(set, true); }
    __host__ size_t find_last_not_of(const string& set) const { return __last_of(set, false); }
    __host__ size_t find_first_of(char c, size_t from = 0) const { return find(c, from); }
    __host__ size_t find_last_of(char c) const { return rfind(c); }
};
inline __host__ string operator+(const string& a, const string& b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const string& a, const char* b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const char* a, const string& b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(const string& a, char b) { string sum(a); sum += b; return sum; }
inline __host__ string operator+(char a, const string& b) { string sum(1, a); sum += b; return sum; }
inline __host__ bool operator==(const string& a, const string& b) { return strcmp(a.first, b.first) == 0; }
inline __host__ bool operator==(const string& a, const char* b) { return strcmp(a.first, b) == 0; }
inline __host__ bool operator!=(const string& a, const string& b) { return strcmp(a.first, b.first) != 0; }
inline __host__ bool operator!=(const string& a, const char* b) { return strcmp(a.first, b) != 0; }
inline __host__ bool operator==(const char* a, const string& b) { return strcmp(a, b.first) == 0; }
inline __host__ bool operator<(const string& a, const string& b) { return strcmp(a.first, b.first) < 0; }
inline __host__ bool operator>(const string& a, const string& b) { return b < a; }
inline __host__ bool operator<=(const string& a, const string& b) { return !(b < a); }
inline __host__ bool operator>=(const string& a, const string& b) { return !(a < b); }
inline __host__ void swap(string& a, string& b) { a.swap(b); }
inline __host__ ostream& operator<<(ostream& out, const string& text) { __tilescope_write_text(out.number, text.first, text.size()); return out; }
#define __TILESCOPE_TEXT(type, format) \
    inline __host__ string to_string(type v) { char text[400]; snprintf(text, 400, format, v); return string(text); }
__TILESCOPE_TEXT(int, "%d") __TILESCOPE_TEXT(unsigned, "%u") __TILESCOPE_TEXT(long, "%ld") __TILESCOPE_TEXT(unsigned long, "%lu")
__TILESCOPE_TEXT(long long, "%lld") __TILESCOPE_TEXT(unsigned long long, "%llu") __TILESCOPE_TEXT(float, "%f") __TILESCOPE_TEXT(double, "%f")
#undef __TILESCOPE_TEXT
struct string_view {
    const char* first;
    size_t used;
    static constexpr size_t npos = ~0ul;
    constexpr __host__ string_view() : first(""), used(0) {}
    constexpr __host__ string_view(const char* text) : first(text), used(0) { while (text[used]) ++used; }
    constexpr __host__ string_view(const char* text, size_t n) : first(text), used(n) {}
    __host__ string_view(const string& text) : first(text.first), used(text.used) {}
    constexpr __host__ size_t size() const { return used; }
    constexpr __host__ size_t length() const { return used; }
    constexpr __host__ bool empty() const { return used == 0; }
    constexpr __host__ const char* data() const { return first; }
    constexpr __host__ const char& operator[](size_t i) const { return first[i]; }
    __host__ const char* begin() const { return first; }
    __host__ const char* end() const { return first + used; }
    __host__ char front() const { return first[0]; }
    __host__ char back() const { return first[used - 1]; }
    __host__ string_view substr(size_t from, size_t n = npos) const { return string_view(first + from, n < used - from ? n : used - from); }
    __host__ size_t find(char c, size_t from = 0) const { for (size_t i = from; i < used; ++i) if (first[i] == c) return i; return npos; }
    __host__ size_t find(string_view text, size_t from = 0) const {
        for (size_t i = from; i + text.used <= used; ++i) if (memcmp(first + i, text.first, text.used) == 0) return i;
        return npos;
    }
    __host__ void remove_prefix(size_t n) { first += n; used -= n; }
    __host__ void remove_suffix(size_t n) { used -= n; }
    __host__ explicit operator string() const { return string(first, used); }
};
inline __host__ bool operator==(string_view a, string_view b) { return a.used == b.used && memcmp(a.first, b.first, a.used) == 0; }
inline __host__ bool operator!=(string_view a, string_view b) { return !(a == b); }
inline __host__ ostream& operator<<(ostream& out, string_view text) { string kept(text.first, text.used); out << kept; return out; }
}

namespace std {
struct exception {
    const char* words;
    __host__ exception() : words("std::exception") {}
    __host__ virtual ~exception() {}
    __host__ virtual const char* what() const { return words; }
protected:
    __host__ void say(const char* text) {
        char* kept = static_cast<char*>(__tilescope_kept(strlen(text) + 1));
        strcpy(kept, text);
        words = kept;
    }
};
#define __TILESCOPE_EXCEPTION(name, base) \
    struct name : base { \
        __host__ explicit name(const char* text) : base(text) {} \
        __host__ explicit name(const string& text) : base(text) {} \
    };
struct logic_error : exception {
    __host__ explicit logic_error(const char* text) { say(text); }
    __host__ explicit logic_error(const string& text) { say(text.first); }
};
struct runtime_error : exception {
    __host__ explicit runtime_error(const char* text) { say(text); }
    __host__ explicit runtime_error(const string& text) { say(text.first); }
};
struct bad_alloc : exception { __host__ bad_alloc() { words = "std::bad_alloc"; } };
__TILESCOPE_EXCEPTION(invalid_argument, logic_error) __TILESCOPE_EXCEPTION(out_of_range, logic_error)
__TILESCOPE_EXCEPTION(domain_error, logic_error) __TILESCOPE_EXCEPTION(length_error, logic_error)
__TILESCOPE_EXCEPTION(range_error, runtime_error) __TILESCOPE_EXCEPTION(overflow_error, runtime_error)
__TILESCOPE_EXCEPTION(underflow_error, runtime_error)
#undef __TILESCOPE_EXCEPTION

inline __host__ void __beyond(const char* form, size_t i, size_t n) {
    char text[120];
    snprintf(text, 120, form, i, n);
    throw out_of_range(text);
}

// Numbers of texts: an exception where there is none, as the GNU library words it.
#define __TILESCOPE_NUMBER(type, name, parse) \
    inline __host__ type name(const string& text, size_t* end = 0, int base = 10) { \
        char* behind; \
        auto number = parse; \
        if (behind == text.first) throw invalid_argument(#name); \
        if (static_cast<type>(number) != number) throw out_of_range(#name); \
        if (end) *end = behind - text.first; \
        return static_cast<type>(number); \
    }
__TILESCOPE_NUMBER(int, stoi, strtol(text.first, &behind, base)) __TILESCOPE_NUMBER(long, stol, strtol(text.first, &behind, base))
__TILESCOPE_NUMBER(long long, stoll, strtol(text.first, &behind, base))
__TILESCOPE_NUMBER(unsigned long, stoul, strtoul(text.first, &behind, base))
__TILESCOPE_NUMBER(unsigned long long, stoull, strtoul(text.first, &behind, base))
#undef __TILESCOPE_NUMBER
inline __host__ double stod(const string& text, size_t* end = 0) {
    char* behind;
    double number = strtod(text.first, &behind);
    if (behind == text.first) throw invalid_argument("stod");
    if (end) *end = behind - text.first;
    return number;
}
inline __host__ float stof(const string& text, size_t* end = 0) {
    char* behind;
    float number = strtof(text.first, &behind);
    if (behind == text.first) throw invalid_argument("stof");
    if (end) *end = behind - text.first;
    return number;
}
}
