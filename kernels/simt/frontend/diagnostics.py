"""What is wrong with a text, and where: values for the interface and the command line."""

from __future__ import annotations

from enum import StrEnum

from kernels.base.messages import Message
from kernels.base.values import dataclass


class Severity(StrEnum):
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark on the shown text, `line` and `column` counted from 1; `file` is "" in the shown text itself, else the included file
    as seen from beside it."""

    line: int
    column: int
    severity: Severity
    message: Message
    file: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message}"


class FrontEndError(Exception):
    """A kernel cannot be had from the text: why, in words, and what stands in the way."""

    def __init__(self, message: Message, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(str(message))
        self.message = message
        self.diagnostics = diagnostics
