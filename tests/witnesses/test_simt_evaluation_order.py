"""In which order the parts of an expression take effect: what C++17 says of it, with g++ as the witness.

The right side of an assignment comes before the left, the left side of a shift and the array of a subscript before the other one.
Nothing here depends on an order that C++17 leaves open.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.launches.simt_launch import launch
from tests.oracle import host

EACH = 64
"""Elements of a thread."""
THREADS = 4
SNIPPETS = (
    "a[i++] = i;", "a[i] = i++;", "a[next(i)] = next(i);", "a[i = 3] = i;", "a[i] = (i = 3);", "a[a[i]] = a[i]++;",
    "a[next(i)] -= next(i);", "a[next(i)] <<= next(i);", "a[i] += i++;", "l[i++] = i;", "l[i] = i++;",
    "x = (a[i++] = i * 10);", "x = (a[i] += i++);", "x = (a[next(i)] *= next(i));",
    "i = i++ + 2;", "i += i++;", "*p++ = p - a;", "*p = *p++ + 9;", "p[i] = (p += 2)[1];", "x = (*p++ = i);", "*(p += 1) = *p + 40;",
    "x = i << i++;", "x = i++ << i;", "x = next(i) >> next(i) % 2;", "x = (i++, i * 7);", "x = i++ == n && i > n;", "x = i++ ? i : -i;",
    "x = m[1][i++];", "x = m[i++ & 1][2];", "x = m[i & 1][i++];", "m[1][i++] = 5;", "m[1][i++] += 3;", "m[i++ & 1][i++] = i;",
    "x = m[1][i++]++;", "int (*q)[8] = m; x = q[i & 1][i++];", "int (*q)[8] = m; q[i & 1][i++] = i;",
    "int* r = &m[i & 1][i++]; x = *r;", "int* r = &a[i++]; *r = i;", "P w = {i, i++}; v[0] = w;", "P w = {i++, i}; v[0] = w;",
    "int (*q)[8] = m; x = *(q[i & 1] + 2) + i++;", "v[0] = P{a[i] + i, ++i};",
    "x = s[t][1][i++];", "x = s[t][i & 1][i++];", "s[t][1][i++] = 5;", "s[t][i++ & 1][i++] = i;", "++s[t][1][i++];",
    "x = s[t][1][i++]--;", "s[t][next(i) & 1][2] = next(i);",
    "v[i++ & 3].y = i;", "v[i++ & 3] = v[i & 3];",
    "v[i++ & 3] += P{i, i};", "v[i++ & 3] -= P{i, i};", "x = v[i++ & 3].y;",
    "++a[i++];", "a[i++]--;", "x = a[i++]++;", "x = --a[i++];", "int& r = a[i++]; r = i;", "*(i++ & 1 ? a : l) = i;",
    "ps[i++ & 1] += 3; *ps[0] = 70; *ps[1] = 71;", "x = *(ps[i++ & 1] += 2);", "x = *ps[i++ & 1]++;", "*ps[i & 1]++ = i++;",
    "for (int k = 0; k < 3; a[k] = k++) {}", "for (int k = 0; k < 4;) a[k++] = k;", "x = a[(i++, i)] + 1;", "a[i] = a[i + 1] = i++;",
    "a[i++] = a[i++] = i++;", "(void)(a[i++] = i);", "a[i++] = i ? next(i) : 0;", "a[i++] = i > 2 && next(i);", "i = a[i] = i + 1;",
    "a[i++] += 4;", "x = (l[i++] -= 4);", "v[i++ & 3] = P{6, 7};", "x = (one[i++ & 1] = One{9}).x;",
    "(x += 2) ^= 5;", "++(x = i);", "(a[i] = 4) |= i;", "((l[i] += 1) *= 2) -= 1;", "++++i; --(++i);", "(s[t][1][i] += 5) %= 7;",
    "(i & 1 ? (x += 1) : (i += 2)) <<= 1;", "int& r = (x *= 2); r += 1;", "next(++i); next(x = i); x += next(x -= 1);",
    "(p += 1)[1] = 9; *(--p) = 8;", "(v[i & 3].x = 5) += v[1].y;", "unsigned char c = 250; (c += 10) >>= 1; x = c;",
    "*&(i ^= 1) += 2;", "for (; i < 8; (i += 1) += 1) a[i] = i;", "x = (*(p += 1) -= 9) + 1;", "(ps[1] = ps[0] + i)[1] = 6;",
)  # fmt: skip
LATE = (
    ("a[i] = next(i)", "a[3]", 3), ("a[i++] += i", "a[2]", 4), ("l[i++] *= i", "l[2]", 44), ("x = (a[i++] += i)", "x", 4),
    ("x = (l[i++] -= i)", "x", 20), ("s[t][1][i++] += i", "s[t][1][2]", 94), ("x = (s[t][1][i++] += i)", "x", 94),
    ("v[i & 3] = {i++, i}", "v[3].x * 10 + v[3].y", 23), ("v[i++ & 3] = P{i, i}", "v[2].x", 2), ("x = (v[i++ & 3].y += i)", "x", 8),
    ("one[i++ & 1] = One{i}", "one[0].x", 2), ("x = (one[i++ & 1] = One{i}).x", "x", 2), ("ps[i++ & 1] += i", "(int)(ps[0] - a)", 2),
    ("x = *(ps[i++ & 1] += i)", "x", 2),
)  # fmt: skip
"""What g++ 12 gets wrong: it reads a variable of the right side after the left side changed it. NVRTC has these values, as the standard."""
COMMON = """
struct P {
    int x, y;
    __device__ P& operator-=(P o) { x -= o.x; y -= o.y; return *this; }
};
struct One { int x; };
__device__ P& operator+=(P& a, P b) { a.x += b.x; a.y += b.y; return a; }
__device__ int next(int& i) { return ++i; }
"""
BODY = """
    int t = threadIdx.x, i = START, x = 0, l[8], m[2][8];
    int *a = out + t * 64, *p = a + 2, *ps[2] = {a, a + 3};
    P v[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    One one[2] = {{1}, {2}};
    for (int k = 0; k < 8; ++k) { a[k] = k / 2 + 1; l[k] = 20 + k; m[0][k] = 30 + k; m[1][k] = 50 + k; }
    for (int k = 0; k < 8; ++k) { s[t][0][k] = 80 + k; s[t][1][k] = 90 + k; }
    SNIPPET
    a[8] = i; a[9] = x; a[10] = (int)(p - a);
    for (int k = 0; k < 8; ++k) { a[16 + k] = l[k]; a[24 + k] = m[0][k]; a[32 + k] = m[1][k]; a[40 + k] = s[t][0][k]; }
    for (int k = 0; k < 8; ++k) { a[48 + k] = s[t][1][k]; }
    for (int k = 0; k < 4; ++k) { a[56 + k] = v[k].x; a[60 + k] = v[k].y; }
    a[12] = one[0].x; a[13] = one[1].x; a[14] = (int)(ps[0] - a); a[15] = (int)(ps[1] - a);
"""
STARTS = {"uniform": "n", "varying": "n + t % 2"}
N = 2


def body(snippet: str, start: str) -> str:
    return BODY.replace("START", STARTS[start]).replace("SNIPPET", snippet)


def cases() -> Iterator[tuple[str, str]]:
    return ((snippet, start) for snippet in SNIPPETS for start in STARTS)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], npt.NDArray[np.int32]]:
    """What g++ makes of each."""
    if not host.available():
        pytest.skip(host.MISSING)
    folder = tmp_path_factory.mktemp("order")
    text = f"#include <cstdio>\n#define __device__\nstatic struct {{ int x; }} threadIdx;\nstatic int s[4][2][8];\n{COMMON}"
    calls = ""
    for number, case in enumerate(cases()):
        text += f"static void f{number}(int* out, int n) {{{body(*case)}}}\n"
        calls += f"for (threadIdx.x = 0; threadIdx.x < {THREADS}; ++threadIdx.x) f{number}(out + {number * THREADS * EACH}, {N});\n"
    count = len(SNIPPETS) * len(STARTS) * THREADS * EACH
    text += f"static int out[{count}];\nint main() {{\n{calls}fwrite(out, 4, {count}, stdout); }}\n"
    (folder / "order.cpp").write_text(text, encoding="utf-8")
    command = ["g++", "-std=c++17", "-w", "-O0", "order.cpp", "-o", "order"]
    subprocess.run(command, cwd=folder, check=True)
    written = subprocess.run([str(Path(folder) / "order")], capture_output=True, check=True).stdout
    return dict(zip(cases(), np.frombuffer(written, np.int32).reshape(-1, THREADS * EACH), strict=True))


@pytest.mark.parametrize(("snippet", "start"), list(cases()))
def test_effects_take_place_in_the_order_of_the_language(
    snippet: str, start: str, expected: dict[tuple[str, str], npt.NDArray[np.int32]]
) -> None:
    shared = f"    __shared__ int s[{THREADS}][2][8];"
    text = f"{COMMON}\n__global__ void f(int* out, int n)\n{{\n{shared}{body(snippet, start)}}}"
    trace = launch(text, 1, THREADS, {"out": np.zeros(THREADS * EACH, np.int32), "n": N})
    assert [str(each.message) for each in trace.findings] == []
    np.testing.assert_array_equal(trace.values["out"].reshape(THREADS, -1), expected[snippet, start].reshape(THREADS, -1))


@pytest.mark.parametrize(("snippet", "value", "expected"), LATE)
@pytest.mark.parametrize("start", list(STARTS))
def test_the_right_side_is_read_before_the_left_changes_it(snippet: str, value: str, expected: int, start: str) -> None:
    shared = f"    __shared__ int s[{THREADS}][2][8];"
    inner = body(f"{snippet}; a[11] = {value};", start)
    text = f"{COMMON}\n__global__ void f(int* out, int n)\n{{\n{shared}{inner}}}"
    trace = launch(text, 1, THREADS, {"out": np.zeros(THREADS * EACH, np.int32), "n": N})
    assert [str(each.message) for each in trace.findings] == []
    assert trace.values["out"].reshape(THREADS, -1)[::2, 11].tolist() == [expected, expected]
