"""The front end: kernels and their signatures, what counts as an error, template entries, includes, and what cursors say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.base.spec import Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.simt.base.types import Location
from kernels.simt.frontend.declared_functions import FAMILIES, KNOWN, Known
from kernels.simt.frontend.diagnostics import FrontEndError, Severity
from kernels.simt.frontend.parse import parse

ROOT = Path(__file__).resolve().parents[5]
SHIPPED = sorted((ROOT / "kernels" / "gpu").glob("*.cu"))


def refusal(text: str, entry: str) -> str:
    with pytest.raises(FrontEndError) as caught:
        parse(text).function_cursor(entry)
    return str(caught.value.message)


def remarks(text: str) -> list[str]:
    return [f"{each.line}:{each.column} {each.message}" for each in parse(text).diagnostics]


def entries(variant: Variant) -> set[str]:
    """The kernels that a variant launches."""
    assert variant.launch is not None
    before = variant.launch(Problem.square(variant.operation, 64), variant.defaults).before
    return {variant.entry} if before is None else {before.entry, variant.entry}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_kernels_are_launched_and_clean(path: Path) -> None:
    variants = [variant for variant in VARIANTS if variant.source == f"gpu/{path.name}"]
    unit = parse(path.read_text(encoding="utf-8"), path, {"TILE": 32})
    assert sorted(kernel.name for kernel in unit.kernels) == sorted(set().union(*map(entries, variants)))
    assert unit.diagnostics == ()


def test_a_signature_says_what_a_launch_needs() -> None:
    text = """constexpr int T = 8;
    template <int N = 4, typename S = float>
    __global__ void __launch_bounds__(N) made(S *a, const float4 *__restrict__ b) {}
    __global__ void __launch_bounds__(T * T, 2) plain(unsigned long long n, int p[], const void *q, float (*m)[3]) {
    }
    """
    made, plain = parse(text).kernels
    assert made.template == ("int N = 4", "typename S = float")
    assert (made.max_threads, made.location, made.lines) == (None, Location(3, 42), (2, 3))
    assert [(p.name, p.type, p.pointer, p.element, p.element_bytes) for p in made.parameters] == [
        ("a", "S *", True, "S", 0),
        ("b", "const float4 *__restrict", True, "float4", 16),
    ]
    assert (plain.max_threads, plain.lines) == (64, (4, 5))
    assert [(p.type, p.pointer, p.element, p.element_bytes) for p in plain.parameters] == [
        ("unsigned long long", False, "unsigned long long", 8),
        ("int[]", True, "int", 4),
        ("const void *", True, "void", 0),
        ("float (*)[3]", True, "float[3]", 12),
    ]


def test_an_error_counts_where_a_kernel_or_what_it_uses_stands() -> None:
    text = """
struct Used { float *d; void host() { undeclared(); } __device__ float get(int i) { return d[i] + missing; } };
struct Unused { std::vector<int> v; };
__device__ float twice(float x) { return x * factor; }
__device__ float never(float x) { return x * nothing; }
float host(float x) { return nowhere; }
__global__ void k(float *a, Used u) { a[0] = twice(a[1]) + u.get(2); }
__global__ void fine(float *a) { a[0] = 1.0f; }
"""
    unit = parse(text)
    assert remarks(text) == ["2:99 Unknown name missing.", "4:46 Unknown name factor."]
    assert [each.line for each in unit.diagnostics_of("k")] == [2, 4]
    assert unit.diagnostics_of("fine") == ()


def test_a_template_is_checked_with_its_arguments() -> None:
    text = "template <class T> __global__ void k(T *a) { a[0].x = 1; }"
    unit = parse(text)
    assert unit.diagnostics_of("k") == () == unit.diagnostics_of("k<int4>")
    assert [str(each.message) for each in unit.diagnostics_of("k<float>")] == ["float has no members."]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("a[0] = Cs[1];", "Unknown name Cs."),
        ("a[0] = 1", "A ; is missing here."),
        ("foo_t x;", "Unknown type foo_t."),
        ("a[0] = threadIdx.w;", "uint3 has no member w."),
        ("a[0] = ;", "A value is missing here."),
        ("float4 v = make_float4(1, 2);", "make_float4 takes 4 arguments, not 2."),
        ("helper();", "helper is a function of the host: write __device__ before it, so that a kernel can call it."),
        ("int *p = a;", "float * does not become int * by itself."),
        ("float4 v = make_float4(1, 2, 3, 4) + make_float4(1, 2, 3, 4);", "No operator here takes float4 and float4."),
        ("const int c = 1; c = 2;", "c is const: it cannot be changed."),
        ("atomicAdd(a, \"x\");", "No function atomicAdd takes these arguments."),
        ("if (a[0] = 1) {}", None),
        ("k<<<1, 1>>>(a);", None),
        ("k(a);", "k is a kernel: launch it with <<<grid, block>>>."),
        ("int n = 3; int b[n];", "The length of this array must be known when the kernel is compiled."),
        ("goto nowhere;", "There is no label nowhere in this function."),
    ],
)  # fmt: skip
def test_errors_are_in_words_for_students(body: str, said: str | None) -> None:
    text = f"void helper();\n__global__ void k(float *a) {{\n{body}\n}}"
    errors = [each for each in parse(text).diagnostics if each.severity is Severity.ERROR]
    assert [str(each.message) for each in errors] == ([] if said is None else [said])
    assert all(each.line == 3 for each in errors)


def test_columns_are_counted_in_characters() -> None:
    text = "__global__ void k(float *a) { /* 块 é */ a[0] = wrong; }"
    assert remarks(text) == [f"1:{text.index('wrong') + 1} Unknown name wrong."]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("int f() {\n if (1) {\n}\n__global__ void k(int *a) { a[0] = 1; }\n", 4),
        ("__global__ void k(int *a {\n a[0] = 1; }\n", 1),
        ("std::vector<int> v;\n__global__ k(int *a) { a[0] = 1; }\n", 2),
        ("__global__ int k(int *a) { return 1; }", 1),
    ],
)
def test_what_keeps_a_kernel_from_being_found_is_said(text: str, line: int) -> None:
    errors = [each.line for each in parse(text).diagnostics if each.severity is Severity.ERROR]
    assert line in errors
    assert not any("std" in str(each.message) for each in parse(text).diagnostics)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("#include <cstdio>\n#include <vector\n{}", (2, "This #include is never closed: a > is missing.")),
        ('#include "own.h\n{}', (1, 'This #include is never closed: a " is missing.')),
        ("/* as in\n#include <vector\n*/ {}", None),
        ("#include <vector> // as <map>\n{}", None),
        ('#include "own.h" // it\'s\n{}', None),
        ("#if 0 // not yet\n#ifdef A\n#include <vector\n#endif\n#endif\n{}", None),
        ("#if 1\n#elif A\n#include <vector\n#else\n#include <vector\n#endif\n{}", None),
        ("#if 0\n#else\n#include <vector\n#endif\n{}", (3, "This #include is never closed: a > is missing.")),
        ("#if 0 || 1\n#include <vector\n#endif\n{}", (2, "This #include is never closed: a > is missing.")),
        ("#if 0\n#endif\n#include <vector\n{}", (3, "This #include is never closed: a > is missing.")),
    ],
)
def test_an_include_that_is_never_closed_is_said_at_its_line(text: str, place: tuple[int, str] | None) -> None:
    kernel = "__global__ void f(int* p) { *p = 1; }\n"
    found = [(each.line, str(each.message)) for each in parse(text.format(kernel)).diagnostics]
    assert found == ([] if place is None else [place])


def test_refusals_name_what_there_is() -> None:
    text = """template <int A, int B> __global__ void t(int *p) {}
    namespace n { __global__ void k(int *p) {} }
    __global__ void o(int *p) {}  __global__ void o(float *p) {}
    __global__ void d(int *p);"""
    assert refusal(text, "z") == "There is no kernel z in this text, but: t, n::k, o, d."
    assert refusal(text, "t") == "t is a template: write t<...> with values for <int A, int B>."
    assert refusal(text, "t<1>") == "t takes the template arguments <int A, int B>, not <1>."
    assert refusal(text, "k<1>") == "n::k is not a template: it takes no arguments in < >."
    assert refusal(text, "o") == "Several kernels are named o: o(int *), o(float *). Rename all but one."
    assert refusal(text, "d") == "d is declared, but its body stands nowhere."
    assert "is not a kernel's name" in refusal(text, "t<1, 2>; int x")
    assert "There is no kernel in this text" in refusal("int main() {}", "k")


def test_an_entry_is_the_instantiated_function() -> None:
    unit = parse("template <int N, class T = float> __global__ void k(T *a) { __shared__ T s[N]; a[0] = s[N - 1]; }\n")
    cursor = unit.function_cursor("k<128, double>")
    shared = next(each for each in cursor.walk_preorder() if each.spelling == "s")
    assert shared.type.get_canonical().spelling == "double[128]"
    assert unit.location(shared) == Location(1, 74)
    assert unit.function_cursor("k<128, double>") is cursor


def test_cursors_say_what_the_binding_leaves_out() -> None:
    unit = parse("""#define TWICE(x) ((x) * 2)
__device__ int mine(int x) { return -x; }
__global__ void k(int *a, int n) {
    for (; n < 4;) n++;
    for (int i = 0;; i += 2) a[i] = TWICE(a[n]) && mine(n);
    for (;;) {}
    a[0] = min(n, (int)sizeof(int)) + mine(3) + 'b';
}""")
    below = list(unit.function_cursor("k").walk_preorder())
    loops = [unit.for_parts(each) for each in below if each.kind.name == "FOR_STMT"]
    assert [[part is not None for part in (each.init, each.condition, each.step)] for each in loops] == [
        [False, True, False],
        [True, False, True],
        [False, False, False],
    ]
    assert unit.text_of(loops[0].condition) == "n < 4"
    assert unit.unary_operator(loops[0].body) == "post++"
    assert [unit.binary_operator(each) for each in below if each.kind.name == "BINARY_OPERATOR"][:3] == ["<", "=", "&&"]
    calls = {each.spelling: each.referenced for each in below if each.kind.name == "CALL_EXPR"}
    assert (unit.known(calls["min"]), unit.known(calls["mine"])) == (Known.MATH, None)
    assert (unit.in_prelude(calls["min"]), unit.in_prelude(calls["mine"])) == (True, False)
    product = next(each for each in below if unit.binary_operator(each) == "*")
    assert unit.location(product).line == 5
    element = next(each for each in product.walk_preorder() if each.kind.name == "ARRAY_SUBSCRIPT_EXPR")
    assert unit.location(element) == Location(5, 43)
    assert unit.evaluate(next(each for each in below if each.kind.name == "CHARACTER_LITERAL")) == ord("b")
    assert unit.evaluate(next(each for each in below if each.kind.name == "CXX_UNARY_EXPR")) == 4


def test_every_known_function_is_declared_and_has_one_kind() -> None:
    kinds: dict[str, set[Known]] = {}
    for family in FAMILIES:
        for name in family.names.split():
            kinds.setdefault(name, set()).add(family.kind)
    assert {name for name, found in kinds.items() if len(found) > 1} == set()
    uses = "".join(f"using ::{name};" for name in kinds)
    text = f"#include <cuda_fp16.h>\nnamespace all {{ {uses} }}\n__global__ void k(int *a) {{ all::__syncthreads(); }}"
    unit = parse(text)
    assert unit.translation_unit is not None
    assert [str(each) for each in unit.translation_unit.diagnostics] == []
    assert set(kinds) < set(KNOWN)


def test_a_function_of_the_program_takes_the_place_of_a_known_one() -> None:
    unit = parse("__device__ float rsqrtf(float x) { return 1 / x; }\n__global__ void k(float *a) { a[0] = rsqrtf(a[1]); }")
    call = next(each for each in unit.function_cursor("k").walk_preorder() if each.kind.name == "CALL_EXPR")
    assert unit.known(call.referenced) is None


def test_local_includes_are_read_and_their_errors_placed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.cuh").write_text('#include "../top.h"\n__device__ int deep(int x) { return x + TOP; }\n')
    (tmp_path / "top.h").write_text("#define TOP 3\n")
    (tmp_path / "wrong.h").write_text("__device__ int wrong(int x) {\n  return nothing; }\n")
    text = '#include "sub/deep.cuh"\n#  include <wrong.h> // too\n__global__ void k(int *a) { a[0] = deep(1) + wrong(2); }'
    (found,) = parse(text, tmp_path / "main.cu").diagnostics
    assert (found.file, found.line, found.column, str(found.message)) == ("wrong.h", 2, 10, "Unknown name nothing.")


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    secret = tmp_path / "secret.h"
    secret.write_text("#define SECRET 1\n")
    (tmp_path / "inside" / "link.h").symlink_to(secret)
    spliced = f'#inc\\\nlude "{secret}"'
    ways = ['#include "../secret.h"', f'#include "{secret}"', '#include "link.h"', f'#define W "{secret}"\n#include W', spliced,
            f'#import "{secret}"', f'%:include "{secret}"', f'#/**/include "{secret}"', f'#include_next "{secret}"',
            f'/* */ # include "{secret}"', f'#\tinclude\\\n "{secret}"']  # fmt: skip
    for way in ways:
        unit = parse(f"{way}\n#ifdef SECRET\n__global__ void leaked() {{}}\n#endif\n__global__ void k() {{}}", tmp_path / "inside" / "m.cu")
        assert "leaked" not in [kernel.name for kernel in unit.kernels], way


def test_includes_in_circles_end(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n#include "b.h"\n__device__ int a() { return 1; }\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n#include "a.h"\n#include "b.h"\n__device__ int b() { return 2; }\n')
    unit = parse('#include "a.h"\n#include "b.h"\n__global__ void k(int *p) { *p = a() + b(); }', tmp_path / "m.cu")
    assert unit.diagnostics == ()


def test_defines_stand_before_the_program_only() -> None:
    unit = parse("#include <mma.h>\n__global__ void k(int *a) { a[0] = N + T; }", None, {"N": 7, "T": "(1 + 2)", "x": 5})
    assert unit.diagnostics == ()
    for name, value in (("1x", "2"), ("X", "1\n#define Y"), ("A B", "1")):
        with pytest.raises(ValueError, match="not a macro"):
            parse("", None, {name: value})


def test_nothing_is_said_when_the_interpreter_ends() -> None:
    code = "from kernels.simt.frontend.parse import parse; unit = parse('__global__ void k() {}'); print(unit.kernels[0].name)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ})
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "k", "")
