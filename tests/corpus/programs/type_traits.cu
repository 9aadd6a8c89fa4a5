// Type traits that choose what a kernel does, which function is called and what a template takes; values that may be missing, and std::async.
#include <cstdio>
#include <future>
#include <optional>
#include <string>
#include <type_traits>
template <typename T> __global__ void k(T *p, T v) {
    static_assert(std::is_arithmetic<T>::value, "numbers");
    if constexpr (std::is_floating_point_v<T>) p[0] = v / 2; else if constexpr (std::is_unsigned_v<T>) p[0] = v + 1; else p[0] = -v;
}
struct A {}; struct B : A {};
template <typename F> auto apply(F f) -> std::invoke_result_t<F, int> { return f(3); }
template <typename T, typename = std::enable_if_t<!std::is_pointer<T>::value>> int f(T) { return 1; }
int f(int *) { return 2; }
template <class T> void go(T v) { T *d, h; cudaMalloc(&d, sizeof(T)); k<T><<<1, 1>>>(d, v); cudaMemcpy(&h, d, sizeof(T), cudaMemcpyDeviceToHost); printf("%g\n", (double)h); cudaFree(d); }
std::optional<int> index_of(const int *all, int n, int wanted) {
    for (int i = 0; i < n; ++i) if (all[i] == wanted) return i;
    return std::nullopt;
}
void values() {
    int all[] = {4, 7, 9};
    auto found = index_of(all, 3, 7), missing = index_of(all, 3, 8);
    printf("%d %d %d %d\n", *found, missing.value_or(-1), missing == std::nullopt, found == 1);
    try {
        missing.value();
    } catch (const std::bad_optional_access &error) {
        printf("%s\n", error.what());
    }
    std::optional<std::string> name = std::make_optional(std::string("name"));
    name.emplace("another");
    printf("%s %zu\n", name->c_str(), name.value().size());
    name.reset();
    printf("%d\n", name.has_value());
    std::future<int> sum = std::async([&] { return all[0] + all[1]; }), last = std::async(std::launch::async, [](int a) { return a; }, all[2]);
    printf("%d\n", sum.get() + last.get());
}
int main() {
    values();
    go(3.0f); go(3u); go(3);
    int x = 0;
    printf("%d %d %d %d %d\n", std::is_base_of<A, B>::value, std::is_convertible_v<int, double>, f(x), f(&x), std::is_same<std::decay_t<const int &>, int>::value);
    printf("%d %d\n", apply([](int v) { return v * 2; }), std::is_same_v<std::remove_pointer_t<int *>, int>);
    static_assert(std::is_class<A>::value && std::is_void_v<void> && !std::is_enum_v<int> && std::is_array_v<int[3]>);
}
