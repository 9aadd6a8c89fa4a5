"""What a tracing process may do with a job, for tests: answer, raise, hang, die, fill memory."""

from __future__ import annotations

import os
import time

from kernels.base.messages import message
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced, Outcome


def misbehave(job: LaunchSpec) -> Outcome:
    """Does what the job's text says, and answers with its own process id."""
    if job.text == "hang":
        time.sleep(600)
    if job.text == "die":
        os._exit(3)
    if job.text == "fill memory":
        held = [bytes(50 << 20)]
        while True:
            held.append(b"x" * (50 << 20))
            time.sleep(0.01)
    return NotTraced(message("{text} in {process}", text=job.text, process=str(os.getpid())))
