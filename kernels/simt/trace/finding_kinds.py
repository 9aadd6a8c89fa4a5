"""The kinds of findings of a launch, each with its name. What host code does wrong is `Wrong` (`kernels/simt/host/result.py`)."""

from __future__ import annotations

from enum import StrEnum

from kernels.base.messages import Message, message


class FindingKind(StrEnum):
    """Kind of a finding: what it is about. The value stands in stored traces, in the JSON of the command line and in lessons."""

    DATA_RACE = "data-race"
    OUT_OF_BOUNDS = "out-of-bounds"
    MISALIGNED_ACCESS = "misaligned-access"
    UNINITIALISED_READ = "uninitialised-read"
    BARRIER_DIVERGENCE = "barrier-divergence"
    PAIRED_BARRIERS = "paired-barriers"
    ASYNCHRONOUS_ACCESS = "asynchronous-access"
    DEADLOCK = "deadlock"
    BUDGET_EXCEEDED = "budget-exceeded"
    ENDS_LAUNCH = "ends-launch"
    """No finding of an analysis, but the kernel's own word: an assertion that fails, `__trap()`."""
    WRONG_RESULT = "wrong-result"

    @property
    def label(self) -> Message:
        """The name as shown."""
        return _LABELS[self]


_LABELS = {
    FindingKind.DATA_RACE: message("Data race"),
    FindingKind.OUT_OF_BOUNDS: message("Out of bounds"),
    FindingKind.MISALIGNED_ACCESS: message("Misaligned access"),
    FindingKind.UNINITIALISED_READ: message("Uninitialised read"),
    FindingKind.BARRIER_DIVERGENCE: message("Divergent barrier"),
    FindingKind.PAIRED_BARRIERS: message("Different barriers"),
    FindingKind.ASYNCHRONOUS_ACCESS: message("Asynchronous access"),
    FindingKind.DEADLOCK: message("Deadlock"),
    FindingKind.BUDGET_EXCEEDED: message("Ended early"),
    FindingKind.ENDS_LAUNCH: message("Ends the launch"),
    FindingKind.WRONG_RESULT: message("Wrong result"),
}
