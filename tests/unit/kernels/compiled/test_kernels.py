"""What the compiler makes of kernels, with NVIDIA's own tools, which need no GPU; and what is said where they are missing."""

from __future__ import annotations

from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from kernels.base.messages import Message
from kernels.base.spec import Launch, Operation, Parameters, Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import Access
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.bindings import Nvrtc
from kernels.nvrtc.tools import Tools, find_tools

CUDA = [variant for variant in VARIANTS if variant.launch is not None]


def compiled(source: str, build: CompileSettings, tools: Tools) -> CompiledKernel:
    found = compile_kernel(source, build, tools)
    assert isinstance(found, CompiledKernel), str(found)
    return found


@pytest.mark.parametrize("variant", CUDA, ids=lambda variant: variant.id)
def test_the_kernels_of_the_catalogue_compile(tools: Tools, variant: Variant) -> None:
    kernel, launch = compiled_variant(variant, variant.defaults, tools)
    assert kernel.usage.static_shared_bytes == launch.static_shared_bytes
    assert (
        8
        <= kernel.usage.registers
        <= launch.defines.get("REGISTERS", 64 if variant.features.isdisjoint(("registers", "tensor cores")) else 255)
    )
    lines = variant.source_text.count("\n") + 1
    assert {instruction.line for instruction in kernel.instructions} <= set(range(lines + 1))
    stores = any(access.operation == "store" and access.space == "global" for _, access in kernel.accesses())
    assert stores == (variant.operation is not Operation.HELLO)


def compiled_variant(variant: Variant, parameters: Parameters, tools: Tools) -> tuple[CompiledKernel, Launch]:
    """What became of it without using local memory for registers."""
    assert variant.launch is not None
    launch = variant.launch(Problem.square(variant.operation, 64), parameters)
    build = CompileSettings(variant.entry, max(variant.needs.capability, 80), launch.defines, specific=variant.needs.alone)
    kernel = compiled(variant.source_text, build, tools)
    assert kernel.usage.spill_store_bytes == kernel.usage.spill_load_bytes == 0
    return kernel, launch


def test_four_loads_of_a_row_have_become_one(tools: Tools) -> None:
    (tiled,) = (variant for variant in CUDA if variant.id == "gpu.tiled")
    kernel = compiled(tiled.source_text, CompileSettings("matmul_tiled", 90, {"TILE": 32}), tools)
    line = next(number for number, text in enumerate(tiled.source_text.splitlines(), 1) if "As[ty][k] * Bs[k][tx]" in text)
    loads = {access.bytes: count for (at, access), count in kernel.accesses().items() if at == line and access.space == "shared"}
    assert loads == {16: 8, 4: 32}
    assert sum(instruction.opcode == "FFMA" for instruction in kernel.on_line(line)) == 32


def test_fused_operations_can_be_turned_off(tools: Tools) -> None:
    source = 'extern "C" __global__ void f(float* x) { x[0] = x[1] * x[2] + x[3]; }'
    opcodes = [{i.opcode for i in compiled(source, CompileSettings("f", 90, {}, contract=on), tools).instructions} for on in (True, False)]
    assert "FFMA" in opcodes[0]
    assert {"FMUL", "FADD"} <= opcodes[1]


def test_an_instance_of_a_template_is_compiled(tools: Tools) -> None:
    source = "template <int N> __global__ void f(float* x)\n{\n    __shared__ float s[N];\n    s[threadIdx.x] = x[0];\n" \
             "    __syncthreads();\n    x[1] = s[N - 1];\n}\n"  # fmt: skip
    assert compiled(source, CompileSettings("f<96>", 86, {}), tools).usage.static_shared_bytes == 384


def test_spills_are_counted(tools: Tools) -> None:
    body = (
        "".join(f"float a{i} = x[{i} * n];" for i in range(200)) + "__syncthreads();" + "".join(f"y[{i} * n] = a{i};" for i in range(200))
    )
    source = f'extern "C" __global__ void __launch_bounds__(1024) f(const float* x, float* y, int n) {{ {body} }}'
    kernel = compiled(source, CompileSettings("f", 90, {}), tools)
    assert kernel.usage.spill_store_bytes > 0
    assert any(access.space == "local" for _, access in kernel.accesses())


def test_headers_that_everybody_includes_are_no_obstacle(tools: Tools) -> None:
    source = (
        '#include <cuda_runtime.h>\n#include <stdio.h>\nextern "C" __global__ void f(float* x) { x[0] = 1; if (x[1] > 2) printf("x"); }\n'
    )
    assert {line for line, _ in compiled(source, CompileSettings("f", 90, {}), tools).accesses()} == {3}


def test_headers_of_cuda_are_unpacked_where_they_are_wanted(tools: Tools, tmp_path: Path) -> None:
    source = "#include <cuda_fp16.h>\n__global__ void f(__half* x) { x[0] = x[1]; }\n"
    if not Nvrtc(tools.nvrtc).install_headers(tmp_path / "headers"):
        pytest.skip("This release of NVRTC carries no headers.")
    kernel = compiled(source, CompileSettings("f", 90, {}, headers=tmp_path / "headers"), tools)
    assert kernel.accesses()[2, Access("load", "global", 2)] == 1


def test_local_includes_are_found_beside_the_file(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "size.h").write_text("#define SIZE 64\n", encoding="utf-8")
    source = '#include "size.h"\n__global__ void f(float* x) { __shared__ float s[SIZE]; s[1] = *x; __syncthreads(); x[0] = s[x[2] > 0]; }'
    assert compiled(source, CompileSettings("f", 90, {}, beside=tmp_path), tools).usage.static_shared_bytes == 256


@pytest.mark.parametrize(("source", "entry", "part"), [
    ("__global__ void f(float* x) {\n  x[0] = y;\n}", "f", 'kernel.cu(2): error: identifier "y" is undefined'),
    ("__global__ void f(float* x) { x[0] = 1; }", "g", 'identifier "g" is undefined'),
    ("", "f", 'identifier "f" is undefined'),
    ("int \0 x", "f", ""),
    ("__global__ void f(float* x) {", "f", "error"),
    ('#include "nowhere.h"\n__global__ void f(float* x) { x[0] = FROM_NOWHERE; }', "f", "FROM_NOWHERE"),
    ("__global__ void f() { int 变量 = 1 }", "f", "error"),
])  # fmt: skip
def test_what_does_not_compile_is_refused_in_the_compilers_words(tools: Tools, source: str, entry: str, part: str) -> None:
    refused = compile_kernel(source, CompileSettings(entry, 90, {}), tools)
    assert isinstance(refused, Message)
    assert str(refused).startswith("The CUDA compiler refuses this source: ")
    assert part in str(refused)


def test_a_capability_that_the_compiler_does_not_know_is_refused_with_those_it_does(tools: Tools) -> None:
    refused = compile_kernel("", CompileSettings("f", 35, {}), tools)
    assert isinstance(refused, Message)
    assert "3.5; it knows" in str(refused)
    assert "9.0" in str(refused)


def test_a_tool_that_does_not_work_gives_a_reason(tools: Tools, tmp_path: Path) -> None:
    broken = tmp_path / "nvdisasm"
    broken.write_text("", encoding="utf-8")
    source = "__global__ void f(float* x) { x[0] = 1; }"
    for bad in (Tools(tools.nvrtc, broken), Tools(broken, tools.nvdisasm), Tools(tools.nvrtc, tmp_path / "nothing")):
        assert str(compile_kernel(source, CompileSettings("f", 90, {}), bad)).startswith("The CUDA compiler's tools do not work here")


def packages(monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    spec = None
    if folder is not None:
        spec = ModuleSpec("nvidia", None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr("kernels.nvrtc.tools.find_spec", {"nvidia": spec}.get)


def lay(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(mode=0o755)


def test_without_the_tools_the_reason_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packages(monkeypatch, None)
    environment = {"PATH": str(tmp_path)}
    monkeypatch.setattr("kernels.nvrtc.tools.TOOLKIT", tmp_path / "cuda")
    missing = find_tools(environment, "linux")
    assert isinstance(missing, Message)
    assert "NVRTC is not installed" in str(missing)
    assert 'pip install "tilescope[compiled]"' in str(missing)
    lay(tmp_path / "nvidia", "cu13/lib/libnvrtc.so.13")
    packages(monkeypatch, tmp_path / "nvidia")
    assert "nvdisasm is not installed" in str(find_tools(environment, "linux"))
    assert "macOS" in str(find_tools(environment, "darwin"))


def test_packages_are_taken_before_a_toolkit_and_newer_ones_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lay(tmp_path / "nvidia", "cu13/lib/libnvrtc.so.13", "cu13/bin/nvdisasm", "cuda_nvrtc/lib/libnvrtc.so.12", "cuda_nvcc/bin/nvdisasm")
    lay(tmp_path / "toolkit", "lib64/libnvrtc.so.14", "bin/nvdisasm")
    environment = {"PATH": "", "CUDA_PATH": str(tmp_path / "toolkit")}
    packages(monkeypatch, tmp_path / "nvidia")
    assert find_tools(environment, "linux") == Tools(tmp_path / "nvidia/cu13/lib/libnvrtc.so.13", tmp_path / "nvidia/cu13/bin/nvdisasm")
    packages(monkeypatch, None)
    assert find_tools(environment, "linux") == Tools(tmp_path / "toolkit/lib64/libnvrtc.so.14", tmp_path / "toolkit/bin/nvdisasm")


def test_windows_names_are_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lay(tmp_path, "cu13/bin/x86_64/nvrtc64_130_0.dll", "cu13/bin/x86_64/nvrtc64_130_0.alt.dll", "cu13/bin/x86_64/nvdisasm.exe")
    packages(monkeypatch, tmp_path)
    folder = tmp_path / "cu13/bin/x86_64"
    assert find_tools({}, "win32") == Tools(folder / "nvrtc64_130_0.dll", folder / "nvdisasm.exe")
