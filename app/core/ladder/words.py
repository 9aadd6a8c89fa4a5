"""What is said of a ladder and its rungs."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.curves import Provenance, unit
from app.core.insights.figures import BOUNDS, CLEARLY
from app.core.insights.figures import LEVEL as ALIKE
from app.core.ladder.picture import Ladder, Rung
from app.core.series_names import name_of
from app.core.shares import percent_text
from kernels.messages import Message, message
from kernels.spec import Device, Operation

FASTER, SLOWER, LEVEL = "▲", "▼", "="
DEVICES = {Device.GPU: message("GPU"), Device.CPU: message("CPU"), Device.MPI: message("MPI")}


def title_of(ladder: Ladder) -> Message:
    """What the picture shows."""
    return message(
        "{base} = 100 %, n = {n}, {source}", base=hundred_percent(ladder), n=ladder.n, source=source_of(ladder)
    )  # fmt: skip


def hundred_percent(ladder: Ladder) -> Message:
    """What shares are of."""
    if ladder.device is Device.GPU and ladder.operation is Operation.TRANSPOSE:
        return message("Copy")
    return message("Library of the same precision") if ladder.device is Device.GPU else message("Library")


def source_of(ladder: Ladder) -> Message:
    """Where the times are from."""
    if ladder.provenance is Provenance.MEASURED:
        return message("measured here, {machine}", machine=ladder.machine)
    return message("recorded on {machine}, {day}", machine=ladder.machine, day=ladder.day)


def untimed(n: int, sizes: Sequence[int]) -> Message:
    """Why there is no ladder at n, where there are times at other sizes, or none at all."""
    if not sizes:
        return message("None of these rungs was timed here, and no time of one is recorded.")
    return message("No rung was timed at n = {n}; there are times for {sizes}.", n=n, sizes=", ".join(map(str, sizes)))


def gain_sign(rung: Rung) -> str:
    """Whether it is faster than what it improves on, slower, or no different; empty where there is no gain to tell."""
    if rung.gain is None:
        return ""
    _, level = BOUNDS.get(rung.variant.device, (CLEARLY, ALIKE))
    return FASTER if rung.gain >= level else SLOWER if rung.gain <= 1 / level else LEVEL


def gain_text(rung: Rung) -> str:
    """ "▲ × 1.36"; empty where there is none."""
    return "" if rung.gain is None else f"{gain_sign(rung)} × {rung.gain:.2f}"


def base_text(rung: Rung) -> Message | None:
    """Over which rung the gain is, by its number."""
    return None if rung.base is None or rung.gain is None else message("over {number}", number=rung.base.rung)


def facts_of(ladder: Ladder, rung: Rung) -> tuple[tuple[Message, Message], ...]:
    """Names and values of all that is known of a rung."""
    if rung.ms is None or rung.result is None:
        return ((message("Time"), rung.reason or message("not timed at this size")),)
    facts: list[tuple[Message, Message]] = [
        (message("Time"), message("{time} ms", time=rung.ms)),
        (message("Speed"), message("{rate} {unit}", rate=rung.result.rate or 0.0, unit=unit(ladder.operation))),
    ]
    if rung.percent is not None:
        copied = ladder.device is Device.GPU and ladder.operation is Operation.TRANSPOSE
        share = message("Of the copy") if copied else message("Of the library")
        facts.append((share, message("{percent}", percent=percent_text(rung.percent))))
    if rung.peak_percent is not None:
        facts.append((message("Of the peak"), message("{percent}", percent=percent_text(rung.peak_percent))))
    if rung.gain is not None and rung.base is not None:
        gain = message("× {times} over {number} {base}", times=f"{rung.gain:.2f}", number=rung.base.rung, base=rung.base.title)
        facts.append((message("Gain"), gain))
    if rung.result.relative_error is not None and rung.result.allowed_error is not None:
        error = message("exact ✓")
        if rung.result.relative_error:
            allowed = f"{rung.result.allowed_error:.1e}"
            error = message("{error} ✓ (allowed: {allowed})", error=f"{rung.result.relative_error:.1e}", allowed=allowed)
        facts.append((message("Error"), error))
    return tuple(facts)


def name_in(rung: Rung) -> Message:
    """The rung with the parameters that it was timed with."""
    return rung.variant.title if rung.result is None else name_of(rung.variant, rung.result.point.parameters)
