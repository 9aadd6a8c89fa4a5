// Asynchronous copies of libcu++: each is committed on its own, and waited for by the wait that follows.

namespace cooperative_groups {
template <class Group, class T> __device__ void memcpy_async(const Group& group, T* target, const T* source, size_t bytes) {
    for (unsigned i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
        __pipeline_memcpy_async(target + i, source + i, sizeof(T));
    __pipeline_commit();
}
template <class Group> __device__ void wait(const Group& group) { __pipeline_wait_prior(0); group.sync(); }
template <unsigned stages, class Group> __device__ void wait_prior(const Group& group) { __pipeline_wait_prior(stages); group.sync(); }
}
