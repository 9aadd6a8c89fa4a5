// Atomic objects of libcu++ in terms of atomic functions. What stands before and after each says what the operation orders: what comes
// before it (release), what comes after it (acquire), or neither (relaxed). Objects of 8 bytes are exchanged and compared as whole numbers.

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std {
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst
};
}
using std::memory_order; using std::memory_order_relaxed; using std::memory_order_consume; using std::memory_order_acquire;
using std::memory_order_release; using std::memory_order_acq_rel; using std::memory_order_seq_cst;

template <thread_scope scope> __device__ void __before(memory_order order) {
    if (order < memory_order_release) __tilescope_relaxed();
    else if constexpr (scope >= thread_scope_block) __tilescope_release_block();
    else __tilescope_release();
}
template <thread_scope scope> __device__ void __after(memory_order order) {
    if (order == memory_order_relaxed || order == memory_order_release) return;
    if constexpr (scope >= thread_scope_block) __tilescope_acquire_block();
    else __tilescope_acquire();
}
__device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order == memory_order_relaxed) return;
    if (scope >= thread_scope_block) __threadfence_block();
    else if (scope == thread_scope_device) __threadfence();
    else __threadfence_system();
}

// How a value looks to the atomic functions: integers and floats as they are, other types of 4 and 8 bytes as their bits.
template <class T> __device__ auto* __as_number(T* p) {
    if constexpr (::std::is_same_v<T, float> || ::std::is_same_v<T, double>) return p;
    else if constexpr (sizeof(T) == 8) return reinterpret_cast<unsigned long long*>(p);
    else if constexpr (T(-1) < T(0)) return reinterpret_cast<int*>(p);
    else return reinterpret_cast<unsigned*>(p);
}
template <class T> __device__ auto* __as_bits(T* p) {
    if constexpr (sizeof(T) == 8) return reinterpret_cast<unsigned long long*>(p);
    else return reinterpret_cast<unsigned*>(p);
}
template <class T> __device__ auto __bits(T value) {
    if constexpr (::std::is_same_v<T, float>) return __float_as_uint(value);
    else if constexpr (::std::is_same_v<T, double>) return (unsigned long long)__double_as_longlong(value);
    else if constexpr (sizeof(T) == 8) return (unsigned long long)value;
    else return (unsigned)value;
}
template <class T, class Bits> __device__ T __value(Bits bits) {
    if constexpr (::std::is_same_v<T, float>) return __uint_as_float(bits);
    else if constexpr (::std::is_same_v<T, double>) return __longlong_as_double((long long)bits);
    else return (T)bits;
}

#define __TILESCOPE_SCOPED(name, ...) \
    if constexpr (scope >= thread_scope_block) return name##_block(__VA_ARGS__); \
    else if constexpr (scope == thread_scope_device) return name(__VA_ARGS__); \
    else return name##_system(__VA_ARGS__);
template <thread_scope scope, class P, class V> __device__ auto __add(P p, V v) { __TILESCOPE_SCOPED(atomicAdd, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __exchange(P p, V v) { __TILESCOPE_SCOPED(atomicExch, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __swap(P p, V e, V v) { __TILESCOPE_SCOPED(atomicCAS, p, e, v) }
template <thread_scope scope, class P, class V> __device__ auto __and(P p, V v) { __TILESCOPE_SCOPED(atomicAnd, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __or(P p, V v) { __TILESCOPE_SCOPED(atomicOr, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __xor(P p, V v) { __TILESCOPE_SCOPED(atomicXor, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __min(P p, V v) { __TILESCOPE_SCOPED(atomicMin, p, v) }
template <thread_scope scope, class P, class V> __device__ auto __max(P p, V v) { __TILESCOPE_SCOPED(atomicMax, p, v) }
#undef __TILESCOPE_SCOPED

#define __TILESCOPE_FETCH(name, does) \
    __device__ T name(T value, memory_order order = memory_order_seq_cst) const { \
        __before<scope>(order); \
        auto* p = __as_number(__at()); \
        T old = (T)does<scope>(p, (decltype(*p + *p))value); \
        __after<scope>(order); \
        return old; \
    }
#define __TILESCOPE_OPERATIONS \
    __device__ T load(memory_order order = memory_order_seq_cst) const { \
        __before<scope>(memory_order_relaxed); \
        T found = __value<T>(__or<scope>(__as_bits(__at()), __bits(T(0)))); \
        __after<scope>(order); \
        return found; \
    } \
    __device__ void store(T value, memory_order order = memory_order_seq_cst) const { \
        __before<scope>(order); \
        __exchange<scope>(__as_bits(__at()), __bits(value)); \
    } \
    __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const { \
        __before<scope>(order); \
        T old = __value<T>(__exchange<scope>(__as_bits(__at()), __bits(value))); \
        __after<scope>(order); \
        return old; \
    } \
    __device__ bool compare_exchange_strong(T& expected, T value, memory_order order = memory_order_seq_cst) const { \
        __before<scope>(order); \
        auto wanted = __bits(expected), found = __swap<scope>(__as_bits(__at()), wanted, __bits(value)); \
        __after<scope>(order); \
        if (found != wanted) expected = __value<T>(found); \
        return found == wanted; \
    } \
    __device__ bool compare_exchange_strong(T& expected, T value, memory_order order, memory_order) const { \
        return compare_exchange_strong(expected, value, order); \
    } \
    __device__ bool compare_exchange_weak(T& expected, T value, memory_order order = memory_order_seq_cst) const { \
        return compare_exchange_strong(expected, value, order); \
    } \
    __device__ bool compare_exchange_weak(T& expected, T value, memory_order order, memory_order) const { \
        return compare_exchange_strong(expected, value, order); \
    } \
    __TILESCOPE_FETCH(fetch_add, __add) __TILESCOPE_FETCH(fetch_and, __and) __TILESCOPE_FETCH(fetch_or, __or) \
    __TILESCOPE_FETCH(fetch_xor, __xor) __TILESCOPE_FETCH(fetch_min, __min) __TILESCOPE_FETCH(fetch_max, __max) \
    __device__ T fetch_sub(T value, memory_order order = memory_order_seq_cst) const { return fetch_add(T(0) - value, order); } \
    __device__ T operator++() const { return fetch_add(T(1)) + T(1); } \
    __device__ T operator++(int) const { return fetch_add(T(1)); } \
    __device__ T operator--() const { return fetch_sub(T(1)) - T(1); } \
    __device__ T operator--(int) const { return fetch_sub(T(1)); } \
    __device__ T operator+=(T value) const { return fetch_add(value) + value; } \
    __device__ T operator-=(T value) const { return fetch_sub(value) - value; } \
    __device__ operator T() const { return load(); }

template <class T, thread_scope scope = thread_scope_system> struct atomic_ref {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "an atomic object has 4 or 8 bytes");
    T* __object;
    __device__ explicit atomic_ref(T& object) : __object(&object) {}
    __device__ T* __at() const { return __object; }
    __TILESCOPE_OPERATIONS
};
template <class T, thread_scope scope = thread_scope_system> struct atomic {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "an atomic object has 4 or 8 bytes");
    T __object;
    atomic() = default;
    constexpr __host__ __device__ atomic(T value) : __object(value) {}
    __device__ T* __at() const { return const_cast<T*>(&__object); }
    __device__ T operator=(T value) {
        store(value);
        return value;
    }
    __TILESCOPE_OPERATIONS
};
#undef __TILESCOPE_OPERATIONS
#undef __TILESCOPE_FETCH
}
