// Asynchronous copies of libcu++: each is committed on its own, and waited for by the wait that follows. Elements of other sizes than 4, 8
// and 16 bytes are moved as words, and those that need not lie at a multiple of 4 at once.

namespace cooperative_groups {
template <class Group, class T> __device__ void memcpy_async(const Group& group, T* target, const T* source, size_t bytes) {
    size_t whole = bytes / sizeof(T) * sizeof(T);
    if constexpr (alignof(T) < 4) {
        for (unsigned i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) target[i] = source[i];
    } else if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) {
        for (unsigned i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
            __pipeline_memcpy_async(target + i, source + i, sizeof(T));
    } else {
        whole = bytes / 4 * 4;
        for (unsigned i = group.thread_rank(); i < bytes / 4; i += group.size())
            __pipeline_memcpy_async(reinterpret_cast<int*>(target) + i, reinterpret_cast<const int*>(source) + i, 4);
    }
    for (unsigned i = whole + group.thread_rank(); i < bytes; i += group.size())
        reinterpret_cast<char*>(target)[i] = reinterpret_cast<const char*>(source)[i];
    __pipeline_commit();
}
template <class Group, class T>
__device__ void memcpy_async(const Group& group, T* target, size_t room, const T* source, size_t count) {
    memcpy_async(group, target, source, (room < count ? room : count) * sizeof(T));
}
template <class Group> __device__ void wait(const Group& group) { __pipeline_wait_prior(0); group.sync(); }
template <unsigned stages, class Group> __device__ void wait_prior(const Group& group) { __pipeline_wait_prior(stages); group.sync(); }
}
