"""Short ways to lower a text in tests."""

from __future__ import annotations

from kernels.simt import ir
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import Unsupported, lower
from tests.launches.ir_text import show


def kernel(text: str, entry: str = "k") -> ir.Kernel:
    """The kernel `entry` of a text."""
    return lower(parse(text), entry)


def lines(text: str, entry: str = "k") -> list[str]:
    """The kernel as shown, without the line of its name."""
    return show(kernel(text, entry)).splitlines()[1:]


def body(statements: str, before: str = "", parameters: str = "float* a, int n") -> str:
    """The statements of a kernel, as shown."""
    return "\n".join(lines(f"{before}\n__global__ void k({parameters}) {{\n{statements}\n}}"))


def refused(text: str, entry: str = "k") -> tuple[Diagnostic, ...]:
    """Why a kernel cannot be executed."""
    try:
        kernel(text, entry)
    except Unsupported as unsupported:
        return unsupported.diagnostics
    raise AssertionError("the kernel was lowered")
