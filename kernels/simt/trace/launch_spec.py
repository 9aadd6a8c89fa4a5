"""What a tracing process is asked for and what it answers: a text with its launch, a trace, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import MIB, LaunchRequest
from kernels.simt.trace.flows import NO_FLOWS, Flows

if TYPE_CHECKING:
    from kernels.simt.base.signature import KernelSignature
    from kernels.simt.frontend.diagnostics import Diagnostic
    from kernels.simt.trace.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class LaunchSpec:
    """Text and launch that can be executed. `entry` is "name" or "name<128, 8>"; None: the only kernel there is. `path`: where the text is.

    `texts` are arguments as the user wrote them, by name: they are understood once the kernel's types are known.
    """

    text: str
    entry: str | None
    launch: LaunchRequest
    path: Path | None = None
    defines: Mapping[str, str | int] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    before: LaunchSpec | None = None
    """Executed first, for what it leaves in T (see `kernels.base.spec.Preparation`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """A trace, and what the compiler remarked on the kernel."""

    trace: Trace
    diagnostics: tuple[Diagnostic, ...]
    kernels: tuple[KernelSignature, ...] = ()
    """All kernels of the text."""
    flows: Flows = NO_FLOWS
    """Where the kernel's values go."""


@dataclass(frozen=True, slots=True)
class NotTraced:
    """Refusal: why there is no trace, as errors in the text with their places, or one reason."""

    reason: Message
    diagnostics: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelSignature, ...] = ()
    """All kernels of the text, as far as it was understood."""


Outcome = Traced | NotTraced
CANCELLED = NotTraced(message("Tracing was cancelled."))
DIED = NotTraced(message("The tracing process ended unexpectedly; the next trace starts a new one."))


def not_begun(error: Exception) -> NotTraced:
    """What is said where the system starts no tracing process."""
    return NotTraced(message("The tracing process could not be started: {error}", error=str(error)))


def too_slow(seconds: float) -> NotTraced:
    """What is said of a job that took longer than it may."""
    return NotTraced(message("Tracing took longer than {seconds} s and was stopped.", seconds=seconds))


def too_large(most_bytes: int) -> NotTraced:
    """What is said of a job that took more memory than it may."""
    return NotTraced(message("Tracing needed more than {limit} MiB of memory and was stopped.", limit=most_bytes // MIB))
