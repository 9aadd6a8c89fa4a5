"""Streaming stores are what the processor is really given, and only where rows of the output allow them."""

from __future__ import annotations

import platform

import pytest

from kernels.jit.compile import Specialization, compiled, machine_code

X86 = platform.machine().lower() in ("x86_64", "amd64")


def instructions(variant_id: str) -> str:
    """The machine code of a kernel, as the assembler writes it."""
    build = Specialization(variant_id)
    return machine_code(build, compiled(build))


@pytest.mark.skipif(not X86, reason="the name of the instruction is that of x86")
def test_only_the_streaming_kernels_store_past_the_caches() -> None:
    assert "movntps" in instructions("cpu.transpose-streaming")
    assert "movntps" in instructions("cpu.transpose-parallel")
    assert "movntps" not in instructions("cpu.transpose-simd")
