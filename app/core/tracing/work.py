"""Work of the tracing process: what can be traced, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable

from app.core.base.question import Answer, Question
from app.core.cpu_view.cache_question import CacheAnswer
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from kernels.catalogue.case import Case
from kernels.cpusim.trace import Trace
from kernels.simt.trace.launch_spec import NotTraced

Work = Case | Subject
"""What can be traced: a CPU variant, or a CUDA launch."""
Outcome = Trace | LaunchRecord | CacheAnswer | Answer | NotTraced
"""A trace, a record or the answer to a question, or the reason why there is none."""

Answering = Callable[[Work | Question], Outcome]
"""What the process does with what it is sent."""
