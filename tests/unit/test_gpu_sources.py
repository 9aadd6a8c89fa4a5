"""What must be true of the text of every CUDA kernel, without a GPU."""

from __future__ import annotations

import ast
import re

import pytest

from kernels.catalog import VARIANTS
from kernels.spec import Device, Operation, Problem, Variant

GPU = [variant for variant in VARIANTS if variant.device is Device.GPU]
CUDA = [variant for variant in GPU if variant.source.endswith(".cu")]
PARAMETERS = {
    Operation.MATMUL: "const float* A, const float* B, float* C, int M, int N, int K",
    Operation.TRANSPOSE: "const float* A, float* C, int M, int N",
}


def named(variant: Variant) -> str:
    return variant.id


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_entry_of_the_catalogue_is_a_kernel_with_the_agreed_parameters(variant: Variant) -> None:
    found = re.findall(r'extern "C" __global__ void (\w+)\(([^)]*)\)', variant.source_text)
    assert [(name, " ".join(parameters.split())) for name, parameters in found] == [(variant.entry, PARAMETERS[variant.operation])]


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_text_needs_no_header_and_compiles_alone(variant: Variant) -> None:
    assert "#include" not in variant.source_text
    assert "#ifndef TILE\n#define TILE 16\n#endif" in variant.source_text


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_the_text_is_ascii_and_fits_a_projector(variant: Variant) -> None:
    assert variant.source_text.isascii()
    lines = variant.source_text.splitlines()
    assert len(lines) <= 90
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_products_in_an_index_of_a_matrix_are_computed_in_64_bits(variant: Variant) -> None:
    code = re.sub(r"//.*", "", variant.source_text)
    for index in re.findall(r"\b[ABC]\[([^\]]*\*[^\]]*)\]", code):
        assert index.startswith("(long long)"), index


@pytest.mark.parametrize("variant", CUDA, ids=named)
def test_shared_memory_is_used_exactly_where_the_launch_counts_it(variant: Variant) -> None:
    assert variant.launch is not None
    launch = variant.launch(Problem.square(variant.operation, 8), {"tile": 8})
    code = re.sub(r"//.*", "", variant.source_text)
    declared = re.findall(r"__shared__ float \w+\[TILE\]\[TILE( \+ 1)?\]", code)
    assert len(declared) == code.count("__shared__")
    assert launch.static_shared_bytes == sum(4 * 8 * (9 if padding else 8) for padding in declared)


def test_the_library_call_has_its_entry_with_the_matrices_in_order() -> None:
    (library,) = (variant for variant in GPU if variant.library)
    functions = [node for node in ast.parse(library.source_text).body if isinstance(node, ast.FunctionDef)]
    assert [(function.name, [argument.arg for argument in function.args.args]) for function in functions] == [("multiply", ["A", "B", "C"])]
