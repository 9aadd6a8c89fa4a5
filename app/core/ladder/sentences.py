"""Sentences about a ladder, its rungs and its groups: where the rungs of a group run, and why they do not."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.insights.pairs import BOUNDS, CLEARLY
from app.core.insights.pairs import LEVEL as ALIKE
from app.core.ladder.picture import Ladder, Rung
from app.core.results.curves import Provenance, unit
from app.core.results.labels import name_of
from app.core.results.quantities import WHY_ABOUT
from app.core.session.session import TimingChoice
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import of
from kernels.measure.rows import unevenness

FASTER, SLOWER, LEVEL = "▲", "▼", "="


def title_of(ladder: Ladder) -> Message:
    """Return the title of the picture."""
    return message(
        "{base} = 100 %, n = {n}, {source}", base=hundred_percent(ladder), n=ladder.n, source=source_of(ladder)
    )  # fmt: skip


def hundred_percent(ladder: Ladder) -> Message:
    """Return what the shares are of: the meaning of 100 %."""
    if ladder.device is Device.GPU and ladder.operation is Operation.TRANSPOSE:
        return message("Copy")
    return message("Library of the same precision") if ladder.device is Device.GPU else message("Library")


def source_of(ladder: Ladder) -> Message:
    """Return where the times of a ladder are from."""
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
    """ "▲ × 1.36", "▲ ≈ × 1.36"; empty where there is none."""
    return "" if rung.gain is None else f"{gain_sign(rung)} {_times(rung)}"


def _times(rung: Rung) -> str:
    return f"≈ × {rung.gain:.2f}" if rung.gain_about else f"× {rung.gain:.2f}"


def base_text(rung: Rung) -> Message | None:
    """Over which rung the gain is, by its number."""
    return None if rung.base is None or rung.gain is None else message("over {number}", number=rung.base.rung)


def facts_of(ladder: Ladder, rung: Rung) -> tuple[tuple[Message, Message], ...]:
    """Names and values of all that is known of a rung."""
    if rung.ms is None or rung.result is None:
        return ((message("Time"), rung.reason or message("not timed at this size")),)
    time = message("≈ {time} ms", time=rung.ms) if rung.result.uneven else message("{time} ms", time=rung.ms)
    speed = message("{rate} {unit}", rate=rung.result.rate or 0.0, unit=unit(ladder.operation))
    facts: list[tuple[Message, Message]] = [
        (message("Time"), time), (message("Speed"), message("≈ {said}", said=speed) if rung.result.uneven else speed),
    ]  # fmt: skip
    if rung.share is not None:
        copied = ladder.device is Device.GPU and ladder.operation is Operation.TRANSPOSE
        share = message("Of the copy") if copied else message("Of the library")
        facts.append((share, message("{percent}", percent=rung.share.text)))
    if rung.peak_share is not None:
        facts.append((message("Of the peak"), message("{percent}", percent=rung.peak_share.text)))
    if rung.about:
        facts.append((message("≈"), unevenness(rung.result) or WHY_ABOUT))
    if rung.gain is not None and rung.base is not None:
        gain = message("{times} over {number} {base}", times=_times(rung), number=rung.base.rung, base=rung.base.title)
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


_WORKERS = {Device.CPU: "threads", Device.MPI: "ranks"}
"""The parameter that says how many compute at once."""


def asked_workers(choice: TimingChoice, device: Device) -> int:
    """The most threads or ranks that rungs of a device are timed with; 0 where they have neither."""
    name = _WORKERS.get(device)
    own = [variant for variant in of(choice.operation) if variant.device is device and name in variant.defaults]
    if name is None or not own:
        return 0
    chosen = max(choice.parameters[variant.id][name] for variant in own)
    swept = choice.values(name) if choice.axis == name and any(variant.id in choice.ticked for variant in own) else ()
    return max(chosen, *swept, 0)


def group_state(status: DeviceStatus, workers: int) -> Message | None:
    """A few words beside the group's name, for as many threads or ranks as are asked for; None while the device is looked for."""
    if status.availability is Availability.PROBING:
        return None
    if not status.ready:
        absent = status.device is Device.MPI and status.availability is Availability.NO_PACKAGE
        return message("not installed") if absent else message("watch only")
    cores = cores_of(status)
    if not cores:
        return message("{name}", name=status.name)
    if workers <= cores:
        return message("{cores} cores", cores=cores) if cores > 1 else message("one core")
    if status.device is Device.MPI:
        return message("ranks: {ranks}, cores: {cores}", ranks=workers, cores=cores)
    return message("threads: {threads}, cores: {cores}", threads=workers, cores=cores)


def group_hint(status: DeviceStatus, workers: int) -> tuple[Message, ...]:
    """What there is to know besides: the product, or why it cannot be used and what would help; what too many workers mean."""
    if not status.ready:
        return tuple(part for part in (status.reason, status.remedy) if part is not None)
    crowded = 0 < cores_of(status) < workers
    name = (message("{name}", name=status.name),) if status.name else ()
    return (*name, message("More than there are cores: they take turns, and gain nothing by it.")) if crowded else name


def cores_of(status: DeviceStatus) -> int:
    """The cores that threads or ranks can have; 0 where it is not known or not the question."""
    return int(status.details.get("cores", status.details.get("logical_cores", 0)))
