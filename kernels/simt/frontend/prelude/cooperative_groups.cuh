// Cooperative groups as nvcc's header has them, in terms of barriers, shuffles and votes. Groups of clusters and of
// whichever threads happen to be together (coalesced_threads) are declared without a body: they are refused where they are used.

namespace cooperative_groups {
struct thread_block {
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static __device__ unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ uint3 group_index() { return blockIdx; }
    static __device__ uint3 thread_index() { return threadIdx; }
    static __device__ dim3 group_dim() { return blockDim; }
    static __device__ dim3 dim_threads() { return blockDim; }
};
__device__ inline thread_block this_thread_block() { return thread_block{}; }

template <unsigned N, class Parent = thread_block> struct thread_block_tile {
    static_assert(N == 1 || N == 2 || N == 4 || N == 8 || N == 16 || N == 32, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static __device__ unsigned __lanes() { return (0xffffffffu >> (32 - N)) << (__tilescope_lane() & ~(N - 1)); }
    static __device__ void sync() { __syncwarp(__lanes()); }
    static __device__ unsigned thread_rank() { return __tilescope_lane() & (N - 1); }
    static constexpr __device__ unsigned size() { return N; }
    static constexpr __device__ unsigned num_threads() { return N; }
    static __device__ unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    static __device__ unsigned meta_group_size() { return (Parent::size() + N - 1) / N; }
    template <class T> static __device__ T shfl(T value, int rank) { return __shfl_sync(__lanes(), value, rank, N); }
    template <class T> static __device__ T shfl_up(T value, unsigned by) { return __shfl_up_sync(__lanes(), value, by, N); }
    template <class T> static __device__ T shfl_down(T value, unsigned by) { return __shfl_down_sync(__lanes(), value, by, N); }
    template <class T> static __device__ T shfl_xor(T value, int mask) { return __shfl_xor_sync(__lanes(), value, mask, N); }
    static __device__ int any(int predicate) { return __any_sync(__lanes(), predicate); }
    static __device__ int all(int predicate) { return __all_sync(__lanes(), predicate); }
    static __device__ unsigned ballot(int predicate) {
        return __ballot_sync(__lanes(), predicate) >> (__tilescope_lane() & ~(N - 1));
    }
};
template <unsigned N, class Parent> __device__ thread_block_tile<N, Parent> tiled_partition(const Parent& parent) {
    return thread_block_tile<N, Parent>{};
}

// A group whose size is chosen as the kernel runs: the whole block, or tiles of a warp (__tile threads; 0: the block).
struct thread_group {
    unsigned __tile;
    __device__ thread_group(unsigned tile) : __tile(tile) {}
    __device__ thread_group(const thread_block&) : __tile(0) {}
    template <unsigned N, class Parent> __device__ thread_group(const thread_block_tile<N, Parent>&) : __tile(N) {}
    __device__ unsigned size() const { return __tile ? __tile : thread_block::size(); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return __tile ? __tilescope_lane() & (__tile - 1) : thread_block::thread_rank(); }
    __device__ void sync() const {
        if (__tile)
            __syncwarp((0xffffffffu >> (32 - __tile)) << (__tilescope_lane() & ~(__tile - 1)));
        else
            __syncthreads();
    }
};
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned tile) { return thread_group(tile); }
__device__ inline void sync(const thread_group& group) { group.sync(); }

template <class Group> __device__ void sync(const Group& group) { Group::sync(); }

template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <unsigned N, class Parent, class T, class Operator>
__device__ T reduce(const thread_block_tile<N, Parent>& tile, T value, Operator op) {
    for (int by = N / 2; by > 0; by /= 2)
        value = op(value, __shfl_xor_sync(thread_block_tile<N, Parent>::__lanes(), value, by, N));
    return value;
}

struct grid_group {
    static __device__ void sync() { __tilescope_grid_sync(); }
    static __device__ bool is_valid() { return true; }
    static __device__ unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
    static __device__ unsigned long long block_rank() { return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
    static __device__ unsigned long long size() { return num_blocks() * thread_block::size(); }
    static __device__ unsigned long long num_threads() { return size(); }
    static __device__ unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
    static __device__ dim3 group_dim() { return gridDim; }
    static __device__ dim3 dim_blocks() { return gridDim; }
    static __device__ dim3 block_index() { return dim3(blockIdx); }
};
__device__ inline grid_group this_grid() { return grid_group{}; }
struct coalesced_group {
    __device__ void sync() const;
    __device__ unsigned thread_rank() const;
    __device__ unsigned size() const;
    __device__ unsigned num_threads() const;
    template <class T> __device__ T shfl(T value, int rank) const;
    template <class T> __device__ T shfl_down(T value, unsigned by) const;
};
__device__ coalesced_group coalesced_threads();
}
