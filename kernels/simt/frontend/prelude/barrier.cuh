// Barriers and pipelines of libcu++ as it makes them itself: a barrier of a block is a word in shared memory, a pipeline of a block has two
// barriers a stage, one of a thread is the groups of asynchronous copies that it waits for.

namespace cuda {
template <size_t N> struct aligned_size_t {
    static constexpr size_t align = N;
    size_t value;
    __device__ constexpr explicit aligned_size_t(size_t n) : value(n) {}
    __device__ constexpr operator size_t() const { return value; }
};
__device__ void __other_scope();
__device__ void __completion();
template <thread_scope scope, class Completion = void> struct barrier {
    struct arrival_token { unsigned long long state; };
    unsigned long long __word;
    barrier() = default;
    static constexpr __device__ ptrdiff_t max() { return (1 << 20) - 1; }
    __device__ unsigned __at() const {
        if constexpr (scope != thread_scope_block) __other_scope();
        if constexpr (!::std::is_same_v<Completion, void>) __completion();
        return __cvta_generic_to_shared(&__word);
    }
    __device__ arrival_token arrive(ptrdiff_t count = 1) {
        arrival_token token;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(token.state) : "r"(__at()), "r"((unsigned)count) : "memory");
        return token;
    }
    __device__ void wait(arrival_token token) const {
        unsigned done;
        do
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                : "=r"(done) : "r"(__at()), "l"(token.state) : "memory");
        while (!done);
    }
    __device__ bool __try_parity(bool parity) const {
        unsigned done;
        asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(__at()), "r"((unsigned)parity) : "memory");
        return done;
    }
    __device__ void wait_parity(bool parity) const { while (!__try_parity(parity)); }
    __device__ void arrive_and_wait() { wait(arrive()); }
    __device__ void arrive_and_drop() {
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" :: "r"(__at()) : "memory");
    }
};
template <thread_scope scope, class Completion> __device__ void init(barrier<scope, Completion>* made, ptrdiff_t expected) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(made->__at()), "r"((unsigned)expected) : "memory");
}
template <thread_scope scope, class Completion> __device__ void __arrive_behind_copies(barrier<scope, Completion>& given) {
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" :: "r"(given.__at()) : "memory");
}

template <thread_scope scope, unsigned stages> struct pipeline_shared_state { barrier<scope> __produced[stages], __consumed[stages]; };
enum class pipeline_role { producer, consumer };
template <thread_scope scope> struct pipeline {
    barrier<scope>*__produced, *__consumed;
    unsigned __stages, __head, __tail;
    bool __consumed_parity, __produced_parity;
    __device__ void producer_acquire() { __consumed[__head].wait_parity(__consumed_parity); }
    __device__ void producer_commit() {
        __arrive_behind_copies(__produced[__head]);
        __produced[__head].arrive();
        __head = __head + 1 == __stages ? 0 : __head + 1;
        if (__head == 0) __consumed_parity = !__consumed_parity;
    }
    __device__ void consumer_wait() { __produced[__tail].wait_parity(__produced_parity); }
    __device__ void consumer_release() {
        __consumed[__tail].arrive();
        __tail = __tail + 1 == __stages ? 0 : __tail + 1;
        if (__tail == 0) __produced_parity = !__produced_parity;
    }
    __device__ void quit() {}
};
template <> struct pipeline<thread_scope_thread> {
    unsigned __committed, __consumed;
    __device__ void producer_acquire() {}
    __device__ void producer_commit() { __pipeline_commit(); __committed = __committed + 1; }
    __device__ void consumer_wait() { __consumed = __consumed + 1; __pipeline_wait_prior(__committed - __consumed); }
    __device__ void consumer_release() {}
    __device__ void quit() {}
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>{0, 0}; }
template <class Group, thread_scope scope, unsigned stages>
__device__ pipeline<scope> __make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, size_t producers, size_t consumers) {
    if (group.thread_rank() == 0)
        for (unsigned i = 0; i < stages; ++i) {
            init(&state->__produced[i], producers);
            init(&state->__consumed[i], consumers);
        }
    group.sync();
    return pipeline<scope>{state->__produced, state->__consumed, stages, 0, 0, true, false};
}
template <class Group, thread_scope scope, unsigned stages>
__device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state) {
    return __make_pipeline(group, state, group.size(), group.size());
}
template <class Group, thread_scope scope, unsigned stages>
__device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, size_t producers) {
    return __make_pipeline(group, state, producers, group.size() - producers);
}
template <class Group, thread_scope scope, unsigned stages>
__device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, pipeline_role role) {
    __shared__ unsigned __producers;
    if (group.thread_rank() == 0) __producers = 0;
    group.sync();
    if (role == pipeline_role::producer) atomicAdd(&__producers, 1u);
    group.sync();
    return __make_pipeline(group, state, __producers, group.size() - __producers);
}
template <unsigned left> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& given) {
    given.__consumed = given.__committed > left ? given.__committed - left : 0;
    __pipeline_wait_prior(left);
}

// The pieces that a thread copies by itself, as long as what is known of the places allows.
__device__ inline void __copy_bytes(char* target, const char* source, size_t bytes, size_t align) {
    if (align >= 16 && bytes % 16 == 0)
        for (size_t i = 0; i < bytes; i += 16) __pipeline_memcpy_async(target + i, source + i, 16);
    else if (align >= 8 && bytes % 8 == 0)
        for (size_t i = 0; i < bytes; i += 8) __pipeline_memcpy_async(target + i, source + i, 8);
    else if (align >= 4 && bytes % 4 == 0)
        for (size_t i = 0; i < bytes; i += 4) __pipeline_memcpy_async(target + i, source + i, 4);
    else
        for (size_t i = 0; i < bytes; ++i) target[i] = source[i];
}
template <class Size> constexpr __device__ size_t __aligned(size_t least, Size) { return least; }
template <size_t N> constexpr __device__ size_t __aligned(size_t least, aligned_size_t<N>) { return N > least ? N : least; }
template <thread_scope scope, class Completion> __device__ void __copied(barrier<scope, Completion>& given) { __arrive_behind_copies(given); }
template <thread_scope scope> __device__ void __copied(pipeline<scope>&) {}
template <class T, class Size, class Sync> __device__ void memcpy_async(T* target, const T* source, Size bytes, Sync& sync) {
    __copy_bytes(reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source), bytes, __aligned(alignof(T), bytes));
    __copied(sync);
}
// A group's threads take turns: pieces of 16 bytes where both places are known to allow it, else elements.
template <class Group, class T, class Size, class Sync>
__device__ void memcpy_async(const Group& group, T* target, const T* source, Size bytes, Sync& sync) {
    size_t align = __aligned(alignof(T), bytes);
    size_t piece = align >= 16 && bytes % 16 == 0 ? 16 : align >= 8 && bytes % 8 == 0 ? 8 : align >= 4 && bytes % 4 == 0 ? 4 : 1;
    for (size_t i = group.thread_rank() * piece; i < bytes; i += group.size() * piece)
        __copy_bytes(reinterpret_cast<char*>(target) + i, reinterpret_cast<const char*>(source) + i, piece, piece);
    __copied(sync);
}

namespace device {
typedef barrier<thread_scope_block> __block_barrier;
__device__ inline unsigned long long* barrier_native_handle(__block_barrier& given) { return &given.__word; }
__device__ inline __block_barrier::arrival_token barrier_arrive_tx(__block_barrier& given, ptrdiff_t count, ptrdiff_t bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(given.__at()), "r"((unsigned)bytes) : "memory");
    return given.arrive(count);
}
__device__ inline void barrier_expect_tx(__block_barrier& given, ptrdiff_t bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(given.__at()), "r"((unsigned)bytes) : "memory");
}
__device__ inline void __bulk_to_shared(void* target, const void* source, unsigned bytes, __block_barrier& given) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(source), "r"(bytes), "r"(given.__at()) : "memory");
}
template <class T, size_t N>
__device__ void memcpy_async_tx(T* target, const T* source, aligned_size_t<N> bytes, __block_barrier& given) {
    static_assert(N >= 16, "memcpy_async_tx needs places that are multiples of 16");
    __bulk_to_shared(target, source, bytes, given);
}
namespace experimental {
__device__ inline void cp_async_bulk_global_to_shared(void* target, const void* source, unsigned bytes, __block_barrier& given) {
    __bulk_to_shared(target, source, bytes, given);
}
__device__ inline void cp_async_bulk_shared_to_global(void* target, const void* source, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
        :: "l"(target), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(bytes) : "memory");
}
__device__ inline void cp_async_bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int left> __device__ void cp_async_bulk_wait_group() { asm volatile("cp.async.bulk.wait_group %0;" :: "n"(left) : "memory"); }
template <int left> __device__ void cp_async_bulk_wait_group_read() { asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(left) : "memory"); }
__device__ inline void fence_proxy_async_shared_cta() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void cp_async_bulk_tensor_1d_global_to_shared(void* target, const CUtensorMap* map, int c0, __block_barrier& given) {
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(map), "r"(c0), "r"(given.__at()) : "memory");
}
__device__ inline void cp_async_bulk_tensor_2d_global_to_shared(void* target, const CUtensorMap* map, int c0, int c1, __block_barrier& given) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(map), "r"(c0), "r"(c1), "r"(given.__at()) : "memory");
}
__device__ inline void cp_async_bulk_tensor_3d_global_to_shared(
    void* target, const CUtensorMap* map, int c0, int c1, int c2, __block_barrier& given) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(given.__at()) : "memory");
}
__device__ inline void cp_async_bulk_tensor_4d_global_to_shared(
    void* target, const CUtensorMap* map, int c0, int c1, int c2, int c3, __block_barrier& given) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(given.__at()) : "memory");
}
__device__ inline void cp_async_bulk_tensor_5d_global_to_shared(
    void* target, const CUtensorMap* map, int c0, int c1, int c2, int c3, int c4, __block_barrier& given) {
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
        :: "r"((unsigned)__cvta_generic_to_shared(target)), "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(given.__at()) : "memory");
}
__device__ inline void cp_async_bulk_tensor_1d_shared_to_global(const CUtensorMap* map, int c0, const void* source) {
    asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];"
        :: "l"(map), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(c0) : "memory");
}
__device__ inline void cp_async_bulk_tensor_2d_shared_to_global(const CUtensorMap* map, int c0, int c1, const void* source) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
        :: "l"(map), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(c0), "r"(c1) : "memory");
}
__device__ inline void cp_async_bulk_tensor_3d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, const void* source) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];"
        :: "l"(map), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(c0), "r"(c1), "r"(c2) : "memory");
}
__device__ inline void cp_async_bulk_tensor_4d_shared_to_global(const CUtensorMap* map, int c0, int c1, int c2, int c3, const void* source) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
        :: "l"(map), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(c0), "r"(c1), "r"(c2), "r"(c3) : "memory");
}
__device__ inline void cp_async_bulk_tensor_5d_shared_to_global(
    const CUtensorMap* map, int c0, int c1, int c2, int c3, int c4, const void* source) {
    asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
        :: "l"(map), "r"((unsigned)__cvta_generic_to_shared(source)), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4) : "memory");
}
}
}
}
namespace cooperative_groups {
template <unsigned threads = 1024> struct block_tile_memory { int unused; };
template <unsigned threads> __device__ thread_block this_thread_block(block_tile_memory<threads>&) { return thread_block{}; }
// The blocks of a cluster.
struct cluster_group {
    struct arrival_token {};
    static __device__ arrival_token barrier_arrive() { __cluster_barrier_arrive(); return arrival_token{}; }
    static __device__ void barrier_wait() { __cluster_barrier_wait(); }
    static __device__ void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
    static __device__ void sync() { __cluster_barrier_arrive(); __cluster_barrier_wait(); }
    static __device__ unsigned block_rank() { return __clusterRelativeBlockRank(); }
    static __device__ unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static __device__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static __device__ dim3 dim_blocks() { return __clusterDim(); }
    static __device__ unsigned size() { return num_blocks() * thread_block::size(); }
    static __device__ unsigned num_threads() { return size(); }
    static __device__ unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
    static __device__ unsigned query_shared_rank(const void* address) { return __cluster_query_shared_rank(address); }
    template <class T> static __device__ T* map_shared_rank(T* address, int rank) { return (T*)__cluster_map_shared_rank(address, rank); }
};
__device__ inline cluster_group this_cluster() { return cluster_group{}; }
}
