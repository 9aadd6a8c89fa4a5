from __future__ import annotations

import itertools
import sys
from types import ModuleType, SimpleNamespace

import pytest

from kernels.base.spec import Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.gpu.compiler import allow_shared, compile_options, compile_text
from kernels.measure.runner import RunFailed
from kernels.nvrtc.headers import compiled_anew
from tests.launches.gpu_settings import settings

SUPPORTED = (75, 80, 86, 90, 120)
CUDA = [variant for variant in VARIANTS if variant.source.endswith(".cu")]


def test_a_known_gpu_gets_its_own_machine_code() -> None:
    assert compile_options(86, SUPPORTED, {"TILE": 16}) == ("--gpu-architecture=sm_86", "--std=c++17", "-DTILE=16")


def test_an_unknown_gpu_gets_portable_code_of_the_newest_one_before_it() -> None:
    assert compile_options(89, SUPPORTED, {})[0] == "--gpu-architecture=compute_86"
    assert compile_options(130, SUPPORTED, {})[0] == "--gpu-architecture=compute_120"


def test_nothing_trades_accuracy_for_speed() -> None:
    assert not any("fast" in option or "ftz" in option for option in compile_options(90, SUPPORTED, {"TILE": 8}))


def test_a_kernel_keeps_the_most_shared_memory_that_a_launch_of_it_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = {7: 48 << 10}
    cuda = ModuleType("cupy.cuda")
    cuda.driver = SimpleNamespace(  # type: ignore[attr-defined]
        funcGetAttribute=lambda _, function: allowed[function],
        funcSetAttribute=lambda function, _, size: allowed.update({function: size}),
    )
    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))
    monkeypatch.setitem(sys.modules, "cupy.cuda", cuda)
    for size, most in ((1024, 48 << 10), (100_000, 100_000), (60_000, 100_000), (200_000, 200_000)):
        allow_shared(SimpleNamespace(ptr=7), size)
        assert allowed[7] == most


def test_a_compiler_that_has_a_cache_is_kept_from_it() -> None:
    assert [compiled_anew(version) for version in ((12, 8), (12, 9), (13, 0))] == [(), ("--no-cache",), ("--no-cache",)]


def capabilities(variant: Variant) -> list[int]:
    """Those that it is compiled for here: none below what it needs, no later one where it needs that alone."""
    needed = variant.needs.capability
    return [needed] if variant.needs.alone else [capability for capability in SUPPORTED if capability >= needed]


@pytest.mark.parametrize("variant", CUDA, ids=lambda variant: variant.id)
def test_every_kernel_compiles_for_the_gpus_that_it_is_for(variant: Variant) -> None:
    pytest.importorskip("cupy_backends.cuda.libs.nvrtc", exc_type=ImportError)
    assert variant.launch is not None
    for capability, setting in itertools.product(capabilities(variant), settings(variant)):
        defines = variant.launch(Problem.square(variant.operation, 64), setting).defines
        options = compile_options(capability, SUPPORTED, defines, specific=variant.needs.alone)
        assert variant.entry.encode() in compile_text(variant.source_text, "kernel.cu", options)


def test_the_compilers_text_is_in_the_reason() -> None:
    pytest.importorskip("cupy_backends.cuda.libs.nvrtc", exc_type=ImportError)
    with pytest.raises(RunFailed) as raised:
        compile_text('extern "C" __global__ void f() { int x = y; }', "f.cu", ("--gpu-architecture=sm_90",))
    assert str(raised.value.reason).startswith('The CUDA compiler refuses this source: f.cu(1): error: identifier "y" is undefined')
