"""The generated text: what is uniform is plain Python, what does not change is made once."""

from __future__ import annotations

import re

import pytest

from kernels.simt.frontend.parse import parse
from kernels.simt.generate.build import Unsupported
from kernels.simt.generate.generated_kernel import GeneratedKernel, PlacedLaunch, generate
from kernels.simt.intrinsics.functions import FUNCTIONS
from kernels.simt.lower import lower
from kernels.simt.machine.memory import Memory
from kernels.simt.trace.trace import Held, Initial

TILED = """
__global__ void product(const float* a, float* c, int n)
{
    __shared__ float s[8][32];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < n; t += 8) {
        s[y][x] = a[(t + y) * n + x];
        __syncthreads();
        for (int k = 0; k < 8; ++k)
            sum += s[k][x] * s[y][k];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
"""


def generated(text: str, block: tuple[int, int, int] = (32, 8, 1), n: int = 64) -> GeneratedKernel:
    kernel = lower(unit := parse(text), unit.kernels[0].name)
    memory = Memory()
    zeros = Initial(Held.ZEROS)
    pointers = [memory.allocate(each.name, zeros, (n * n,), 4, "float").address for each in kernel.parameters if each.name != "n"]
    shared = memory.share(kernel.globals, 0)
    values = tuple(n if each.name == "n" else pointers.pop(0) for each in kernel.parameters)
    lanes = block[0] * block[1] * block[2]
    return generate(kernel, PlacedLaunch((2, 1, 1), block, values, lanes, memory, shared.by_variable, FUNCTIONS, contract=False))


def body(text: str, after: str) -> str:
    """What is generated behind the first line that begins so."""
    return text[re.search(rf"^ *{re.escape(after)}", text, re.MULTILINE).end() :]  # type: ignore[union-attr]


def test_uniform_loops_are_loops_of_ints() -> None:
    text = generated(TILED).text
    assert re.search(r"for t_\d+ in range\(0, n_\d+, 8\):", text)
    assert re.search(r"for k_\d+ in range\(0, 8, 1\):", text)
    assert "where(" not in text


def test_bases_are_made_before_the_loops() -> None:
    text = generated(TILED).text
    assert text.count("BASES(") == 4
    assert "BASES(" not in body(text, "for ")


def test_an_address_in_a_loop_is_a_base_and_a_uniform_offset() -> None:
    inner = body(generated(TILED).text, "for k_")
    assert len(re.findall(r"SITE\d+\.load\(base\d+, shift\d+ \+ k_\d+ \* \d+ \+ \d+, m0\)", inner)) == 2


def test_short_loops_without_branches_are_counted_once_and_not_metered() -> None:
    inner = body(generated(TILED).text, "for k_")
    loop = inner.partition("yield")[0]
    assert "ticks" not in loop
    assert re.search(r"^  c\.flops \+= 16 \* m0\.count$", loop, re.MULTILINE)


def test_every_other_loop_looks_at_the_budget() -> None:
    loops = "while (c[0] < n) ; do { } while (c[0] > n); for (int i = 0; i < n; ++i) { if (i) c[i] = 0; }"
    text = generated(f"__global__ void f(float* c, int n) {{ {loops} }}").text
    assert text.count("c.check_budget(") == text.count("while True:") + text.count("for ") == 3


def test_ints_wrap_only_where_their_range_may_leave_the_type() -> None:
    text = generated("__global__ void f(float* c, int n) { int i = n * 3 + 1; int j = i; j *= j; j *= j; c[j & 63] = i; }").text
    assert text.count("i32(") == 2


def test_ints_are_divided_as_in_python_where_neither_can_be_negative() -> None:
    loop = "for (int i = {first}; i < 4; ++i) a[i % 3 + i / 2] = 0.0f;"
    text = generated(f"__global__ void k(float* a) {{ {loop.format(first=0)} }}").text
    assert " % 3)" in text
    assert " // 2)" in text
    text = generated(f"__global__ void k(float* a) {{ {loop.format(first=-4)} }}").text
    assert re.search(r"remainder\(i_\d+, 3\)", text)
    assert re.search(r"quotient\(i_\d+, 2\)", text)


def test_a_choice_between_registers_is_no_branch() -> None:
    loop = "for (int i = 0; i < 8; ++i) sum[i % 2 == 0 ? i : 7 - i] += a[i]; a[0] = sum[1];"
    text = generated(f"__global__ void k(float* a) {{ float sum[8] = {{}}; {loop} }}").text
    assert "check_budget" not in text
    assert "c.flops += 8 *" in text


def test_a_register_array_with_uniform_indices_is_a_list_and_needs_no_memory() -> None:
    text = generated(
        "__global__ void f(float* c, int n) { float r[4]; for (int i = 0; i < 4; ++i) r[i] = c[i]; c[threadIdx.x] = r[0] + r[3]; }"
    ).text
    assert re.search(r"r_\d+ = \[np\.float32\(0\)\] \* 5", text)
    assert "LANE *" not in text


def test_a_register_array_with_a_varying_index_lives_in_memory() -> None:
    text = generated("__global__ void f(float* c, int n) { float r[4]; r[threadIdx.x & 3] = 1; c[threadIdx.x] = r[0]; }").text
    assert "LANE * 16" in text


def test_an_axis_of_one_thread_is_uniform() -> None:
    text = generated("__global__ void f(float* c, int n) { if (threadIdx.y == 0) c[threadIdx.y] = 1; }", (32, 1, 1)).text
    assert "where(" not in text


@pytest.mark.parametrize("name", ["in", "t", "np", "m0", "k", "SITE0", "lanes"])
def test_names_of_the_kernel_are_never_those_of_the_code(name: str) -> None:
    text = generated(f"__global__ void f(float* c, int n) {{ int {name} = n; ++{name}; c[{name}] = 1; }}").text
    assert re.search(rf"^ {name}_\d+ = n_\d+$", text, re.MULTILINE)
    assert not re.search(rf"^ {name} =", text.partition("yield")[2], re.MULTILINE)


def test_what_python_cannot_nest_is_refused() -> None:
    loops = "".join(f"for (int i{depth} = 0; i{depth} < n; ++i{depth}) " for depth in range(25))
    with pytest.raises(Unsupported, match="nested too deeply"):
        generated(f"__global__ void f(float* c, int n) {{ {loops} c[0] += 1; }}")


def test_long_expressions_and_many_guards_are_fine() -> None:
    total = " + ".join(f"c[{i}]" for i in range(150))
    guards = "".join(f"if (c[threadIdx.x] == {i}) return; " for i in range(120))
    assert generated(f"__global__ void f(float* c, int n) {{ {guards} c[0] = {total}; }}").code is not None


def test_local_arrays_larger_than_a_gpu_gives_are_refused() -> None:
    with pytest.raises(Unsupported, match="524288"):
        generated("__global__ void f(float* c, int n) { float r[200000]; r[n] = 1; c[0] = r[0]; }")
