"""What finished nodes carry beside their shape: locations, the written text of accesses, which variables need an address, sizes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kernels.base.spec import Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.simt import ir
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.lower.lvalues import nodes
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec
from tests.launches.lowered import kernel


def accesses(text: str) -> list[tuple[str, int, int, str]]:
    """Kind, line, column and text of every load and store of memory."""
    found = []
    for node in nodes(kernel(text).body):
        if isinstance(node, ir.Load | ir.Store) and not isinstance(node.place, ir.Whole):
            written = node.place.text
            found.append((type(node).__name__, node.location.line, node.location.column, written))
    return found


def test_accesses_know_how_they_are_written() -> None:
    text = """#define FLOAT4(x) (*reinterpret_cast<float4*>(&(x)))
__global__ void k(float* a, int n) {
    __shared__ float s[4][5];
    s[n][ 1 ] = a[n + 1];
    FLOAT4(a[4 * n]) = __ldg(reinterpret_cast<float4*>(a) + n);
    s[0][n] += *a;
}"""
    assert accesses(text) == [
        ("Store", 4, 5, "s[n][ 1 ]"),
        ("Load", 4, 17, "a[n + 1]"),
        ("Store", 5, 5, "FLOAT4(a[4 * n])"),
        ("Load", 5, 24, "*(reinterpret_cast<float4*>(a) + n)"),
        ("Store", 6, 5, "s[0][n]"),
        ("Load", 6, 16, "*a"),
    ]


def test_accesses_in_device_functions_stand_there_and_those_of_the_prelude_where_it_is_called() -> None:
    text = """__device__ float twice(const float* p) {
    return p[0] + p[1];
}
__global__ void k(float* a) {
    float x = twice(a);
    std::swap(a[2], a[3]);
}"""
    lines = [(kind, line) for kind, line, _, _ in accesses(text)]
    assert lines == [("Load", 2), ("Load", 2), ("Load", 6), ("Store", 6), ("Load", 6), ("Store", 6)]


def test_only_variables_whose_address_is_a_value_are_addressed() -> None:
    text = """__device__ void fill(float* p) { for (int i = 0; i < 4; ++i) p[i] = 0; }
__device__ void bump(int& x) { ++x; }
__global__ void k(int* a) {
    int kept = 0, pointed = 0; float filled[4], walked[4];
    bump(kept); int* p = &pointed; *p = 1; fill(filled); float* q = walked; q++;
}"""
    variables = {node.variable.name: node.variable for node in nodes(kernel(text).body) if isinstance(node, ir.Declare)}
    assert {name for name, variable in variables.items() if variable.addressed} == {"pointed", "walked"}


def test_structs_are_laid_out_as_by_the_compiler() -> None:
    text = """struct S { char c; double d; short s[3]; float4 v; };
__global__ void k(S* p, float2* q, float3* r) {}"""
    types = [parameter.type for parameter in kernel(text).parameters]
    structs = [each.target for each in types if isinstance(each, ir.Pointer)]
    assert all(isinstance(each, ir.Struct) for each in structs)
    shapes = [
        (each.size, each.align, each.vector, [field.offset for field in each.fields]) for each in structs if isinstance(each, ir.Struct)
    ]
    assert shapes == [(48, 16, False, [0, 8, 16, 32]), (8, 8, True, [0, 4]), (12, 4, False, [0, 4, 8])]


def test_launch_bounds() -> None:
    text = "#define T 128\n__global__ void __launch_bounds__(2 * T, 3) k(float* a) {}"
    assert kernel(text).max_threads == 256
    assert kernel("__global__ void k() {}").max_threads is None


def test_recursion_through_two_instances_of_a_template_is_none() -> None:
    text = """template <int N> __device__ int sum(int x) { if constexpr (N > 0) return x + sum<N - 1>(x); else return 0; }
__global__ void k(int* a) { a[0] = sum<3>(a[1]); }"""
    assert sum(isinstance(node, ir.Inlined) for node in nodes(kernel(text).body)) >= 1


def launches(taken: LaunchSpec) -> Iterator[LaunchSpec]:
    """What is launched first, then the kernel itself."""
    if taken.before is not None:
        yield taken.before
    yield taken


@pytest.mark.parametrize("variant", [pytest.param(each, id=each.id) for each in VARIANTS if each.interpreted])
def test_shipped_kernels_are_lowered_with_their_parameters(variant: Variant) -> None:
    for each in launches(launch_spec(variant, Problem.square(variant.operation, 64), variant.defaults)):
        found = lower(parse(each.text, defines=each.defines), str(each.entry))
        assert {parameter.name for parameter in found.parameters} == each.launch.arguments.keys()
