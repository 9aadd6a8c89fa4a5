"""From a text to a `Unit`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from kernels.messages import message
from kernels.simt.frontend import guard, sources
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.frontend.unit import Unit

NO_DEFINES: Mapping[str, str | int] = {}


def parse(text: str, path: Path | None = None, defines: Mapping[str, str | int] = NO_DEFINES) -> Unit:
    """The unit of a text that lies, or would lie, at `path`: local includes are read from beside it. `defines` are macros, as
    a compiler's -D. Never raises for what stands in the text; raises ValueError for a define that is not a name or not one line."""
    program = sources.gather(text[: sources.LARGEST_FILE + 1], path)
    macros = "".join(_define(name, str(value)) for name, value in defines.items())
    return Unit(program, macros, _refusal(text, program))


def _define(name: str, value: str) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) or re.search(r"[\r\n\0\\]", value):
        raise ValueError(f"not a macro: {name}={value}")
    return f"#define {name} {value}\n"


def _refusal(text: str, program: sources.Program) -> Diagnostic | None:
    if len(text) > sources.LARGEST_FILE or len(program.texts[program.main]) > sources.LARGEST_FILE:
        limit = sources.LARGEST_FILE >> 10
        return Diagnostic(1, 1, Severity.ERROR, message("The text is longer than {limit} KiB.", limit=limit))
    for name, content in program.texts.items():
        if (found := guard.refuse(content.decode(errors="replace"))) is not None:
            return Diagnostic(found.line, 1, Severity.ERROR, found.message, program.shown_file(name) or "")
    return None
