"""Questions that the tracing process is asked beside traces, and their answers."""

from __future__ import annotations

from typing import ClassVar


class Question:
    """Question to the tracing process: a frozen value, sent when nothing is to be traced. Its answer is a row in
    `app.core.workbench.trace_handlers`."""

    __slots__ = ()
    compiles: ClassVar[bool] = False
    """Whether answering may compile the cache model first, which takes long."""


class Answer:
    """Base class of answers from the tracing process that are none of the values of `kernels`."""

    __slots__ = ()
