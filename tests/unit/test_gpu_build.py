from __future__ import annotations

import pytest

from kernels.catalog import VARIANTS
from kernels.gpu.build import compile_options, compile_text
from kernels.measure.runner import RunFailed
from kernels.spec import Problem, Variant
from tests.gpu_settings import settings

SUPPORTED = (75, 80, 86, 90, 120)
CUDA = [variant for variant in VARIANTS if variant.source.endswith(".cu")]


def test_a_known_gpu_gets_its_own_machine_code() -> None:
    assert compile_options(86, SUPPORTED, {"TILE": 16}) == ("--gpu-architecture=sm_86", "--std=c++17", "-DTILE=16")


def test_an_unknown_gpu_gets_portable_code_of_the_newest_one_before_it() -> None:
    assert compile_options(89, SUPPORTED, {})[0] == "--gpu-architecture=compute_86"
    assert compile_options(130, SUPPORTED, {})[0] == "--gpu-architecture=compute_120"


def test_nothing_trades_accuracy_for_speed() -> None:
    assert not any("fast" in option or "ftz" in option for option in compile_options(90, SUPPORTED, {"TILE": 8}))


@pytest.mark.parametrize("architecture", ["sm_75", "sm_90", "compute_120"])
@pytest.mark.parametrize("variant", CUDA, ids=lambda variant: variant.id)
def test_every_kernel_compiles(variant: Variant, architecture: str) -> None:
    pytest.importorskip("cupy_backends.cuda.libs.nvrtc", exc_type=ImportError)
    assert variant.launch is not None
    for setting in settings(variant):
        defines = variant.launch(Problem.square(variant.operation, 64), setting).defines
        options = (f"--gpu-architecture={architecture}", "--std=c++17", *(f"-D{name}={value}" for name, value in defines.items()))
        assert variant.entry.encode() in compile_text(variant.source_text, "kernel.cu", options)


def test_the_compilers_text_is_in_the_reason() -> None:
    pytest.importorskip("cupy_backends.cuda.libs.nvrtc", exc_type=ImportError)
    with pytest.raises(RunFailed) as raised:
        compile_text('extern "C" __global__ void f() { int x = y; }', "f.cu", ("--gpu-architecture=sm_90",))
    assert str(raised.value.reason).startswith('The CUDA compiler refuses this source: f.cu(1): error: identifier "y" is undefined')
