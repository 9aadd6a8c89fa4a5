"""What a result's conditions say of its samples: who disturbed them, and whether they fall into two modes.

Conditions are flat named values; these names are written by the sampler and exported as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import reduce

from kernels.base.messages import Message, message

Conditions = Mapping[str, str | int | float]
DISTURBED_SHARE = "disturbed_share"
"""The part of the samples, 0 to 1, that were disturbed and could not be taken again within the budget; absent where none was."""
DISTURBED_BY = "disturbed_by"
"""The causes of those, joined by commas."""
DISTURBED_NAMES = "disturbed_names"
"""The names of the programs that used the processor meanwhile, joined by commas, the busiest first."""
RETAKEN = "retaken_samples"
"""How many disturbed samples were thrown away and taken again."""
CALLS = "calls_per_sample"
"""How many calls a sample times together; its time is that of one of them."""
MODES = ("mode_low_ms", "mode_high_ms")
"""The medians of the two groups that bimodal samples fall into; absent where they form one."""


class Cause(StrEnum):
    """Cause of a disturbance: who takes the processor from a sample."""

    PROGRAMS = "programs"
    STEAL = "steal"
    SCHEDULER = "scheduler"
    WINDOW = "window"


_CAUSES = {
    Cause.PROGRAMS: message("other programs"),
    Cause.STEAL: message("probably the host of this virtual machine"),
    Cause.SCHEDULER: message("the system's scheduler"),
    Cause.WINDOW: message("Tilescope itself"),
}


def is_disturbed(conditions: Conditions) -> bool:
    """Whether some of the samples that were kept are disturbed."""
    share = conditions.get(DISTURBED_SHARE, 0)
    return isinstance(share, int | float) and share > 0


def disturbance(conditions: Conditions) -> Message | None:
    """Who disturbed the samples that were kept, as a phrase; None where nobody did."""
    if not is_disturbed(conditions):
        return None
    causes = [Cause(code) for code in str(conditions.get(DISTURBED_BY, "")).split(",") if code in set(Cause)]
    names = str(conditions.get(DISTURBED_NAMES, "")).replace(",", ", ")
    named = {Cause.PROGRAMS: message("other programs ({names})", names=names)} if names else {}
    said = [named.get(cause, _CAUSES[cause]) for cause in causes or [Cause.SCHEDULER]]
    who = reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), said)
    if names and Cause.PROGRAMS not in causes:
        return message("disturbed by {who}; busiest meanwhile: {names}", who=who, names=names)
    return message("disturbed by {who}", who=who)


def modes_ms(conditions: Conditions) -> tuple[float, float] | None:
    """The medians of the two groups that the samples fall into, milliseconds; None where they form one group."""
    low, high = (conditions.get(name) for name in MODES)
    return (float(low), float(high)) if isinstance(low, int | float) and isinstance(high, int | float) else None


def scatter(conditions: Conditions) -> Message | None:
    """Say that the samples fall into two groups, as a phrase; None where they do not."""
    modes = modes_ms(conditions)
    return None if modes is None else message("two groups of samples, about {low} and {high} ms", low=modes[0], high=modes[1])
