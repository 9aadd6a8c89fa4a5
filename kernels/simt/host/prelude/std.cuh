
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
__host__ void __tilescope_drop(void*);
__host__ void __tilescope_at(size_t, size_t);
__host__ void* __tilescope_new(size_t);
__host__ void* __tilescope_new_zeroed(size_t, size_t);
__host__ void __tilescope_delete(void*);
__host__ void __tilescope_delete_array(void*);
__host__ size_t __tilescope_count(const void*, size_t);
__host__ void* operator new(size_t, void*) noexcept;
template <class T> using __tilescope_bare = std::remove_cv_t<std::remove_reference_t<T>>;

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

template <class T, class U = T> __host__ T exchange(T& place, U&& value) { T old = move(place); place = forward<U>(value); return old; }
template <class T> __host__ void __end(T* from, size_t n) {
    if constexpr (!__is_trivially_destructible(T)) for (size_t i = 0; i < n; ++i) from[i].~T();
}
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
    __host__ void push_back(const T& value) {
        if (used == room) { T kept(value); grow(); new (first + used) T(move(kept)); }
        else new (first + used) T(value);
        used = used + 1;
    }
    __host__ void push_back(T&& value) { T kept(move(value)); grow(); new (first + used) T(move(kept)); used = used + 1; }
    __host__ T& emplace_back() { grow(); new (first + used) T(); used = used + 1; return first[used - 1]; }
    template <class A> __host__ T& emplace_back(A&& a) { grow(); new (first + used) T(forward<A>(a)); used = used + 1; return first[used - 1]; }
    template <class A, class B> __host__ T& emplace_back(A&& a, B&& b) {
        grow();
        new (first + used) T(forward<A>(a), forward<B>(b));
        used = used + 1;
        return first[used - 1];
    }
    template <class A, class B, class C> __host__ T& emplace_back(A&& a, B&& b, C&& c) {
        grow();
        new (first + used) T(forward<A>(a), forward<B>(b), forward<C>(c));
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
    __host__ const T* cbegin() const { return first; }
    __host__ const T* cend() const { return first + used; }
    __host__ T& operator[](size_t i) { return first[i]; }
    __host__ const T& operator[](size_t i) const { return first[i]; }
    __host__ T& at(size_t i) { __tilescope_at(i, used); return first[i]; }
    __host__ const T& at(size_t i) const { __tilescope_at(i, used); return first[i]; }
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
template <class C> __host__ auto begin(C& c) { return c.begin(); }
template <class C> __host__ auto end(C& c) { return c.end(); }
template <class T, size_t N> __host__ T* begin(T (&a)[N]) { return a; }
template <class T, size_t N> __host__ T* end(T (&a)[N]) { return a + N; }
template <class C> __host__ size_t size(const C& c) { return c.size(); }

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
template <class A, class B> __host__ bool operator>(const pair<A, B>& a, const pair<A, B>& b) { return b < a; }
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
template <class A, class B> struct __tie2 {
    A* first;
    B* second;
    template <class P> __host__ void operator=(const P& given) { *first = get<0>(given); *second = get<1>(given); }
};
template <class A, class B, class C> struct __tie3 {
    A* first;
    B* second;
    C* third;
    template <class P> __host__ void operator=(const P& given) { *first = get<0>(given); *second = get<1>(given); *third = get<2>(given); }
};
template <class A, class B> __host__ __tie2<A, B> tie(A& a, B& b) { return __tie2<A, B>{&a, &b}; }
template <class A, class B, class C> __host__ __tie3<A, B, C> tie(A& a, B& b, C& c) { return __tie3<A, B, C>{&a, &b, &c}; }

template <class T> __host__ void __delete(T* p) { __end(p, 1); __tilescope_delete(p); }
template <class T> struct default_delete { __host__ void operator()(T* p) const { __delete(p); } };
template <class T> struct default_delete<T[]> {
    __host__ void operator()(T* p) const { __end(p, __tilescope_count(p, sizeof(T))); __tilescope_delete_array(p); }
};
template <class T, class D = default_delete<T>> class unique_ptr {
    T* held;
public:
    __host__ unique_ptr() : held(0) {}
    __host__ unique_ptr(decltype(nullptr)) : held(0) {}
    __host__ explicit unique_ptr(T* p) : held(p) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(const unique_ptr&) = delete;
    __host__ unique_ptr(unique_ptr&& other) : held(other.held) { other.held = 0; }
    template <class U> __host__ unique_ptr(unique_ptr<U>&& other) : held(other.release()) {}
    __host__ ~unique_ptr() { if (held) D()(held); }
    __host__ unique_ptr& operator=(unique_ptr&& other) { reset(other.release()); return *this; }
    template <class U> __host__ unique_ptr& operator=(unique_ptr<U>&& other) { reset(other.release()); return *this; }
    __host__ unique_ptr& operator=(decltype(nullptr)) { reset(); return *this; }
    __host__ T* get() const { return held; }
    __host__ T* release() { T* given = held; held = 0; return given; }
    __host__ void reset(T* p = 0) { T* old = held; held = p; if (old) D()(old); }
    __host__ T& operator*() const { return *held; }
    __host__ T* operator->() const { return held; }
    __host__ explicit operator bool() const { return held != 0; }
    __host__ bool operator==(decltype(nullptr)) const { return held == 0; }
    __host__ bool operator!=(decltype(nullptr)) const { return held != 0; }
};
template <class T, class D> class unique_ptr<T[], D> {
    T* held;
public:
    __host__ unique_ptr() : held(0) {}
    __host__ explicit unique_ptr(T* p) : held(p) {}
    unique_ptr(const unique_ptr&) = delete;
    unique_ptr& operator=(const unique_ptr&) = delete;
    __host__ unique_ptr(unique_ptr&& other) : held(other.held) { other.held = 0; }
    __host__ ~unique_ptr() { if (held) D()(held); }
    __host__ unique_ptr& operator=(unique_ptr&& other) { reset(other.release()); return *this; }
    __host__ T* get() const { return held; }
    __host__ T* release() { T* given = held; held = 0; return given; }
    __host__ void reset(T* p = 0) { T* old = held; held = p; if (old) D()(old); }
    __host__ T& operator[](size_t i) const { return held[i]; }
    __host__ explicit operator bool() const { return held != 0; }
};
template <class T, class D> __host__ void swap(unique_ptr<T, D>& a, unique_ptr<T, D>& b) { T* kept = a.release(); a.reset(b.release()); b.reset(kept); }
template <class T> struct __made { typedef unique_ptr<T> one; };
template <class T> struct __made<T[]> { typedef unique_ptr<T[]> many; typedef T element; };
template <class T, class... A> __host__ typename __made<T>::one make_unique(A&&... a) { return unique_ptr<T>(new (__tilescope_new(sizeof(T))) T(forward<A>(a)...)); }
template <class T> __host__ typename __made<T>::many make_unique(size_t n) {
    typedef typename __made<T>::element E;
    E* first = static_cast<E*>(__tilescope_new_zeroed(n, sizeof(E)));
    if constexpr (!__is_trivially_constructible(E)) for (size_t i = 0; i < n; ++i) new (first + i) E();
    return unique_ptr<T>(first);
}
template <class T> class shared_ptr {
    T* held;
    long* owners;
public:
    __host__ shared_ptr() : held(0), owners(0) {}
    __host__ explicit shared_ptr(T* p) : held(p), owners(static_cast<long*>(__tilescope_kept(8))) { *owners = 1; }
    __host__ shared_ptr(const shared_ptr& other) : held(other.held), owners(other.owners) { if (owners) *owners = *owners + 1; }
    __host__ shared_ptr(shared_ptr&& other) : held(other.held), owners(other.owners) { other.held = 0; other.owners = 0; }
    __host__ ~shared_ptr() { leave(); }
    __host__ shared_ptr& operator=(const shared_ptr& other) {
        if (owners == other.owners) return *this;
        leave();
        held = other.held;
        owners = other.owners;
        if (owners) *owners = *owners + 1;
        return *this;
    }
    __host__ void reset() { leave(); held = 0; owners = 0; }
    __host__ long use_count() const { return owners ? *owners : 0; }
    __host__ T* get() const { return held; }
    __host__ T& operator*() const { return *held; }
    __host__ T* operator->() const { return held; }
    __host__ explicit operator bool() const { return held != 0; }
private:
    __host__ void leave() {
        if (!owners) return;
        *owners = *owners - 1;
        if (*owners == 0) { __delete(held); __tilescope_drop(owners); }
    }
};
template <class T, class... A> __host__ shared_ptr<T> make_shared(A&&... a) { return shared_ptr<T>(new (__tilescope_new(sizeof(T))) T(forward<A>(a)...)); }

template <class T = void> struct greater { __host__ bool operator()(const T& a, const T& b) const { return b < a; } };
template <class T = void> struct less { __host__ bool operator()(const T& a, const T& b) const { return a < b; } };
template <class K, class V, class C = less<K>> class map {
    pair<K, V>* first;
    size_t used, room;
public:
    typedef pair<K, V> value_type;
    typedef pair<K, V>* iterator;
    typedef const pair<K, V>* const_iterator;
    __host__ map() : first(0), used(0), room(0) {}
    __host__ map(initializer_list<pair<K, V>> given) : first(0), used(0), room(0) {
        for (const pair<K, V>* each = given.begin(); each != given.end(); ++each) (*this)[each->first] = each->second;
    }
    __host__ map(const map& other) : first(0), used(0), room(0) { for (size_t i = 0; i < other.used; ++i) (*this)[other.first[i].first] = other.first[i].second; }
    __host__ ~map() { __end(first, used); __tilescope_drop(first); }
    __host__ map& operator=(const map& other) {
        if (this == &other) return *this;
        clear();
        for (size_t i = 0; i < other.used; ++i) (*this)[other.first[i].first] = other.first[i].second;
        return *this;
    }
    __host__ V& operator[](const K& key) {
        size_t at = place(key);
        if (at < used && !C()(key, first[at].first)) return first[at].second;
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
    __host__ V& at(const K& key) { size_t found = find(key) - first; __tilescope_at(found, used); return first[found].second; }
    __host__ const V& at(const K& key) const { size_t found = find(key) - first; __tilescope_at(found, used); return first[found].second; }
    __host__ pair<pair<K, V>*, bool> insert(const pair<K, V>& given) {
        bool fresh = !count(given.first);
        if (fresh) (*this)[given.first] = given.second;
        return pair<pair<K, V>*, bool>(find(given.first), fresh);
    }
    template <class A, class B> __host__ pair<pair<K, V>*, bool> emplace(A&& key, B&& value) { return insert(pair<K, V>(forward<A>(key), forward<B>(value))); }
    __host__ pair<K, V>* lower_bound(const K& key) { return first + place(key); }
    __host__ pair<K, V>* upper_bound(const K& key) { return first + place(key) + count(key); }
    __host__ pair<K, V>* find(const K& key) { size_t at = place(key); return at < used && !C()(key, first[at].first) ? first + at : first + used; }
    __host__ const pair<K, V>* find(const K& key) const {
        size_t at = place(key);
        return at < used && !C()(key, first[at].first) ? first + at : first + used;
    }
    __host__ size_t count(const K& key) const { size_t at = place(key); return at < used && !C()(key, first[at].first); }
    __host__ bool contains(const K& key) const { return count(key) != 0; }
    __host__ size_t erase(const K& key) {
        size_t at = place(key);
        if (at == used || C()(key, first[at].first)) return 0;
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
private:
    __host__ size_t place(const K& key) const {
        size_t low = 0, high = used;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (C()(first[middle].first, key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};
template <class K, class V> class unordered_map {
    map<K, V> sorted;
public:
    __host__ V& operator[](const K& key) { return sorted[key]; }
    __host__ V& at(const K& key) { return sorted.at(key); }
    __host__ pair<K, V>* find(const K& key) { return sorted.find(key); }
    __host__ pair<K, V>* end() { return sorted.end(); }
    __host__ size_t count(const K& key) const { return sorted.count(key); }
    __host__ size_t erase(const K& key) { return sorted.erase(key); }
    __host__ size_t size() const { return sorted.size(); }
    __host__ bool empty() const { return sorted.empty(); }
    __host__ void insert(const pair<K, V>& given) { sorted.insert(given); }
    __host__ void clear() { sorted.clear(); }
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
    for (; from < to; ++from) { --to; if (from < to) swap(*from, *to); }
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
// As the GNU library sorts, so that equal elements end up in the same order: parts of more than 16 around the median of three, then by insertion.
template <class T, class F> __host__ T* __median(T* a, T* b, T* c, F before) {
    if (before(*a, *b)) return before(*b, *c) ? b : before(*a, *c) ? c : a;
    return before(*a, *c) ? a : before(*b, *c) ? c : b;
}
template <class T, class F> __host__ T* __part(T* from, T* to, F before) {
    T* pivot = from;
    swap(*from, *__median(from + 1, from + (to - from) / 2, to - 1, before));
    for (from = from + 1; true; from = from + 1) {
        while (before(*from, *pivot)) from = from + 1;
        to = to - 1;
        while (before(*pivot, *to)) to = to - 1;
        if (!(from < to)) return from;
        swap(*from, *to);
    }
}
template <class T, class F> __host__ void __heap_sort(T* from, T* to, F before) {
    long size = to - from;
    for (long root = size / 2 - 1; root >= 0; --root) __sift(from, root, size, before);
    for (long end = size - 1; end > 0; --end) {
        T kept = from[0];
        from[0] = from[end];
        from[end] = kept;
        __sift(from, 0, end, before);
    }
}
template <class T, class F> __host__ void __insert_sorted(T* first, T* from, T* to, F before) {
    for (T* each = from; each < to; each = each + 1) {
        T kept(move(*each));
        T* place = each;
        while (place > first && before(kept, place[-1])) { *place = move(place[-1]); place = place - 1; }
        *place = move(kept);
    }
}
template <class T, class F> __host__ void sort(T* from, T* to, F before) {
    T* parts[128];
    int depths[64], open = 0;
    int depth = 0;
    for (long size = to - from; size > 1; size /= 2) depth += 2;
    T* first = from;
    T* last = to;
    while (true) {
        while (to - from > 16) {
            if (depth == 0) { __heap_sort(from, to, before); break; }
            depth = depth - 1;
            T* cut = __part(from, to, before);
            parts[2 * open] = cut;
            parts[2 * open + 1] = to;
            depths[open] = depth;
            open = open + 1;
            to = cut;
        }
        if (open == 0) break;
        open = open - 1;
        from = parts[2 * open];
        to = parts[2 * open + 1];
        depth = depths[open];
    }
    __insert_sorted(first, first + 1, last, before);
}
template <class T, class F> __host__ void stable_sort(T* from, T* to, F before) {
    size_t n = to - from;
    T* room = static_cast<T*>(__tilescope_kept(n * sizeof(T)));
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; ++i) {
                bool second = right < end && (left >= middle || before(from[right], from[left]));
                if (second) { memcpy(room + i, from + right, sizeof(T)); right = right + 1; }
                else { memcpy(room + i, from + left, sizeof(T)); left = left + 1; }
            }
        }
        memcpy(from, room, n * sizeof(T));
    }
    __tilescope_drop(room);
}
template <class T> __host__ void stable_sort(T* from, T* to) { stable_sort(from, to, [](const T& a, const T& b) { return a < b; }); }
template <class T> __host__ void sort(T* from, T* to) { sort(from, to, [](const T& a, const T& b) { return a < b; }); }

template <class T, size_t N> struct array {
    T elements[N];
    __host__ T& operator[](size_t i) { return elements[i]; }
    __host__ const T& operator[](size_t i) const { return elements[i]; }
    __host__ T& at(size_t i) { __tilescope_at(i, N); return elements[i]; }
    __host__ T& front() { return elements[0]; }
    __host__ T& back() { return elements[N - 1]; }
    constexpr __host__ size_t size() const { return N; }
    __host__ T* data() { return elements; }
    __host__ const T* data() const { return elements; }
    __host__ T* begin() { return elements; }
    __host__ T* end() { return elements + N; }
    __host__ const T* begin() const { return elements; }
    __host__ const T* end() const { return elements + N; }
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
    size_t used, room;
    static constexpr size_t npos = ~0ul;
    __host__ string() : first(0), used(0), room(0) { add("", 0); }
    __host__ string(const char* text) : first(0), used(0), room(0) { add(text, strlen(text)); }
    __host__ string(const char* text, size_t n) : first(0), used(0), room(0) { add(text, n); }
    __host__ string(size_t n, char c) : first(0), used(0), room(0) { reserve(n); memset(first, c, n); used = n; first[n] = 0; }
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
    __host__ string& append(size_t n, char c) { for (size_t i = 0; i < n; ++i) add(&c, 1); return *this; }
    __host__ string& insert(size_t at, const char* text) {
        string rest = substr(at);
        used = at;
        add(text, strlen(text));
        add(rest.first, rest.used);
        return *this;
    }
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
    __host__ char& at(size_t i) { __tilescope_at(i, used); return first[i]; }
    __host__ char& back() { return first[used - 1]; }
    __host__ char& front() { return first[0]; }
    __host__ string substr(size_t from, size_t n = npos) const {
        size_t start = from < used ? from : used, rest = used - start;
        return string(first + start, n < rest ? n : rest);
    }
    __host__ int compare(const string& other) const { return strcmp(first, other.first); }
    __host__ size_t find(const char* text, size_t from = 0) const {
        const char* found = from <= used ? strstr(first + from, text) : 0;
        return found ? found - first : npos;
    }
    __host__ size_t find(const string& text, size_t from = 0) const { return find(text.first, from); }
    __host__ size_t find(char c, size_t from = 0) const {
        for (size_t i = from; i < used; ++i) if (first[i] == c) return i;
        return npos;
    }
    __host__ size_t rfind(char c) const {
        for (size_t i = used; i > 0; --i) if (first[i - 1] == c) return i - 1;
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

namespace std {
struct exception {
    const char* words;
    __host__ exception() : words("std::exception") {}
    __host__ const char* what() const { return words; }
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
}
