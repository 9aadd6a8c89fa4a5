
// Threads of the host: each does all that it does where it is made, which is one of the orders in which they may run.

namespace std {
inline __host__ void __terminate(const char* why) {
    fprintf(stderr, "terminate called %s\n", why);
    abort();
}
class thread {
    bool running;
public:
    typedef int id;
    __host__ thread() : running(false) {}
    template <class F, class... A> __host__ explicit thread(F&& f, A&&... a) : running(true) { f(forward<A>(a)...); }
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    __host__ thread(thread&& other) : running(other.running) { other.running = false; }
    __host__ thread& operator=(thread&& other) {
        if (running) __terminate("without an active exception");
        running = other.running;
        other.running = false;
        return *this;
    }
    __host__ ~thread() { if (running) __terminate("without an active exception"); }
    __host__ bool joinable() const { return running; }
    __host__ void join() { running = false; }
    __host__ void detach() { running = false; }
    static __host__ unsigned hardware_concurrency() { return 2; }
};
struct mutex {
    __host__ void lock() {}
    __host__ void unlock() {}
    __host__ bool try_lock() { return true; }
};
typedef mutex recursive_mutex;
template <class M> struct lock_guard {
    __host__ explicit lock_guard(M&) {}
    lock_guard(const lock_guard&) = delete;
    __host__ ~lock_guard() {}
};
template <class... M> struct scoped_lock {
    __host__ explicit scoped_lock(M&...) {}
    scoped_lock(const scoped_lock&) = delete;
    __host__ ~scoped_lock() {}
};
template <class M> struct unique_lock {
    bool held;
    __host__ explicit unique_lock(M&) : held(true) {}
    unique_lock(const unique_lock&) = delete;
    __host__ ~unique_lock() {}
    __host__ void lock() { held = true; }
    __host__ void unlock() { held = false; }
    __host__ bool owns_lock() const { return held; }
};
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
template <class T> struct atomic {
    T value;
    __host__ atomic() : value() {}
    __host__ atomic(T v) : value(v) {}
    atomic(const atomic&) = delete;
    __host__ T operator=(T v) { value = v; return v; }
    __host__ operator T() const { return value; }
    __host__ T load(memory_order = memory_order_seq_cst) const { return value; }
    __host__ void store(T v, memory_order = memory_order_seq_cst) { value = v; }
    __host__ T exchange(T v, memory_order = memory_order_seq_cst) { T old = value; value = v; return old; }
    __host__ T fetch_add(T v, memory_order = memory_order_seq_cst) { T old = value; value = old + v; return old; }
    __host__ T fetch_sub(T v, memory_order = memory_order_seq_cst) { T old = value; value = old - v; return old; }
    __host__ bool compare_exchange_strong(T& is, T v, memory_order = memory_order_seq_cst) {
        bool same = value == is;
        if (same) value = v;
        else is = value;
        return same;
    }
    __host__ bool compare_exchange_weak(T& is, T v, memory_order = memory_order_seq_cst) { return compare_exchange_strong(is, v); }
    __host__ T operator++() { value = value + 1; return value; }
    __host__ T operator--() { value = value - 1; return value; }
    __host__ T operator++(int) { T old = value; value = old + 1; return old; }
    __host__ T operator--(int) { T old = value; value = old - 1; return old; }
    __host__ T operator+=(T v) { value = value + v; return value; }
    __host__ T operator-=(T v) { value = value - v; return value; }
};
typedef atomic<int> atomic_int;
typedef atomic<bool> atomic_bool;
struct once_flag { bool done = false; };
template <class F, class... A> __host__ void call_once(once_flag& flag, F&& f, A&&... a) {
    if (flag.done) return;
    flag.done = true;
    f(forward<A>(a)...);
}
enum class launch { async = 1, deferred = 2 };
template <class T> struct future {
    T value;
    __host__ T get() { return move(value); }
    __host__ void wait() const {}
    __host__ bool valid() const { return true; }
};
template <> struct future<void> {
    __host__ void get() {}
    __host__ void wait() const {}
    __host__ bool valid() const { return true; }
};
template <class F, class... A> __host__ auto async(launch, F&& f, A&&... a) {
    typedef decltype(f(forward<A>(a)...)) R;
    if constexpr (is_same_v<R, void>) { f(forward<A>(a)...); return future<void>{}; }
    else return future<R>{f(forward<A>(a)...)};
}
template <class F, class... A, enable_if_t<!is_same_v<decay_t<F>, launch>, int> = 0> __host__ auto async(F&& f, A&&... a) {
    return async(launch::async, forward<F>(f), forward<A>(a)...);
}
namespace this_thread {
template <class R, class P> __host__ void sleep_for(const chrono::duration<R, P>& d) { usleep(static_cast<unsigned>(chrono::microseconds(d).count())); }
inline __host__ void yield() {}
inline __host__ thread::id get_id() { return 1; }
}
}

// One thread, as OpenMP has where a program is not built for more.
inline __host__ double omp_get_wtime() { return __tilescope_nanoseconds() * 1e-9; }
inline __host__ int omp_get_max_threads() { return 1; }
inline __host__ int omp_get_num_threads() { return 1; }
inline __host__ int omp_get_thread_num() { return 0; }
inline __host__ int omp_get_num_procs() { return 1; }
inline __host__ void omp_set_num_threads(int) {}
