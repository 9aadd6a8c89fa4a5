"""What must be true of the text of every CUDA kernel, without a GPU."""

from __future__ import annotations

import ast
import math
import re

import pytest

from kernels.base.spec import PREPARED, Device, Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS

GPU = [variant for variant in VARIANTS if variant.device is Device.GPU]
CUDA = [variant for variant in GPU if variant.source.endswith(".cu")]
PARAMETERS = {
    Operation.MATMUL: "const float* A, const float* B, float* C, int M, int N, int K",
    Operation.TRANSPOSE: "const float* A, float* C, int M, int N",
    Operation.HELLO: "",
}
IN_PLACE = "float* C, int M, int N"
LONGEST = {
    "gpu.prefetch": 100, "gpu.fastest": 206, "gpu.split-k": 400, "gpu.fitted": 400, "gpu.transpose-vectorized": 105,
    "gpu.wmma-tf32": 165, "gpu.wmma-bf16": 165, "gpu.wgmma-bf16": 250, "gpu.wgmma-clusters-bf16": 400, "gpu.three-parts": 266,
    "gpu.mma-bf16": 195, "gpu.mma-padded-bf16": 195, "gpu.mma-swizzled-bf16": 195,
    "gpu.mma-tf32": 195, "gpu.mma-padded-tf32": 195, "gpu.mma-swizzled-tf32": 195,
} | {
    f"gpu.{name}-k{depth}": lines for depth in (8, 16)
    for name, lines in (("register-tiled", 105), ("vectorized", 130), ("conflict-free", 135), ("double-buffered", 146))
} | {"gpu.async": 153, "gpu.warp-tiled": 167}  # fmt: skip
"""Lines of those kernels that do more than one thing at a time; 90 for all others."""


def named(variant: Variant) -> str:
    return variant.id


def compiled(variant: Variant) -> str:
    """The text without what its launch leaves out."""
    assert variant.launch is not None
    turned = variant.launch(Problem.square(variant.operation, 64), variant.defaults).defines.get("TURNED")
    chosen = r"\2" if turned == 0 else r"\1"
    return re.sub(r"#if TURNED\n(.*?)(?:#else\n(.*?))?#endif\n", chosen, variant.source_text, flags=re.DOTALL)


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_entry_of_the_catalogue_is_a_kernel_with_the_agreed_parameters(variant: Variant) -> None:
    kernel = r'extern "C" __global__\s+(?:__(?:launch_bounds|maxnreg|cluster_dims)__\([^)]*\)\s+)*void (\w+)\(([^)]*)\)'
    assert variant.launch is not None
    found = re.findall(kernel, compiled(variant))
    expected = IN_PLACE if variant.output is Output.IN_PLACE else PARAMETERS[variant.operation]
    names = [variant.entry]
    before = variant.launch(Problem.square(variant.operation, 64), variant.defaults).before
    if before is not None:
        expected, names = expected.replace("C, ", "C, float* T, "), [before.entry, variant.entry]
    assert [(name, " ".join(parameters.split())) for name, parameters in found] == [(name, expected) for name in names]


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_text_needs_no_header_but_those_of_the_toolkit_and_compiles_alone(variant: Variant) -> None:
    headers = re.findall(r"#include (.*)", variant.source_text)
    assert set(headers) <= {"<cuda_pipeline.h>", "<mma.h>", "<cuda_bf16.h>"}
    assert variant.launch is not None
    launch = variant.launch(Problem.square(variant.operation, 64), variant.defaults)
    first = next(each for each in CUDA if each.source == variant.source)
    assert first.launch is not None
    for name, value in first.launch(Problem.square(variant.operation, 64), first.defaults).defines.items():
        assert name in launch.defines
        default = re.search(rf"#ifndef \w+.*\n(?:#define .*\n)*#define {name} (\w+).*\n(?:#define .*\n)*#endif", variant.source_text)
        assert default is not None
        assert default[1] in (str(value), "TILE")


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_text_is_ascii_and_fits_a_projector(variant: Variant) -> None:
    assert variant.source_text.isascii()
    lines = variant.source_text.splitlines()
    assert len(lines) <= LONGEST.get(variant.id, 90)
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_products_in_an_index_of_a_matrix_are_computed_in_64_bits(variant: Variant) -> None:
    code = re.sub(r"//.*", "", variant.source_text)
    for index in re.findall(r"\b[ABC]\[([^\]]*\*[^\]]*)\]", code):
        assert index.startswith("(long long)"), index


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_shared_memory_is_used_exactly_where_the_launch_counts_it(variant: Variant) -> None:
    assert variant.launch is not None
    launch = variant.launch(Problem.square(variant.operation, 64), variant.defaults)
    code = re.sub(r"//.*", "", variant.source_text)
    declared = re.findall(r"(?<!extern )__shared__(?: __align__\(\d+\))? (float|bf16) \w+((?:\[[\w +]+\])+)", code)
    assert len(declared) + code.count("extern __shared__") == code.count("__shared__")
    numbers = {name: int(value) for name, value in re.findall(r"#define (\w+) (\d+)", code)}
    macros = {**numbers, **launch.defines}
    sizes = [
        [sum(macros.get(term, 0) or int(term) for term in size.split(" + ")) for size in re.findall(r"\[([^]]+)\]", one)]
        for _, one in declared
    ]
    bytes_ = [{"float": 4, "bf16": 2}[name] for name, _ in declared]
    before = 0 if launch.before is None else launch.before.launch.static_shared_bytes
    assert launch.static_shared_bytes + before == sum(each * math.prod(size) for each, size in zip(bytes_, sizes, strict=True))


@pytest.mark.parametrize("library", [variant for variant in GPU if variant.launch is None], ids=named)
def test_a_library_call_has_its_entry_with_the_matrices_in_order(library: Variant) -> None:
    first, *others = (node for node in ast.parse(library.source_text).body if isinstance(node, ast.FunctionDef))
    expected = ["A", "B", "C"] + ([PREPARED] if library.workspace else [])
    assert (first.name, [argument.arg for argument in first.args.args]) == ("multiply", expected)
    assert all(function.name.startswith("_") for function in others)
