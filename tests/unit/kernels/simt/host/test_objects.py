"""Objects of host programs: when they end, what is copied, what is thrown, and what functions point to."""

from __future__ import annotations

import pytest

from kernels.simt.host.process import Programs
from kernels.simt.host.result import NotRun, ProgramJob, Wrong
from tests.unit.kernels.simt.host.test_ends import ran, run

NOISY = """#include <cstdio>
#include <vector>
#include <stdexcept>
struct N { int n; N(int k) : n(k) { printf("+%d ", n); } N(const N& o) : n(o.n + 10) { printf("c%d ", n); } ~N() { printf("-%d ", n); } };
struct P { N n{7}; int k = 5; };
void odd(int k) { if (k % 2) throw k; }
N make(int k) { N made(k); return made; }
void take(N) { printf("t "); }
int left(int k) { N a(k); for (;;) { N b(2); if (k) break; { N c(3); return 4; } } return 5; }
int main() {
STATEMENTS
}
"""


@pytest.mark.parametrize(
    ("statements", "printed"),
    [
        ("N a(1); N b(2);", "+1 +2 -2 -1 "),
        ("{ N a(1); } N b(2);", "+1 -1 +2 -2 "),
        ('make(1); printf("| ");', "+1 -1 | "),
        ('N a = make(1); printf("| ");', "+1 | -1 "),
        ('printf("%d ", make(1).n); printf("| ");', "+1 1 -1 | "),
        ('if (make(1).n == 1) printf("| ");', "+1 -1 | "),
        ('const N& a = make(1); printf("| ");', "+1 | -1 "),
        ("N a(1); take(a);", "+1 c11 t -11 -1 "),
        ("left(0); left(1);", "+0 +2 +3 -3 -2 -0 +1 +2 -2 -1 "),
        ("for (int i = 0; i < 3; ++i) { N a(i); if (i == 0) continue; if (i == 1) break; }", "+0 -0 +1 -1 "),
        ("N* p = new N(1); delete p; N* none = nullptr; delete none;", "+1 -1 "),
        ("std::vector<N> v; v.reserve(2); v.emplace_back(1); v.pop_back(); v.push_back(N(2));", "+1 -1 +2 c12 c22 -12 -2 -22 "),
        ('try { N a(1); throw 5; } catch (int x) { printf("caught %d ", x); }', "+1 -1 caught 5 "),
        ('P all[2]; for (auto [n, k] : all) printf("%d ", n.n + k);', "+7 +7 c17 22 -17 c17 22 -17 -7 -7 "),
        (
            'for (int i = 0; i < 4; ++i) try { N a(i); odd(i); N b(i + 4); odd(i / 2); } catch (int x) { printf("%d! ", x); }',
            "+0 +4 -4 -0 +1 -1 1! +2 +6 -6 -2 1! +3 -3 3! ",
        ),
        ('try { N a(1); try { N b(2); throw a; } catch (int) { } } catch (const N& x) { printf("n%d ", x.n); }', "+1 +2 c11 -2 -1 n11 "),
    ],
)
def test_objects_end_where_they_must(statements: str, printed: str) -> None:
    assert ran(NOISY.replace("STATEMENTS", statements)).stdout == printed


def test_what_stands_between_braces_is_copied_or_moved_and_owners_are_counted() -> None:
    text = """#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>
struct B { int v; B(int x) : v(x) {} virtual ~B() { printf("~%d ", v); } };
struct D : B { using B::B; int c = 7; };
struct Owned { std::string name; std::shared_ptr<B> of; };
int main() {
    std::shared_ptr<B> p = std::make_shared<D>(4);
    std::vector<std::shared_ptr<B>> all{p, std::make_shared<D>(5)};
    if (auto q = p) printf("%ld ", q.use_count());
    std::string a = "one", b = "two";
    std::vector<std::string> list{a, std::move(b), "three"};
    Owned o{a, p}, moved{std::move(a), nullptr};
    list[0][0] = o.name[0] = 'O';
    printf("%ld %s %s %zu %zu ", p.use_count(), list[0].c_str(), moved.name.c_str(), a.size(), b.size());
    std::weak_ptr<B> w = all[1];
    all.clear();
    std::shared_ptr<int> i(new int(3), [](int* x) { printf("end %d ", *x); delete x; });
    printf("%d %ld ", w.expired(), p.use_count());
    printf("%d ", std::dynamic_pointer_cast<D>(p)->c);
}
"""
    done = ran(text)
    assert done.stdout == "3 3 One one 0 0 ~5 1 2 7 end 3 ~4 "
    assert done.findings == ()


def test_an_exception_that_nothing_catches_ends_the_program() -> None:
    done = ran('#include <stdexcept>\nint main() {\n    throw std::runtime_error("broken");\n}')
    (finding,) = done.findings
    assert (done.status, finding.wrong, finding.location.line) == (134, Wrong.UNCAUGHT, 3)
    assert "broken" in str(finding.message)


def test_a_copy_that_shares_its_memory_is_freed_twice() -> None:
    text = "struct M {\n    float* d;\n    M() : d(new float[4]) {}\n    ~M() { delete[] d; }\n};\nint main() {\n    M a;\n    M b = a;\n}"
    (finding,) = ran(text).findings
    assert (finding.wrong, finding.location.line, finding.other and finding.other.line) == (Wrong.BAD_FREE, 4, 4)


def test_a_call_through_a_pointer_to_nothing_is_found() -> None:
    (finding,) = ran("int main() {\n    int (*f)(int) = nullptr;\n    return f(1);\n}").findings
    assert (finding.wrong, finding.location.line) == (Wrong.NULL, 3)


def test_members_of_structs_without_a_name_are_found_in_kernels_too() -> None:
    text = """#include <cstdio>
struct V { struct { float x, y; }; int n; };
__global__ void k(V* v) { v->y = v->x + v->n; }
int main() {
    V h = {{1, 2}, 3}, *d;
    cudaMalloc(&d, sizeof(V));
    cudaMemcpy(d, &h, sizeof(V), cudaMemcpyHostToDevice);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof(V), cudaMemcpyDeviceToHost);
    printf("%g", h.y);
    cudaFree(d);
}"""
    done = ran(text)
    assert (done.stdout, done.findings) == ("4", ())


CLASSES = """#include <cstdio>
#include <cstdlib>
struct A {
    A() { who(); } virtual ~A() { who(); printf("~A "); } virtual void who() const { printf("A "); } virtual int f(int x) { return x; } };
struct B : A {
    B() { who(); } ~B() { who(); printf("~B "); } void who() const override { printf("B "); } int f(int x) override { return 2 * x; } };
struct Side { int n = 3; virtual int g() { return n; } };
struct C : B, Side { ~C() { printf("~C "); } int g() override { return n + f(10); } };
template <class T> struct Doubled : B { T n = 2; int f(int x) override { return n * B::f(x); } };
struct Plain : A { int g() { return f(4); } };
int main() {
STATEMENTS
}
"""


@pytest.mark.parametrize(
    ("statements", "printed"),
    [
        ("A* p = new B; delete p;", "A B B ~B A ~A "),
        ('B b; A& a = b; a.who(); a.A::who(); printf("%d ", a.f(1));', "A B B A 2 B ~B A ~A "),
        ('B b; A a = b; a.who(); printf("| ");', "A B A | A ~A B ~B A ~A "),
        ('B b; A a; a = b; a.who(); printf("| ");', "A B A A | A ~A B ~B A ~A "),
        ('Side* s = new C; printf("%d ", s->g());', "A B 23 "),
        ('C c; Side& s = c; printf("%d %d ", s.g(), dynamic_cast<C*>(&s) == &c);', "A B 23 1 ~C B ~B A ~A "),
        ('B b; A* a = &b; printf("%d%d ", dynamic_cast<B*>(a) == &b, dynamic_cast<C*>(a) == nullptr);', "A B 11 B ~B A ~A "),
        ('Doubled<int> d; A& a = d; printf("%d ", a.f(3));', "A B 12 B ~B A ~A "),
        ('Plain p; printf("%d ", p.g());', "A 4 A ~A "),
    ],
)
def test_virtual_functions_are_those_of_the_object(statements: str, printed: str) -> None:
    assert ran(CLASSES.replace("STATEMENTS", statements)).stdout == printed


@pytest.mark.parametrize(
    ("statements", "wrong", "line"),
    [("A* p = (A*)malloc(sizeof(B));\n p->f(1);", Wrong.NULL, 13), ("A* p = new A;\n delete p;\n p->f(1);", Wrong.AFTER_FREE, 14)],
)
def test_a_virtual_function_of_no_object_is_found(statements: str, wrong: Wrong, line: int) -> None:
    done = ran(CLASSES.replace("STATEMENTS", statements))
    assert (wrong, line) in {(each.wrong, each.location.line) for each in done.findings}


def test_an_assignment_that_the_compiler_writes_takes_the_members_one_by_one() -> None:
    text = """#include <cstdio>
#include <vector>
struct N { int n; N(int k) : n(k) {} ~N() { printf("-%d ", n); } };
struct M { std::vector<int> v; int a[2]; N inner; M(int k) : v(2, k), a{k, k}, inner(k) {} };
int main() {
    M a(1), b(2);
    a = b;
    b.v[0] = 9;
    printf("%d %d %d | ", a.v[0], a.a[1], a.inner.n);
    b = M(3);
    printf("%d | ", b.v[1]);
}"""
    done = ran(text)
    assert (done.stdout, done.findings) == ("2 2 2 | -3 3 | -3 -2 ", ())


def test_new_and_delete_are_those_of_the_class_unless_the_text_says_otherwise() -> None:
    done = ran("""#include <cstdio>
#include <cstdlib>
struct Counted {
    static int made, gone;
    void* operator new(size_t bytes) { ++made; return malloc(bytes); }
    void* operator new[](size_t bytes) { made += 10; return malloc(bytes); }
    void operator delete(void* p) { ++gone; free(p); }
    void operator delete[](void* p) { gone += 10; free(p); }
};
int Counted::made = 0, Counted::gone = 0;
struct Point : Counted { int x = 3, y; Point() : y(4) {} };
int main() {
    Point* one = new Point; Point* many = new Point[5]; int* plain = new int[3];
    printf("%d %d %d, ", one->x + one->y, many[4].x * many[4].y, Counted::made);
    delete one; delete[] many; delete[] plain; Point* none = nullptr; delete none;
    Point* other = ::new Point; ::delete other;
    printf("%d %d", Counted::made, Counted::gone);
}""")
    assert (done.stdout, done.findings) == ("7 12 11, 11 11", ())


def test_kernels_are_launched_through_pointers() -> None:
    done = ran("""#include <cstdio>
__global__ void one(int* p, int n) { *p += n; }
template <int K> __global__ void many(int* p, int n) { *p += K * n; }
__global__ void other(float* p) { *p = 1; }
typedef void (*Kernel)(int*, int);
void twice(Kernel kernel, int* p, dim3 grid) { kernel<<<grid, 1>>>(p, 1); kernel<<<grid, dim3(1), 0, 0>>>(p, 2); }
int main() {
    Kernel ten = many<10>;
    Kernel all[] = {one, ten};
    int* p; cudaMallocManaged(&p, 4); *p = 0;
    void (*single)(float*) = other;
    for (Kernel each : all) { twice(each, p, 1); cudaDeviceSynchronize(); printf("%d,", *p); }
    single<<<1, 1>>>(reinterpret_cast<float*>(p)); cudaDeviceSynchronize();
    printf("%d", *p == 0x3f800000); cudaFree(p);
}""")
    assert (done.stdout, done.findings) == ("3,33,1", ())
    assert [each.entry for each in done.launches] == ["one", "one", "many<10>", "many<10>", "other"]


def test_what_the_library_allocates_is_refused_where_the_program_replaces_new() -> None:
    replaced = "#include <cstdlib>\n#include <vector>\nvoid* operator new(size_t n) { return malloc(n); }\n"
    used = Programs().run(ProgramJob(replaced + "int main() { std::vector<int> v(3); return v[0]; }"))
    assert isinstance(used, NotRun)
    assert ["operator new is the program's" in str(each.message) for each in used.diagnostics] == [True]
    assert ran(replaced + "int main() { int* p = new int(3); int n = *p; free(p); return n; }").status == 3


def test_a_size_is_not_told_for_objects_of_virtual_classes() -> None:
    text = """#include <cstdlib>
void operator delete(void* p, size_t) noexcept { free(p); }
struct A { virtual ~A() {} }; struct B : A { int x; };
int main() { A* a = new B; delete a; }"""
    refused = Programs().run(ProgramJob(text))
    assert isinstance(refused, NotRun)
    assert [each.line for each in refused.diagnostics] == [4]


def test_lists_in_a_list_are_made_of_what_stands_between_their_braces() -> None:
    done = ran("""#include <cstdio>
#include <initializer_list>
template <class T> struct M { int n = 0; M(std::initializer_list<std::initializer_list<T>> rows) {
    for (const auto& row : rows) { n *= 10; for (const T& each : row) n += each; } } };
int main() { M<int> m{{1, 2}, {3}}, o = {{4}, {}, {1, 1, 1}}; printf("%d %d", m.n, o.n); }""")
    assert done.stdout == "33 403"


def test_a_function_can_be_a_try_block() -> None:
    done = ran('#include <cstdio>\nint main() try { puts("in"); throw 3; } catch (int n) { printf("caught %d", n); return n; }')
    assert (done.stdout, done.status) == ("in\ncaught 3", 3)


def test_a_kernel_may_be_given_an_empty_union() -> None:
    done = ran("""#include <cstdio>
union Twice { __device__ int operator()(int x) const { return 2 * x; } };
template <class F> __global__ void apply(F f, int* out) { out[threadIdx.x] = f(threadIdx.x); }
int main() { int* d; int h[8]; cudaMalloc(&d, 32); apply<<<1, 8>>>(Twice(), d); cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);
    cudaFree(d); printf("%d", h[5]); }""")
    assert done.stdout == "10"


def test_what_a_bit_field_has_beyond_its_type_is_padding() -> None:
    text = """#include <cstdio>
struct S { char tag; bool on : 1000000; unsigned low : 3; };
int main() { S s; s.tag = 'a'; s.on = true; s.low = 5; S t = s; printf("%d %d %d", t.tag, t.on, t.low); }
"""
    assert ran(text).stdout == "97 1 5"


@pytest.mark.parametrize("argument", ["std::optional<int>(4)", "std::make_pair(1, 2)"])
def test_an_object_given_to_printf_is_refused_in_words(argument: str) -> None:
    text = f'#include <cstdio>\n#include <optional>\n#include <string>\n#include <utility>\nint main() {{ printf("%d\\n", {argument}); }}'
    refused = Programs().run(ProgramJob(text))
    assert isinstance(refused, NotRun)
    assert any(each.line == 5 and "not an object" in str(each.message) for each in refused.diagnostics), refused


@pytest.mark.parametrize(("line", "reason"), [
    ("struct A { void operator new(size_t) {} }; int main() { new A; }", "'operator new' must return type 'void *'"),
    ("template <typename T> struct A { virtual void f() { std.vector<T> v; } }; int main() { A<int> a; A<int> *p = &a; p->f(); }", "std"),
])  # fmt: skip
def test_an_error_is_told_where_no_call_of_main_names_the_function(line: str, reason: str) -> None:
    refused = run("#include <vector>\n" + line)
    assert isinstance(refused, NotRun)
    (told, *_) = refused.diagnostics
    assert told.line == 2
    assert reason in str(told.message)


@pytest.mark.parametrize(("end", "status"), [("return 0;", 0), ("exit(0);", 0), ("leave(5);", 5)])
def test_objects_of_file_scope_end_however_the_program_does(end: str, status: int) -> None:
    text = f"""#include <cstdio>
#include <cstdlib>
struct Said {{ int n; Said(int n) : n(n) {{}} ~Said() {{ printf("end %d\\n", n); }} }};
Said first(1), second(2);
void leave(int status) {{ static Said third(3); exit(status); }}
int main() {{ Said local(4); {end} }}
"""
    done = ran(text)
    ends = {"return 0;": [4, 2, 1], "exit(0);": [2, 1], "leave(5);": [3, 2, 1]}[end]
    assert (done.stdout, done.status) == ("".join(f"end {each}\n" for each in ends), status)


SAID = """#include <cstdio>
#include <cstdlib>
#include <vector>
struct Said { const char* name; Said(const char* name) : name(name) { printf("+%s ", name); } ~Said() { printf("-%s ", name); } };
struct Ending { int n; Ending(int n) : n(n) { } ~Ending() { printf("end%d ", n); if (n == 2) exit(7); } };
struct Making { int n; Making(int n) : n(n) { if (n == 2) exit(4); } ~Making() { printf("end%d ", n); } };
Said& asked() { static Said said("asked"); return said; }
struct Asking { Asking() { asked(); printf("+Asking "); } ~Asking() { printf("-Asking "); } };
struct Inside { Inside() { static Said said("inside"); } ~Inside() { static Said said("destructor"); } };
struct Plain { ~Plain() { printf("-Plain "); } };
struct Thrown { Thrown(int n) { if (n == 1) throw n; printf("+%d ", n); } ~Thrown() { printf("-Thrown "); } };
void once(int n) { static Thrown thrown(n); }
void rare(bool now) { if (now) { static Plain plain; } static int at_once[2] = {1, 2}; }
"""


@pytest.mark.parametrize(
    ("variables", "statements", "printed", "status"),
    [
        ("Ending a(1), b(2), c(3);", "", "end3 end2 end1 ", 7),
        ("Ending a(1), b(2), c(3);", "exit(5);", "end3 end2 end1 ", 7),
        ("Making a(1), b(2), c(3);", 'puts("main");', "end1 ", 4),
        ('Asking asking; Said last("last");', "", "+asked +Asking +last -last -Asking -asked ", 0),
        ("", "Inside first, second;", "+inside +destructor -destructor -inside ", 0),
        ("Plain plain;", 'auto f = [] { static Said said("lambda"); }; f(); f();', "+lambda -lambda -Plain ", 0),
        ("", "rare(false);", "", 0),
        ("", "rare(true); rare(true);", "-Plain ", 0),
        ("", 'for (int n = 1; n < 4; n++) try { once(n); } catch (int) { printf("caught "); }', "caught +2 -Thrown ", 0),
        ('Said many[2] = {"a", "b"};', "", "+a +b -b -a ", 0),
        ('std::vector<Said> kept = {"a"};', "", "+a -a -a ", 0),
        ('int asked_for = printf("printed ");', "", "printed ", 0),
    ],
)
def test_objects_that_outlive_main_end_in_the_opposite_order_in_which_they_were_made(
    variables: str, statements: str, printed: str, status: int
) -> None:
    """What is printed is what g++ prints. `exit` in a destructor ends the others, and in a constructor those that were made before."""
    done = ran(f"{SAID}{variables}\nint main() {{ {statements} }}", seconds=5.0)
    assert (done.stdout, done.status) == (printed, status)
