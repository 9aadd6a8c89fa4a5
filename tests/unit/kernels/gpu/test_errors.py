from __future__ import annotations

import pytest

from kernels.base.arrays import Cancelled
from kernels.base.messages import message
from kernels.gpu.errors import explain, in_plain_words
from kernels.measure.runner import RunFailed

TEXTS = {
    "cudaErrorMemoryAllocation: out of memory": "The GPU has too little free memory for these matrices.",
    "CUDA_ERROR_OUT_OF_MEMORY: out of memory": "The GPU has too little free memory for these matrices.",
    "cudaErrorIllegalAddress: an illegal memory access was encountered": "The kernel read or wrote outside its matrices.",
    "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access": "The kernel read or wrote outside its matrices.",
    "CUDA_ERROR_INVALID_VALUE: invalid argument": "The GPU refuses this number of blocks or threads.",
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: too many resources requested": "A block of this size needs more registers",
    "cudaErrorLaunchTimeout: the launch timed out": "The kernel ran longer than the system allows",
    "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable": "Another program has the GPU to itself.",
    "CUDA_ERROR_ASSERT: device-side assert triggered": "An assertion in the kernel failed.",
    "CUBLAS_STATUS_NOT_INITIALIZED": "The GPU reported an error.",
}


@pytest.mark.parametrize(("text", "plain"), TEXTS.items())
def test_the_driver_is_put_into_plain_words_and_quoted(text: str, plain: str) -> None:
    explained = str(explain(RuntimeError(text)))
    assert explained.startswith(plain)
    assert explained.endswith(f"The driver says: {text}")


def test_cupys_own_memory_error_counts_as_too_little_memory() -> None:
    assert str(explain(MemoryError("Out of memory allocating 8 bytes"))).startswith("The GPU has too little free memory")


def test_a_missing_library_is_named_with_the_command_that_installs_it() -> None:
    assert 'Run: pip install "nvidia-cublas>=13,<14"' in str(explain(ImportError("libcublas.so.13: cannot open shared object file")))


def test_an_error_without_text_is_named_by_its_type() -> None:
    assert str(explain(RuntimeError())).endswith("RuntimeError")


def test_failures_of_cuda_become_run_failed() -> None:
    with pytest.raises(RunFailed) as raised, in_plain_words():
        raise RuntimeError("cudaErrorMemoryAllocation: out of memory")
    assert raised.value.reason == explain(RuntimeError("cudaErrorMemoryAllocation: out of memory"))


@pytest.mark.parametrize("error", [Cancelled(), RunFailed(message("Known.")), TypeError("a mistake of ours")])
def test_what_is_not_cudas_failure_passes_unchanged(error: Exception) -> None:
    with pytest.raises(type(error)) as raised, in_plain_words():
        raise error
    assert raised.value is error
