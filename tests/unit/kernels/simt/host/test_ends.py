"""How programs end that do not end by themselves, and what is not executed at all: in words, with the line."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from kernels.simt.host.process import CRASHED, KILLED, TIMED_OUT, Programs, Spare
from kernels.simt.host.result import Limits, NotRun, ProgramJob, ProgramRun, Wrong

pytestmark = pytest.mark.usefixtures("workers_new")


def run(text: str, *arguments: str, **limits: float | int) -> ProgramRun | NotRun:
    return Programs().run(ProgramJob(text, None, arguments, Limits(**limits)))  # type: ignore[arg-type]


def ran(text: str, *arguments: str, **limits: float | int) -> ProgramRun:
    done = run(text, *arguments, **limits)
    assert isinstance(done, ProgramRun), done
    return done


def only(done: ProgramRun) -> tuple[Wrong, int]:
    (finding,) = done.findings
    return finding.wrong, finding.location.line


def test_an_endless_loop_ends_at_the_deadline_with_what_it_printed() -> None:
    done = ran('#include <cstdio>\nint main() { puts("begun"); volatile int on = 1; while (on) { } }', seconds=1.0)
    assert (done.stdout, done.status, only(done)[0]) == ("begun\n", TIMED_OUT, Wrong.STOPPED)


def test_a_program_that_allocates_to_its_deadline_is_told_as_far_as_it_came() -> None:
    done = ran("#include <cstdlib>\n#include <cstdio>\nint main() { for (;;) { free(malloc(8)); putchar('x'); } }", seconds=0.5)
    assert (done.status, only(done)[0]) == (TIMED_OUT, Wrong.STOPPED)
    assert done.events[-1].output == len(done.stdout)


def test_a_process_that_waits_runs_the_next_program_and_no_other() -> None:
    spare, job = Spare(), ProgramJob('#include <cstdio>\nint main() { puts("here"); }')
    spare.renew()
    waiting = spare._waiting
    assert waiting is not None
    first, second = (Programs(spare).run(job) for _ in range(2))
    assert isinstance(first, ProgramRun)
    assert isinstance(second, ProgramRun)
    assert (first.stdout, second.stdout, waiting.alive) == ("here\n", "here\n", False)
    spare.renew()
    waiting = spare._waiting
    assert waiting is not None
    spare.end()
    spare.renew()
    assert (waiting.alive, spare._waiting) == (False, None)


def test_a_grid_that_is_not_whole_clusters_is_not_launched() -> None:
    done = ran(
        "#include <cstdio>\n__global__ __cluster_dims__(2) void k(int* a) { a[blockIdx.x] = 1; }\n"
        "int main() {\n    k<<<3, 32>>>(nullptr);\n    puts(cudaGetErrorString(cudaGetLastError())); }"
    )
    assert done.stdout == "invalid configuration argument\n"
    assert [str(each.refused) for each in done.launches] == ["3 blocks along x are not whole clusters of 2."]


def test_a_kernel_with_too_much_static_shared_memory_is_not_launched() -> None:
    done = ran(
        "#include <cstdio>\n__global__ void k(int* a) { __shared__ int all[20000]; all[threadIdx.x] = 1; a[threadIdx.x] = all[31]; }\n"
        "int main() {\n    k<<<1, 32>>>(nullptr);\n    puts(cudaGetErrorString(cudaGetLastError())); }"
    )
    assert (done.stdout, only(done)) == ("invalid argument\n", (Wrong.LAUNCH, 4))
    (reason,) = [str(each.refused) for each in done.launches]
    assert "80,000" in reason or "80000" in reason


def test_a_run_that_nobody_wants_any_more_ends_at_once() -> None:
    programs, began = Programs(), time.monotonic()
    threading.Timer(2.0, programs.cancel).start()
    done = programs.run(ProgramJob("int main() { volatile int on = 1; while (on) { } }"))
    assert isinstance(done, ProgramRun)
    assert done.status == KILLED
    assert time.monotonic() - began < 20


def test_memory_that_is_not_touched_costs_nothing_and_what_is_too_much_is_null() -> None:
    text = """#include <cstdio>
#include <cstdlib>
int main() {
    char* large = (char*)malloc(2000000000);
    large[1999999999] = 5;
    printf("%d ", large[1999999999]);
    char* more = (char*)malloc(5000000000);
    printf("%d\\n", more == NULL);
    free(large);
    float* d;
    printf("%s\\n", cudaGetErrorString(cudaMalloc(&d, 7000000000)));
}"""
    done = ran(text)
    assert (done.stdout, done.status) == ("5 1\nout of memory\n", 0)
    assert {(each.wrong, each.location.line) for each in done.findings} == {(Wrong.MEMORY, 7), (Wrong.MEMORY, 11)}


def test_output_without_end_is_stopped() -> None:
    done = ran('#include <cstdio>\nint main() { for (;;) printf("0123456789012345678901234567890123456789"); }', output=1 << 16)
    assert len(done.stdout) <= 1 << 16
    assert only(done)[0] is Wrong.STOPPED


def test_recursion_without_end_fills_the_stack() -> None:
    done = ran("int down(int n) { int a[4]; a[n & 3] = n; return down(n + 1) + a[n & 1]; }\nint main() { return down(0); }")
    assert (done.status, *only(done)) == (139, Wrong.STACK, 1)
    deep = ran("int down(int n) { return n ? down(n - 1) + 1 : 0; }\nint main() { return down(50000) == 50000 ? 3 : 4; }")
    assert deep.status == 3


@pytest.mark.parametrize(
    "call",
    ['fopen("/etc/passwd", "r")', 'fopen("a", "w")', 'system("ls")', "fork()", 'fputs("a", stdin)', "socket(2, 1, 0)", 'open("x", 0)'],
)
def test_what_reaches_out_of_the_program_is_refused(call: str) -> None:
    done = ran(f'#include <cstdio>\nint main() {{\n    puts("before");\n    {call};\n    puts("after");\n}}')
    assert (done.stdout, *only(done)) == ("before\n", Wrong.REFUSED, 4)


@pytest.mark.parametrize(
    ("call", "words"), [("f(3, 1, 2)", "there are no more"), ("f(2, 1, 2.0)", "takes int, but the function is given double there")]
)
def test_va_arg_of_what_was_not_given_ends_the_program(call: str, words: str) -> None:
    text = """int f(int n, ...) {
    va_list given;
    va_start(given, n);
    int sum = 0;
    while (n--)
        sum += va_arg(given, int);
    va_end(given);
    return sum;
}
"""
    done = ran(f"{text}int main() {{ return f(2, 1, 2) + {call}; }}")
    assert only(done) == (Wrong.ARGUMENT, 6)
    assert words in str(done.findings[0].message)


def test_of_a_library_that_is_not_known_one_sentence_is_said() -> None:
    done = run("int main() {\n    thrust::device_vector<int> d(4);\n    d[0] = 1;\n    return lost;\n}")
    assert isinstance(done, NotRun)
    assert [(each.line, str(each.message)) for each in done.diagnostics] == [
        (2, "thrust is of a library that is not executed here."),
        (4, "Unknown name lost."),
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("int f() { return 1; }", 0, "no int main()"),
        ("#include <cstdio>\nint main(int argc, char* argv[])\n    return 0;\n}", 3, "A body between braces is missing"),
        ("int main() {\n    return missing; }", 2, "Unknown name missing"),
        (
            "__device__ void say(const char* text, ...) {\n    va_list given;\n    va_start(given, text); }\n"
            "__global__ void k() { say(0); }\nint main() { k<<<1, 1>>>(); }",
            3,
            "can only be the host's",
        ),
        (
            "struct E { E(const char* text, ...) {\n    va_list given; va_start(given, text); } };\nint main() { E made(0, 3); }",
            2,
            "A constructor of any number of arguments",
        ),
        ("int f(int n, ...) { return n; }\nint main() {\n    int (*p)(int, ...) = f;\n    return p(1, 2); }", 4, "through a pointer"),
        ("struct P { int n; };\nint f(int n, ...) { return n; }\nint main() {\n    P p;\n    return f(1, p); }", 5, "not an object"),
        ('#include <string>\nint main() {\n    std::string s;\n    printf("%s", s); }', 4, "give c_str()"),
        ("#include <variant>\nint main() {\n    std::variant<int, float> v; }", 3, "std::variant is not known"),
        ("int main() {\n    long double x = 1; }", 2, "long double is not supported"),
        ("#include <cmath>\nint main() {\n    double d = std::sqrt(2.0L) + std::pow(2.0L, 3.0L); }", 3, "long double is not supported"),
        ("#include <vector>\n__global__ void k() {\n    std::vector<int> v; }\nint main() { k<<<1, 1>>>(); }", 3, "of the host's library"),
        ("struct M { M() {} };\n__global__ void k() {\n    M m; }\nint main() { k<<<1, 1>>>(); }", 3, "no constructor that a kernel"),
        ("__global__ void k(int* p) {\n    *p = rand(); }\nint main() { k<<<1, 1>>>(0); }", 2, "curand"),
        (
            "#include <thread>\nstruct W { void run() {} };\nint main() {\n    W w;\n    std::thread t(&W::run, &w);\n    t.join(); }",
            5,
            "does not fit what the library does",
        ),
        ("#include <mutex>\nint main() {\n    std::condition_variable changed; }", 3, "waits for no other"),
        (
            "template <class F> __global__ void k(F f) { f(); }\nint main() {\n    k<<<1, 1>>>([] __device__ () {});\n}",
            3,
            "A lambda given to a kernel",
        ),
        (
            "struct B {\n    unsigned a : 3 = 5; B() {} };\nint main() { B b; return b.a; }",
            2,
            "A value where a bit-field is declared is not supported",
        ),
        ("int far(int);\nint main() {\n    return far(3);\n}", 3, "no body"),
        (
            "struct S { S() {} ~S() { (void)this; } };\nint main() {\n    S s;\n    goto out;\nout:\n    return 0;\n}",
            4,
            "goto is not supported",
        ),
        ("int main() {\n    try { } catch (...) { throw; }\n    throw;\n}", 3, "only inside a catch block"),
        ("struct A { int n; };\nstruct B : virtual A { };\nint main() {\n    B b;\n    return b.n;\n}", 4, "Virtual base"),
        ("__global__ void k(int* p) { p[0] = asm_; }\nint main() { k<<<1, 1>>>(0); }", 1, "Unknown name"),
    ],
)
def test_what_is_not_supported_is_said_before_anything_runs(text: str, line: int, words: str) -> None:
    done = run(text)
    assert isinstance(done, NotRun)
    said = "\n".join(str(each) for each in (done.reason, *(each.message for each in done.diagnostics)))
    assert words in said
    assert line == 0 or line in {each.line for each in done.diagnostics}


def test_an_assertion_ends_the_program() -> None:
    done = ran("#include <cassert>\nint main(int argc, char**) {\n    assert(argc == 1);\n    assert(argc == 7);\n}")
    assert done.status == 134


def test_the_way_main_ends_is_the_status() -> None:
    assert ran("#include <cstdlib>\nvoid leave() { exit(300); }\nint main() { leave(); return 1; }").status == 300 & 0xFF
    assert ran("int main() { }").status == 0
    assert ran("#include <cstdlib>\nint main() { abort(); }").status == 134


ENDLESS = """__global__ void wait(volatile int* p) {{ while ({goes_on}) {{ {body} }} }}
int main() {{
    int* d;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    wait<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}}"""


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [("std::vector<int> rows[2147483647] = {{1, 2}, {3}};", 4, "rows has 2147483647 objects"),
     ("const int N = 1 << 15;\nstruct Grid { Cell cells[N][N]; };\nGrid grid;", 6, "grid has 1073741824 objects"),
     ("void f() { static Cell many[1 << 24]; }", 4, "many has 16777216 objects"),
     ("Cell a[4]; Cell b[4][4];\nCell c[4], big[3000][3000];", 5, "big has 9000000 objects"),
     ("const int N = 3000;\nnamespace own { Cell big[N][N]; }", 5, "big has 9000000 objects"),
     ("Cell big[9'000'000];", 4, "big has 9000000 objects")],
    ids=["from a list", "in another one", "in a function", "behind others", "by a name", "with marks in its number"],
)  # fmt: skip
def test_an_array_of_more_objects_than_the_compiler_can_make_is_refused_at_its_line(lines: str, line: int, words: str) -> None:
    text = f"#include <cstdio>\n#include <vector>\nstruct Cell {{ int x = 1; }};\n{lines}\nint main() {{ return 0; }}\n"
    done = run(text, bytes=64 << 20)
    assert isinstance(done, NotRun)
    assert words in str(done.diagnostics[0].message)
    assert done.diagnostics[0].line == line


def test_a_large_array_of_what_needs_no_making_is_run_and_a_small_one_of_objects_too() -> None:
    done = ran("""#include <cstdio>
struct Plain { int x; };
struct Cell { int x = 1; };
const int N = 1 << 24;
Plain many[N];
Cell some[N / 4096];
int main() { printf("%d", many[N - 1].x + some[9].x); }
""")
    assert done.stdout == "1"


def test_objects_that_are_made_while_the_program_runs_are_not_refused() -> None:
    done = ran("""struct Cell { int x = 1; };
struct World { Cell cells[5000000]; };
int main() { World* world = new World; int x = world->cells[4999999].x; delete world; return x; }
""")
    assert (done.status, done.findings) == (1, ())


def test_an_array_that_only_the_library_declares_ends_in_words() -> None:
    text = "#include <array>\nstruct Cell { int x = 1; };\nstd::array<Cell, (1 << 30)> many;\nint main() { return 0; }\n"
    done = ran(text, bytes=64 << 20, seconds=2.0)
    assert done.status in (KILLED, CRASHED)
    assert "memory" in str(done.findings[0].message)


def test_a_kernel_without_end_is_stopped_where_it_was_launched() -> None:
    done = ran(ENDLESS.format(goes_on="p[0] >= 0", body="p[0] = (p[0] + 1) & 255;"), seconds=2.0)
    assert (done.status, *only(done)) == (TIMED_OUT, Wrong.STOPPED, 6)


def test_the_largest_grid_takes_no_memory_for_its_blocks() -> None:
    done = ran("__global__ void nothing() { }\nint main() {\n  nothing<<<2147483647, 1>>>();\n}", seconds=0.5, bytes=1 << 28)
    assert (done.status, *only(done)) == (TIMED_OUT, Wrong.STOPPED, 3)


def test_a_value_of_more_bytes_than_there_can_be_is_refused_where_it_is_kept() -> None:
    """It was stored member by member: reading the program came to no end."""
    text = (
        "struct Large { int cell[2147483647]; };\nLarge made() { Large all = {}; return all; }\nint main() {\n    Large kept = made();\n}"
    )
    done = run(text)
    assert isinstance(done, NotRun)
    (told,) = done.diagnostics
    assert "8589934588 bytes" in str(told.message)
    text = "struct Large { int cell[100000]; };\nint main() {\n    Large all = {}, more;\n    more = all;\n    return more.cell[9]; }"
    assert ran(text).status == 0


def test_a_wait_that_no_thread_can_end_is_found_where_it_waits() -> None:
    done = ran(ENDLESS.format(goes_on="p[0] == 0", body=""), seconds=2.0)
    (found,) = done.findings
    assert (found.wrong, found.location.line, found.other and found.other.line) == (Wrong.KERNEL, 1, 6)
    assert "no other thread is left" in str(found.message)


@pytest.mark.parametrize("address", ["0", "8", "0x400000", "0x7fffffffe000", "(long)main_", "-8", "~0ul >> 1", "(long)&here + (1l << 36)"])
def test_no_address_outside_of_its_memory_is_touched(address: str) -> None:
    text = f"""int main() {{
    int here = 0;
    long main_ = (long)&here - (1l << 35);
    (void)main_;
    *(volatile int*)({address}) = 1;
    return here;
}}"""
    done = ran(text)
    assert done.status == 139
    assert only(done)[1] == 5


def test_a_host_function_has_no_place_in_a_grid() -> None:
    done = run("int f() { return blockIdx.x; }\nint main() { return f(); }")
    assert isinstance(done, NotRun)
    assert [(each.line, "blockIdx is known in kernels only" in str(each.message)) for each in done.diagnostics] == [(1, True)]


@pytest.mark.parametrize(
    ("line", "wrong", "words"),
    [
        ("memcpy(a, none, 40);", Wrong.NULL, "memcpy: the pointer is null."),
        ("memset(none, 0, 1);", Wrong.NULL, "memset: the pointer is null."),
        ("memmove(a, b, 44);", Wrong.OUT_OF_BOUNDS, "memmove: 0 bytes behind the end of b, which has 40 bytes."),
        ("memcpy(a + 2, b, 40);", Wrong.OUT_OF_BOUNDS, "memcpy: 0 bytes behind the end of a, which has 40 bytes."),
        ("memset(a, 0, -1);", Wrong.OUT_OF_BOUNDS, "memset: 0 bytes behind the end of a, which has 40 bytes."),
        ("memcpy(a, b, n - 9);", Wrong.OUT_OF_BOUNDS, "memcpy: 0 bytes behind the end of b, which has 40 bytes."),
        ("free(b); memcpy(a, b, 4);", Wrong.AFTER_FREE, "memcpy: b was freed in line 8."),
    ],
)
def test_bytes_that_are_copied_or_filled_are_all_there(line: str, wrong: Wrong, words: str) -> None:
    text = f"""#include <cstdlib>
#include <cstring>
int main() {{
    int n = 8, *none = nullptr;
    int* a = (int*)malloc(40);
    int* b = (int*)malloc(40);
    memset(b, 1, 40); memset(a, 1, 36);
    {line}
    free(a); free(b);
}}"""
    done = ran(text)
    assert only(done) == (wrong, 8)
    assert words in str(done.findings[0].message)


def test_bytes_that_were_never_written_are_found_in_a_copy_and_nothing_at_all_is_copied_from_nowhere() -> None:
    done = ran("""#include <cstdlib>
#include <cstring>
int main() {
    char *a = (char*)malloc(400), *b = (char*)malloc(400);
    memset(b, 1, 100);
    memcpy(a, nullptr, 0);
    memcpy(a, b, 200);
    free(a); free(b);
}""")
    assert only(done) == (Wrong.UNWRITTEN, 7)


def test_what_is_wrong_in_a_function_of_the_library_is_told_where_the_program_calls_it() -> None:
    """`sort` calls others of its own, and a function of the program that calls the library, too: it must not leave its line behind."""
    text = """#include <algorithm>
#include <cstdio>
#include <vector>
std::vector<int> seen;
bool before(int a, int b) {
    seen.push_back(a);
    return a < b;
}
int main() {
    int numbers[40] = {3, 1, 2};
    std::sort(numbers, numbers + 40, before);
    std::vector<int> more(numbers, numbers + 40);
    std::sort(more.begin(), more.end() + 1, before);
}"""
    done = ran(text)
    assert only(done) == (Wrong.OUT_OF_BOUNDS, 13)
    (away,) = ran(text.replace("more.end() + 1", "more.end()").replace("seen.push_back(a)", "seen.insert(seen.end() + 5000, a)")).findings
    assert away.location.line == 6


def test_an_index_beyond_the_end_is_caught_by_who_catches_it_and_ends_the_program_else() -> None:
    done = ran("""#include <cstdio>
#include <stdexcept>
#include <vector>
int main() {
    std::vector<int> v(2);
    try { v.at(5) = 1; } catch (const std::out_of_range& away) { puts(away.what()); }
    return v.at(7);
}""")
    assert done.stdout == "vector::_M_range_check: __n (which is 5) >= this->size() (which is 2)\n"
    assert (done.status, only(done)) == (134, (Wrong.OUT_OF_BOUNDS, 7))


def test_the_file_is_called_what_it_is_called_beside_the_compiler(tmp_path: Path) -> None:
    text = "#include <cstdio>\nint main() { puts(__FILE__); }"
    done = Programs().run(ProgramJob(text, tmp_path / "lab.cu"))
    assert isinstance(done, ProgramRun)
    assert done.stdout == "lab.cu\n"


def test_an_allocation_has_the_name_behind_a_cast() -> None:
    done = ran("int main() {\n    float* d;\n    cudaMalloc(reinterpret_cast<void**>(&d), 4);\n}")
    assert only(done) == (Wrong.LEAK, 3)
    assert str(done.findings[0].message).startswith("d is never given")
