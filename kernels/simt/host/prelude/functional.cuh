
// Functions as objects: std::function, std::bind, and the operators as objects.

namespace std {
struct bad_function_call : exception { __host__ bad_function_call() { words = "bad_function_call"; } };
__host__ inline void __no_function() { throw bad_function_call(); }
template <class F, class R, class... A> __host__ R __call_held(void* held, A... given) {
    if constexpr (is_same_v<R, void>) (*static_cast<F*>(held))(forward<A>(given)...);
    else return (*static_cast<F*>(held))(forward<A>(given)...);
}
template <class F> __host__ void* __keep_held(void* held, bool copied) {
    F* from = static_cast<F*>(held);
    if (copied) return new (__tilescope_kept(sizeof(F))) F(*from);
    __end(from, 1);
    __tilescope_drop(held);
    return 0;
}
template <class S> class function;
template <class R, class... A> class function<R(A...)> {
    void* held;
    R (*code)(void*, A...);
    void* (*keep)(void*, bool);
public:
    typedef R result_type;
    __host__ function() : held(0), code(0), keep(0) {}
    __host__ function(decltype(nullptr)) : held(0), code(0), keep(0) {}
    __host__ function(R (*f)(A...)) : held(0), code(0), keep(0) { if (f) hold<R (*)(A...)>(f); }
    template <class F, class = decltype(declval<F&>()(declval<A>()...))> __host__ function(const F& f) : held(0), code(0), keep(0) { hold<F>(f); }
    __host__ function(const function& other) : held(other.held ? other.keep(other.held, true) : 0), code(other.code), keep(other.keep) {}
    __host__ function(function&& other) : held(other.held), code(other.code), keep(other.keep) { other.held = 0; }
    __host__ ~function() { if (held) keep(held, false); }
    __host__ function& operator=(const function& other) {
        if (this == &other) return *this;
        void* made = other.held ? other.keep(other.held, true) : 0;
        take(made, other);
        return *this;
    }
    __host__ function& operator=(function&& other) {
        if (this == &other) return *this;
        void* made = other.held;
        other.held = 0;
        take(made, other);
        return *this;
    }
    __host__ function& operator=(decltype(nullptr)) { if (held) keep(held, false); held = 0; return *this; }
    __host__ R operator()(A... given) const { if (!held) __no_function(); return code(held, forward<A>(given)...); }
    __host__ explicit operator bool() const { return held != 0; }
    __host__ bool operator==(decltype(nullptr)) const { return held == 0; }
    __host__ bool operator!=(decltype(nullptr)) const { return held != 0; }
    __host__ void swap(function& other) { std::swap(held, other.held); std::swap(code, other.code); std::swap(keep, other.keep); }
private:
    template <class F> __host__ void hold(const F& f) {
        held = new (__tilescope_kept(sizeof(F))) F(f);
        code = &__call_held<F, R, A...>;
        keep = &__keep_held<F>;
    }
    __host__ void take(void* made, const function& other) {
        if (held) keep(held, false);
        held = made;
        code = other.code;
        keep = other.keep;
    }
};
#define __TILESCOPE_OPERATOR(name, sign) \
    template <class T = void> struct name { __host__ T operator()(const T& a, const T& b) const { return a sign b; } }; \
    template <> struct name<void> { template <class A, class B> __host__ auto operator()(const A& a, const B& b) const { return a sign b; } };
__TILESCOPE_OPERATOR(plus, +) __TILESCOPE_OPERATOR(minus, -) __TILESCOPE_OPERATOR(multiplies, *) __TILESCOPE_OPERATOR(divides, /)
__TILESCOPE_OPERATOR(modulus, %) __TILESCOPE_OPERATOR(bit_and, &) __TILESCOPE_OPERATOR(bit_or, |) __TILESCOPE_OPERATOR(bit_xor, ^)
#undef __TILESCOPE_OPERATOR
#define __TILESCOPE_COMPARISON(name, sign) \
    template <class T = void> struct name { __host__ bool operator()(const T& a, const T& b) const { return a sign b; } }; \
    template <> struct name<void> { template <class A, class B> __host__ bool operator()(const A& a, const B& b) const { return a sign b; } };
__TILESCOPE_COMPARISON(equal_to, ==) __TILESCOPE_COMPARISON(not_equal_to, !=) __TILESCOPE_COMPARISON(less_equal, <=)
__TILESCOPE_COMPARISON(greater_equal, >=) __TILESCOPE_COMPARISON(logical_and, &&) __TILESCOPE_COMPARISON(logical_or, ||)
#undef __TILESCOPE_COMPARISON
template <class T = void> struct negate { __host__ T operator()(const T& a) const { return -a; } };
template <class T = void> struct logical_not { __host__ bool operator()(const T& a) const { return !a; } };

template <class T> struct reference_wrapper {
    T* held;
    __host__ reference_wrapper(T& to) : held(&to) {}
    __host__ operator T&() const { return *held; }
    __host__ T& get() const { return *held; }
};
template <class T> __host__ reference_wrapper<T> ref(T& to) { return reference_wrapper<T>(to); }
template <class T> __host__ reference_wrapper<const T> cref(const T& to) { return reference_wrapper<const T>(to); }
template <int N> struct __argument { int unused; };
namespace placeholders {
inline constexpr __argument<1> _1{0};
inline constexpr __argument<2> _2{0};
inline constexpr __argument<3> _3{0};
}
template <class B, class... A> __host__ B& __bound(B& held, A&...) { return held; }
template <class A, class... R> __host__ A& __bound(const __argument<1>&, A& a, R&...) { return a; }
template <class A, class B, class... R> __host__ B& __bound(const __argument<2>&, A&, B& b, R&...) { return b; }
template <class A, class B, class C, class... R> __host__ C& __bound(const __argument<3>&, A&, B&, C& c, R&...) { return c; }
template <class F, class X> __host__ auto bind(const F& f, const X& x) { return [f, x](auto... given) { return f(__bound(x, given...)); }; }
template <class F, class X, class Y> __host__ auto bind(const F& f, const X& x, const Y& y) {
    return [f, x, y](auto... given) { return f(__bound(x, given...), __bound(y, given...)); };
}
template <class F, class X, class Y, class Z> __host__ auto bind(const F& f, const X& x, const Y& y, const Z& z) {
    return [f, x, y, z](auto... given) { return f(__bound(x, given...), __bound(y, given...), __bound(z, given...)); };
}
template <class F, class... A> __host__ auto invoke(F&& f, A&&... given) { return f(forward<A>(given)...); }
}
