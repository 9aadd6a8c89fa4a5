"""Texts that are broken or meant to harm: a unit comes back, soon, and says why."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.simt.frontend.diagnostics import FrontEndError, Severity
from kernels.simt.frontend.parse import parse, refuse

ROOT = Path(__file__).resolve().parents[4]
SHIPPED = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "kernels" / "gpu").glob("*.cu"))]
KERNEL = "\n__global__ void k(int *a) { a[0] = 1; }\n"
N = 100_000


def doubling(depth: int) -> str:
    return "#define A0 1 +\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, depth)) + f"int x = A{depth - 1} 1;"


HOSTILE = {
    "parentheses": "int x = " + "(" * N + "1" + ")" * N + ";",
    "braces": "void f() {" + "{" * N,
    "brackets": "int x" + "[1" * N,
    "templates": "A<" * N,
    "negations": "int x = " + "!" * N + "1;",
    "sums": "int x = " + "+".join("1" * N) + ";",
    "casts": "int x = " + "(int)" * N + "1;",
    "pointers": "int " + "*" * N + "x;",
    "conditionals": "int x = " + "1?1:" * N + "1;",
    "ifs": "void f() {" + "if(1)" * N + ";}",
    "elses": "void f() {" + "if(1);else " * N + ";}",
    "loops": "void f() {" + "for(;;)" * N + ";}",
    "assignments": "void f(int x) {" + "x=" * N + "1;}",
    "calls": "void f(A a) { a" + ".f()" * N + ";}",
    "cases": "void f(int x) { switch (x) {" + "".join(f"case {i}:" for i in range(N)) + "}}",
    "macros that double": doubling(40),
    "a chain of macros that ends in doubling": doubling(30) + "".join(f"\n#define B{i} B{i - 1}" for i in range(N // 10)) + "\nint y = B9;",
    "macro arguments that double": "#define D(x) x x\nint x[] = {" + "D(" * 60 + "1," + ")" * 60 + "};",
    "macros that nest": "#define P(x) (x)\n#define Q(x) P(P(P(P(P(P(P(P(x))))))))\nint x = " + "Q(" * 100 + "1" + ")" * 100 + ";",
    "statements hidden in macros": "#define A ; !!!!!!!!!!\n#define B A !\nvoid f() { " + "B " * 10 + "1" + "! " * N + "; }",
    "a NUL": "int x;\0\n" + KERNEL,
    "ten million bytes": "int x;\n" * 1_500_000,
    "unclosed strings": '"' * N,
    "unclosed comments": "/*" * N,
    "unclosed raw strings": 'R"(' * N,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_exhaust_the_parser_is_refused_in_words(name: str) -> None:
    began = time.process_time()
    unit = parse(HOSTILE[name])
    found = unit.diagnostics
    assert time.process_time() - began < 5.0
    if unit.translation_unit is None:
        assert [each.severity for each in found] == [Severity.ERROR]
        assert unit.kernels == ()
        with pytest.raises(FrontEndError):
            unit.function_cursor("k")


@pytest.mark.parametrize("name", ["parentheses", "negations", "casts", "elses", "macros that double", "a NUL", "ten million bytes"])
def test_the_worst_never_reach_libclang(name: str) -> None:
    assert parse(HOSTILE[name]).translation_unit is None


@pytest.mark.parametrize(
    "text",
    [
        "__constant__ int table[] = {" + ", ".join(f"-{i}" for i in range(20_000)) + "};" + KERNEL,
        "#define STEP(i) { a[i] += i; a[i] -= 1; }\n#define TEN(i) " + " ".join(f"STEP(i + {j})" for j in range(10))
        + "\n__global__ void k(int *a) { " + "TEN(0) " * 200 + "}",
        "// " + "(" * 1000 + "\n/* " + "[" * 1000 + " */\nconst char *s = \"" + "{" * 1000 + "\";" + KERNEL,
    ],
)  # fmt: skip
def test_long_but_flat_texts_pass(text: str) -> None:
    unit = parse(text)
    assert [kernel.name for kernel in unit.kernels] == ["k"]
    assert unit.diagnostics == ()


def test_template_recursion_without_end_ends() -> None:
    text = "template <int N> __device__ int f() { return f<N + 1>(); }\n__global__ void k(int *a) { a[0] = f<0>(); }"
    assert any(each.severity is Severity.ERROR for each in parse(text).diagnostics)


@settings(max_examples=60, deadline=None)
@given(text=st.sampled_from(SHIPPED), start=st.integers(0, 4000), length=st.integers(0, 60), put=st.text("(){};<>\"'#\\/*\n x", max_size=8))
def test_a_damaged_kernel_never_raises(text: str, start: int, length: int, put: str) -> None:
    unit = parse(text[:start] + put + text[start + length :])
    assert all(each.line >= 1 and each.column >= 1 for each in unit.diagnostics)
    assert all(kernel.lines[0] <= kernel.lines[1] for kernel in unit.kernels)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300), st.booleans())
def test_any_text_at_all_never_raises(text: str, with_kernel: bool) -> None:
    unit = parse(text + KERNEL if with_kernel else text)
    assert isinstance(unit.diagnostics, tuple)


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60))
def test_any_entry_at_all_is_answered_in_words(entry: str) -> None:
    with pytest.raises(FrontEndError):
        parse("template <int N> __global__ void k(int *a) {}").function_cursor(entry + "?")


@settings(max_examples=200, deadline=None)
@given(st.text("(){};,!A#define \n\"'/*\\R", max_size=400))
def test_the_guard_answers_for_any_text(text: str) -> None:
    assert refuse(text) is None or refuse(text + "\n") is not None
