"""The selection of variants: by their ids, by patterns such as `cpu.*`, or all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from app.cli.base.errors import Refused
from app.cli.base.request import is_pattern, variant_named
from app.core.base.parsing import ALL, shown
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import VARIANTS


@dataclass(frozen=True, slots=True)
class Selection:
    """The variants of one operation, each once, in the order in which they are asked for. `found` are those that only a pattern names."""

    variants: tuple[Variant, ...]
    found: frozenset[str]


def selection_of(texts: Sequence[str]) -> Selection:
    """Find what the arguments name. Patterns are of the operation of what is named by its id, else of the first pattern's first variant."""
    named = {text: variant_named(text) for text in texts if not is_pattern(text)}
    patterns = {text: _matching(text) for text in texts if is_pattern(text)}
    first = next(iter(named.values()), None) or next(iter(patterns.values()))[0]
    variants: dict[str, Variant] = {}
    for text in texts:
        meant = (named[text],) if text in named else patterns[text]
        own = [variant for variant in meant if variant.operation is first.operation]
        if not own:
            raise Refused(message("One sweep has one operation; {first} and {other} differ.", first=first.id, other=meant[0].id))
        variants |= {variant.id: variant for variant in own}
    return Selection(tuple(variants.values()), frozenset(variants) - {variant.id for variant in named.values()})


def without_missing(selection: Selection, probe: Callable[[Device], DeviceStatus]) -> tuple[tuple[Variant, ...], tuple[Message, ...]]:
    """The variants but those that a pattern found on a device that is missing, and what to say of these. Refused where none is left."""
    statuses = {variant.device: probe(variant.device) for variant in selection.variants if variant.id in selection.found}
    missing = {device: status for device, status in statuses.items() if not status.ready}
    left = tuple(v for v in selection.variants if v.id not in selection.found or v.device not in missing)
    out = {device: [v.id for v in selection.variants if v not in left and v.device is device] for device in missing}
    told = tuple(_left_out(ids, missing[device]) for device, ids in out.items() if ids)
    if not left:
        raise Refused(told[0])
    return left, told


def _matching(pattern: str) -> tuple[Variant, ...]:
    """The variants that a pattern names; `all` are those whose times can be taken."""
    if pattern == ALL:
        return tuple(variant for variant in VARIANTS if variant.operation is not Operation.HELLO)
    matching = tuple(variant for variant in VARIANTS if fnmatchcase(variant.id, pattern))
    if not matching:
        raise Refused(
            message("No variant's id matches '{text}'. The command {command} names all.", text=shown(pattern), command="tilescope list")
        )
    return matching


def _left_out(ids: Sequence[str], status: DeviceStatus) -> Message:
    reason = status.reason or message("The device is not ready.")
    return message("Left out: {variants}. {reason}", variants=", ".join(ids), reason=reason)
