// Barriers and pipelines of libcu++, of a block whose threads all arrive and all wait: then a phase is a barrier of the block. A barrier for
// fewer threads is refused where it is used. A pipeline of a thread is the asynchronous copies that it waits for.

namespace cuda {
template <size_t N> struct aligned_size_t {
    static constexpr size_t align = N;
    size_t value;
    __device__ constexpr explicit aligned_size_t(size_t n) : value(n) {}
    __device__ constexpr operator size_t() const { return value; }
};
template <thread_scope scope, class Completion = void> struct barrier {
    static_assert(scope == thread_scope_block, "a barrier of another scope than the block is not executed");
    static_assert(::std::is_same_v<Completion, void>, "a barrier with a function of completion is not executed");
    struct arrival_token { unsigned phase; };
    unsigned expected;
    barrier() = default;
    __device__ arrival_token arrive(unsigned count = 1) {
        __tilescope_whole_block(expected == cooperative_groups::thread_block::size() && count == 1);
        return arrival_token{0};
    }
    __device__ void wait(arrival_token) const { __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); }
    __device__ void arrive_and_wait() {
        __tilescope_whole_block(expected == cooperative_groups::thread_block::size());
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    }
};
template <thread_scope scope, class Completion> __device__ void init(barrier<scope, Completion>* made, unsigned expected) { made->expected = expected; }

template <thread_scope scope, unsigned stages> struct pipeline_shared_state { unsigned unused; };
template <thread_scope scope> struct pipeline {
    unsigned stages, acquired, committed, consumed;
    __device__ void producer_acquire() {
        if (stages && acquired >= stages) __syncthreads();
        acquired = acquired + 1;
    }
    __device__ void producer_commit() { __pipeline_commit(); committed = committed + 1; }
    __device__ void consumer_wait() {
        consumed = consumed + 1;
        __pipeline_wait_prior(committed - consumed);
        if (stages) __syncthreads();
    }
    __device__ void consumer_release() {}
    __device__ void quit() {}
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>{0, 0, 0, 0}; }
template <class Group, thread_scope scope, unsigned stages>
__device__ pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>*) {
    static_assert(scope == thread_scope_block, "a pipeline of another scope than the block or the thread is not executed");
    __tilescope_whole_block(group.size() == cooperative_groups::thread_block::size());
    return pipeline<scope>{stages, 0, 0, 0};
}
template <unsigned left, thread_scope scope> __device__ void pipeline_consumer_wait_prior(pipeline<scope>& given) {
    given.consumed = given.committed > left ? given.committed - left : 0;
    __pipeline_wait_prior(left);
    if (given.stages) __syncthreads();
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
template <class T, class Size, class Sync> __device__ void memcpy_async(T* target, const T* source, Size bytes, Sync&) {
    __copy_bytes(reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source), bytes, __aligned(alignof(T), bytes));
}
// A group's threads take turns: pieces of 16 bytes where both places are known to allow it, else elements.
template <class Group, class T, class Size, class Sync>
__device__ void memcpy_async(const Group& group, T* target, const T* source, Size bytes, Sync&) {
    size_t align = __aligned(alignof(T), bytes);
    size_t piece = align >= 16 && bytes % 16 == 0 ? 16 : align >= 8 && bytes % 8 == 0 ? 8 : align >= 4 && bytes % 4 == 0 ? 4 : 1;
    for (size_t i = group.thread_rank() * piece; i < bytes; i += group.size() * piece)
        __copy_bytes(reinterpret_cast<char*>(target) + i, reinterpret_cast<const char*>(source) + i, piece, piece);
}
}
namespace cooperative_groups {
template <unsigned threads = 1024> struct block_tile_memory { int unused; };
template <unsigned threads> __device__ thread_block this_thread_block(block_tile_memory<threads>&) { return thread_block{}; }
}
