"""Stand-ins for what the process of the GPU does, for machines without one."""

from __future__ import annotations

import os
import time

from kernels.base.messages import Message, message
from kernels.gpu.text_run import TextRun, Timed


def timed(job: TextRun) -> Timed | Message:
    return Timed((0.5, 0.25, 0.75), {"gpu": "Toy GPU", "text length": len(job.text)}, 0.0, 1e-6)


def dies(_job: TextRun) -> Timed | Message:
    os._exit(139)


def never_ends(_job: TextRun) -> Timed | Message:
    time.sleep(60)
    return message("too late")
