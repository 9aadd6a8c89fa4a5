"""What the tracing process is asked beside traces, and what it answers."""

from __future__ import annotations

from typing import ClassVar


class Question:
    """A frozen value that is sent there when nothing is to be traced. Its answer is a row in `app.core.program.trace_handlers`."""

    __slots__ = ()
    compiles: ClassVar[bool] = False
    """Whether answering may compile the cache model first, which takes long."""


class Answer:
    """What comes back, where it is none of the values of `kernels`."""

    __slots__ = ()
