"""What is said of real runs."""

from __future__ import annotations

from kernels.cpu.team_loops import TeamLoop
from kernels.messages import Message, message


def loop_name(loop: TeamLoop) -> Message:
    """A loop that is shared out, by what its iterations are."""
    return message("loop over {iterations}", iterations=loop.over)
