"""The text of each CUDA kernel, compiled for the host and executed thread by thread, computes what it should.

The thread sanitizer watches every access, so that a missing barrier is found, not only a wrong result.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernels.base.arrays import Matrix
from kernels.base.limits import refuse_matrices
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Launch, Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS, by_id
from kernels.catalogue.gpu_register_tiles import RegisterTile
from tests.devices.poisoned_output import poisoned_output

pytestmark = pytest.mark.skipif(
    shutil.which("g++") is None or not sys.platform.startswith("linux"), reason="needs g++ and its thread sanitizer on Linux"
)
HEADER = Path(__file__).with_name("gpu_host.hpp")
CUDA = [
    variant for variant in VARIANTS
    if variant.launch is not None and variant.operation is not Operation.HELLO and " asm" not in variant.source_text
    and variant.precision is None
]  # fmt: skip
"""Without those with instructions of PTX and those for tensor cores, which a host does not have."""
SMALL = {"tile": 4, "rows": 0, "padding": 1}
"""Or as little as the parameter may be, where that is more."""
SMALL_REGISTER_TILE = {"tile": 16, "results": 4}
"""Few threads, 16 a block; fewer than the catalogue allows, but the texts do not know."""
SMALL_FLOAT4_TILE = {"tile": 32, "tile_rows": 0, "results": 8, "registers": 0}
"""The same where the rows of A's tile fill the banks."""
SMALL_WARP_TILE = SMALL_FLOAT4_TILE | {"tile": 64, "tile_rows": 32, "result_rows": 8}
"""One warp."""
RACE = 66
"""Exit status of a program in which the thread sanitizer found a race."""
PROBLEMS = {
    Operation.MATMUL: (Problem(Operation.MATMUL, 1, 1, 1), Problem(Operation.MATMUL, 9, 7, 6), Problem(Operation.MATMUL, 20, 24, 20)),
    Operation.TRANSPOSE: (Problem(Operation.TRANSPOSE, 1, 1), Problem(Operation.TRANSPOSE, 9, 7), Problem(Operation.TRANSPOSE, 4, 8)),
}
MISTAKES = {
    "no barrier before the tiles are read": ("gpu.tiled", "        __syncthreads();\n\n        for", "\n        for"),
    "no barrier before the tiles are overwritten": ("gpu.tiled", "        __syncthreads();\n    }", "    }"),
    "no barrier in the transposition": ("gpu.transpose-padded", "    __syncthreads();", ""),
    "no edge on the right": ("gpu.naive", "row >= M || col >= N", "row >= M"),
    "tiles past the edge not zero": ("gpu.tiled", ": 0.0f;", ": 1.0f;"),
    "no barrier before float4 are read": ("gpu.vectorized-k8", "        __syncthreads();\n\n        #pragma", "\n        #pragma"),
    "no barrier before float4 are overwritten": ("gpu.vectorized-k8", "        __syncthreads();\n    }", "    }"),
    "no barrier between the stages": ("gpu.double-buffered-k8", "        __syncthreads();\n    }", "    }"),
    "one stage for both": ("gpu.double-buffered-k8", "next = now ^ 1", "next = now"),
    "a swizzle that the reads do not know": ("gpu.conflict-free-k16", "int at = SWIZZLED(r, k);", "int at = r;"),
    "copied where others still read": ("gpu.async", "(stage + STAGES - 1) % STAGES", "stage"),
    "no barrier before the last k": ("gpu.warp-tiled", "store(stage);\n                __syncthreads();", "store(stage);"),
    "columns exchanged but once": ("gpu.warp-tiled", "[j ^ 1]", "[j]"),
    "sum not begun": ("gpu.naive-global", "    C[(long long)row * N + col] = 0.0f;", ""),
    "written across where it is read down": ("gpu.conflict-free", "Bs[tx][place(ty, tx)]", "Bs[ty][place(tx, ty)]"),
    "one row for all results": ("gpu.work-per-thread", "ty + i * SIDE][k]", "ty][k]"),
    "no barrier before the outer products": ("gpu.outer-product", "        __syncthreads();\n\n        #pragma", "\n        #pragma"),
    "no barrier before the next values come": ("gpu.prefetch", "            break;\n        __syncthreads();", "            break;"),
    "read where nothing was kept": ("gpu.transpose-swizzled", "ty ^ tx", "ty"),
    "block indices not swapped": ("gpu.transpose-padded", "c_col = blockIdx.y", "c_col = blockIdx.x"),
    "elements counted along the wrong side": ("gpu.transpose-direct-map", "(long long)col * M", "(long long)col * N"),
    "rows of the tile left out": ("gpu.transpose-elements", "i += ROWS)\n        if (c_row", "i += 2 * ROWS)\n        if (c_row"),
    "no barrier before both tiles are overwritten": ("gpu.transpose-in-place", "    __syncthreads();", ""),
    "what four do not divide left out": ("gpu.transpose-copy", "rest < count", "rest < count / 4 * 4"),
    "no barrier before the next stage is read": ("gpu.fastest", "                __syncthreads();\n", ""),
    "edges of the turned matrix not filled": ("gpu.fastest", "k >= PADDED(K, DEPTH)", "k >= K"),
    "last row not written": ("gpu.transpose-global", "row < M ", "row < M - 1 "),
}


@pytest.fixture(scope="module", autouse=True)
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header, compiled once for all texts. Skips where programs with the thread sanitizer cannot be built or do not run, as on some
    hardened kernels."""
    folder = tmp_path_factory.mktemp("sanitizer")
    copy = Path(shutil.copy(HEADER, folder))
    try:
        compile_cpp("-x", "c++-header", str(copy), "-o", f"{copy}.gch")
        binary = build("int main() {}", copy, folder)
        subprocess.run([str(binary)], check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the thread sanitizer does not work here: {error}")
    return copy


def compile_cpp(*more: str) -> None:
    options = ["-std=c++20", "-O0", "-w", "-pthread", "-fsanitize=thread"]
    subprocess.run(["g++", *options, *more], check=True, capture_output=True, timeout=120)


def build(text: str, header: Path, folder: Path) -> Path:
    source, binary = folder / "kernel.cpp", folder / "kernel"
    source.write_text(text, encoding="utf-8")
    compile_cpp("-include", str(header), str(source), "-o", str(binary))
    return binary


def parameters(variant: Variant) -> dict[str, int]:
    if isinstance(variant.launch, RegisterTile):
        return variant.defaults | (SMALL_WARP_TILE if "result_rows" in variant.defaults else SMALL_FLOAT4_TILE)
    if "results" in variant.defaults:
        return variant.defaults | SMALL_REGISTER_TILE
    least = {parameter.name: parameter.minimum for parameter in variant.parameters}
    return variant.defaults | {name: max(value, least[name]) for name, value in SMALL.items() if name in least}


def problems(variant: Variant) -> list[Problem]:
    """Sizes, square where the variant takes no others."""
    return [
        problem if refuse_matrices(variant, problem) is None else Problem.square(problem.operation, problem.n)
        for problem in PROBLEMS[variant.operation]
    ]


def launches(variant: Variant, problem: Problem) -> list[tuple[str, Launch]]:
    """The kernels in the order in which they are launched."""
    assert variant.launch is not None
    launch = variant.launch(problem, parameters(variant))
    first = [] if launch.before is None else [(launch.before.entry, launch.before.launch)]
    return [*first, (variant.entry, launch)]


def arrays(variant: Variant, problem: Problem) -> dict[str, Matrix]:
    """What the kernels are given, in order: the seeded inputs; NaN where they write, but for what is worked on in place."""
    found = dict(ReferenceCache(0).inputs(problem))
    found["C"] = found.pop("A") if variant.output is Output.IN_PLACE else poisoned_output(problem)
    beside = variant.beside(problem, parameters(variant))
    return found | {name: np.full(shape, np.nan, np.float32) for name, shape in beside.items()}


def program(variant: Variant, source: str) -> str:
    """A C++ program that takes as arguments the sizes of problem and arrays and the launches' grids and blocks, on standard input the
    arrays, and writes the output."""
    problem = PROBLEMS[variant.operation][0]
    names = arrays(variant, problem)
    declared = "".join(f"    std::vector<float> {name}(next());\n    read({name});\n" for name in names)
    given = ", ".join([*(f"{name}.data()" for name in names), *("MNK" if problem.k else "MN")])
    calls = "".join(
        f"    launch({{next(), next(), next(), next()}}, [&] {{ {entry}({given}); }});\n" for entry, _ in launches(variant, problem)
    )
    defines = "".join(f"#define {name} {value}\n" for name, value in launches(variant, problem)[-1][1].defines.items())
    return f"""{defines}
{source.replace("#include <cuda_pipeline.h>", "")}
int main(int, char** argument)
{{
    auto next = [&] {{ return unsigned(atoi(*++argument)); }};
    int M = next(), N = next(), K = next();
{declared}{calls}    fwrite(C.data(), sizeof(float), C.size(), stdout);
}}
"""


def run(binary: Path, variant: Variant, problem: Problem) -> tuple[int, Matrix]:
    """The exit status and the output of the kernel on seeded inputs; where there is no whole output, NaN."""
    given, poison = arrays(variant, problem), poisoned_output(problem)
    shapes = [number for _, launch in launches(variant, problem) for number in (*launch.grid, *launch.block)]
    arguments = [problem.m, problem.n, problem.k, *(matrix.size for matrix in given.values()), *shapes]
    data = b"".join(matrix.tobytes() for matrix in given.values())
    done = subprocess.run([str(binary), *map(str, arguments)], input=data, capture_output=True, timeout=120, check=False)
    output = np.frombuffer(done.stdout, np.float32)
    return done.returncode, output.reshape(poison.shape) if output.size == poison.size else poison


def right(variant: Variant, problem: Problem, output: Matrix) -> bool:
    return ReferenceCache(0).reference(problem, lambda: None, variant.output).verify(output, lambda: None).reason is None


@pytest.mark.parametrize("variant", CUDA, ids=lambda variant: variant.id)
def test_the_text_is_right_and_free_of_races(variant: Variant, header: Path, tmp_path: Path) -> None:
    binary = build(program(variant, variant.source_text), header, tmp_path)
    for problem in problems(variant):
        status, output = run(binary, variant, problem)
        assert status == 0
        assert right(variant, problem, output)


@pytest.mark.parametrize(("variant_id", "text", "mistake"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_planted_mistake_is_found(variant_id: str, text: str, mistake: str, header: Path, tmp_path: Path) -> None:
    variant = by_id(variant_id)
    assert text in variant.source_text
    binary = build(program(variant, variant.source_text.replace(text, mistake)), header, tmp_path)
    outcomes = [(*run(binary, variant, problem), problem) for problem in problems(variant)]
    assert any(status == RACE or not right(variant, problem, output) for status, output, problem in outcomes)
