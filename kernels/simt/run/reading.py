"""A text read and lowered, and remembered: while a launch is explored by hand, its sizes change and its text stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.signature import KernelSignature
from kernels.simt.frontend.diagnostics import Diagnostic, FrontEndError, Severity
from kernels.simt.frontend.parse import parse
from kernels.simt.frontend.sources import gather
from kernels.simt.generate.flows import flows_of
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.ir import Kernel, Launch
from kernels.simt.lower import Unsupported, lower
from kernels.simt.lower.lvalues import nodes
from kernels.simt.run.launchable import variable_parameters
from kernels.simt.trace.flows import Flows
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

_MAIN = re.compile(r"\bmain\s*\(")
MOST_KEPT = 16
"""As many as the stops of a parameter that is dragged, and more."""


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A kernel that can be executed, what the compiler remarked on it, all kernels of its text, where its values go, and the cache of the
    kernels generated from it."""

    kernel: Kernel
    diagnostics: tuple[Diagnostic, ...]
    kernels: tuple[KernelSignature, ...]
    flows: Flows
    kernel_cache: KernelCache = field(default_factory=KernelCache)


def read(job: LaunchSpec) -> Read | NotTraced:
    """What a job's text is, or why it cannot be executed. Files that it includes are looked at each time."""
    texts = gather(job.text, job.path).texts
    return _read(job.text, job.entry, job.path, tuple(job.defines.items()), tuple(texts.items()))


@lru_cache(maxsize=MOST_KEPT)
def _read(
    text: str, entry: str | None, path: Path | None, defines: tuple[tuple[str, str | int], ...], _texts: tuple[tuple[str, bytes], ...]
) -> Read | NotTraced:
    """`_texts` are the program's, so that what was read is not taken for what stands in a file now."""
    unit = parse(text, path, dict(defines))
    kernels = tuple(unit.kernels)
    try:
        chosen = entry if entry is not None else _only([kernel.name for kernel in kernels])
        if isinstance(chosen, Message):
            return NotTraced(chosen, unit.diagnostics, kernels)
        diagnostics = unit.diagnostics_of(chosen)
        if any(each.severity is Severity.ERROR for each in diagnostics):
            return NotTraced(message("The kernel has errors."), diagnostics, kernels)
        kernel = lower(unit, chosen)
        name, variables = chosen.partition("<")[0].strip(), variable_parameters(kernel)
        looked_at = tuple(replace(each, variables=variables) if each.name == name else each for each in kernels)
        return Read(kernel, (*diagnostics, *_not_followed(kernel, text)), looked_at, flows_of(kernel))
    except FrontEndError as error:
        return NotTraced(error.message, tuple(error.diagnostics), kernels)
    except Unsupported as error:
        return NotTraced(message("The kernel uses what cannot be executed."), tuple(error.diagnostics), kernels)


def _not_followed(kernel: Kernel, text: str) -> Iterator[Diagnostic]:
    """Say of launches in a kernel that nothing follows them where there is no program."""
    if _MAIN.search(text) is None:
        for node in nodes(kernel.body):
            if isinstance(node, Launch):
                at, reason = node.location, message(
                    "{kernel}, launched here, is not executed while {parent} is executed by itself: write a main, and it is a launch of"
                    " its own.", kernel=node.entry, parent=kernel.name,
                )  # fmt: skip
                yield Diagnostic(at.line, at.column, Severity.WARNING, reason, at.file)


def _only(names: list[str]) -> str | Message:
    if len(names) == 1:
        return names[0]
    if not names:
        return message("There is no kernel in this text: a kernel is a function with __global__ before it.")
    return message("The text has several kernels; choose one: {names}.", names=", ".join(names))
