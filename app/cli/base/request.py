"""Requests: from options to points that can be measured and the table's file, or to a refusal that names the option."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from app.cli.base.errors import Refused, accept
from app.cli.base.options import option_of, run_parameters
from app.core.base.files.locations import refuse_file
from app.core.base.parsing import ALL, LARGEST_SIZE, number_list, parameter_list, parameter_value, shown, whole_number
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.messages import Message, message
from kernels.base.reference import refuse_verification
from kernels.base.spec import Device, Operation, Parameter, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS, find
from kernels.measure.protocol import Protocol
from kernels.measure.sweep import plan

T = TypeVar("T")

LONGEST_BUDGET = 86_400.0
"""Seconds that one point may be given at most."""
SWEEP = "tilescope sweep"
NAMING = ("name", "other")
"""Names of the fields of reasons that hold the name of a parameter."""


def variant_named(text: str) -> Variant:
    """The variant with this id; the refusal names the one that is written most alike."""
    variant = find(text)
    if variant is not None:
        return variant
    if is_pattern(text):
        raise Refused(
            message("'{text}' is a pattern: this command takes one variant. {command} takes patterns.", text=shown(text), command=SWEEP)
        )
    names = [known.id for known in VARIANTS]
    endings = {name.partition(".")[2]: name for name in reversed(names)}
    close = get_close_matches(text.lower(), names, 1) or [endings[name] for name in get_close_matches(text.lower(), endings, 1)]
    if close:
        raise Refused(message("There is no variant '{text}'. The closest is {closest}.", text=shown(text), closest=close[0]))
    raise Refused(message("There is no variant '{text}'. The command {command} names all.", text=shown(text), command="tilescope list"))


def is_pattern(text: str) -> bool:
    """Tell whether a text may stand for several variants."""
    return text == ALL or any(sign in text for sign in "*?[")


def probe(device: Device) -> DeviceStatus:
    """Ask what the device is and whether it can be used. Imports only what the device needs."""
    if device is Device.GPU:
        from kernels.gpu.process import probe_gpu

        return probe_gpu()
    if device is Device.MPI:
        from kernels.mpi.detect import probe_mpi

        return probe_mpi()
    from kernels.jit.detect import probe_cpu

    return probe_cpu()


def run_point(options: argparse.Namespace) -> Case:
    """The one point of `run`."""
    variant = variant_named(options.variant)
    return Case(variant.id, _problem(variant, options), chosen_parameters(variant, options))


def chosen_parameters(variant: Variant, options: argparse.Namespace) -> dict[str, int]:
    """The parameters that the options give, and the defaults of the others."""
    return {**variant.defaults, **given_parameters(variant, options)}


def given_parameters(variant: Variant, options: argparse.Namespace) -> dict[str, int]:
    """The parameters that the options give; refused where the variant has none of the name."""
    given = {each.name: text for each in run_parameters() if (text := getattr(options, each.name)) is not None}
    return {name: value_of(variant, name, text) for name, text in given.items()}


def settings_of(option: str, variant: Variant, texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """The parameters that texts such as `tile=32` give; refused where the variant has none of the name."""
    values = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(message("{name}: '{text}' is not NAME=VALUE.", name=option, text=shown(text)))
        own = _own_parameter(variant, name.strip())
        values.append((own.name, accept(parameter_value(f"{option}, {own.name}", value, own))))
    return tuple(values)


def value_of(variant: Variant, name: str, text: str) -> int:
    """The value that an option gives to a parameter; refused where the variant has none of the name."""
    return accept(parameter_value(option_of(name), text, _own_parameter(variant, name)))


def sweep_points(options: argparse.Namespace, variants: Sequence[Variant]) -> tuple[Case, ...]:
    """The points of `sweep`: at each size every variant, all of one operation, with each of its parameters' values."""
    sizes = accept(number_list("--n", options.n, 1, LARGEST_SIZE))
    given = {p.name: getattr(options, p.name) for p in run_parameters() if getattr(options, p.name) is not None}
    for name in given:
        if not any(name in variant.defaults for variant in variants):
            _own_parameter(variants[0], name)
    choices = [(variant.id, parameters) for variant in variants for parameters in _combinations(variant, given)]
    return plan(choices, [Problem.square(variants[0].operation, n) for n in sizes])


def refuse_point(point: Case, status: DeviceStatus) -> Message | None:
    """Say why a point cannot work on its device with the memory that is free, or None."""
    reason = refuse(point.variant, point.problem, point.parameters, status.limits)
    return as_typed(reason, point.variant) or refuse_verification(point.problem, free_memory_bytes())


def as_typed(reason: Message | None, variant: Variant) -> Message | None:
    """The reason, if there is one, with the variant's parameters called by the options that give them."""
    if reason is None:
        return None
    options = {parameter.name: option_of(parameter.name) for parameter in variant.parameters}
    arguments = (
        (name, options.get(value, value) if name in NAMING and isinstance(value, str) else value) for name, value in reason.arguments
    )
    return Message(reason.template, tuple(arguments))


def require_device(variant: Variant, status: DeviceStatus) -> None:
    """Refuse a variant whose device is missing."""
    if not status.ready:
        raise Refused(device_refusal(variant, status))


def device_refusal(variant: Variant, status: DeviceStatus) -> Message:
    """Say why a variant cannot run where its device is missing."""
    reason = status.reason or message("The device is not ready.")
    if status.remedy is not None:
        reason = message("{reason} {remedy}", reason=reason, remedy=status.remedy)
    return message("{variant} cannot run here. {reason}", variant=variant.id, reason=reason)


def protocol_of(options: argparse.Namespace) -> Protocol:
    """Choose how the points are sampled: as everywhere, with the user's time budget."""
    if options.budget is None:
        return Protocol()
    try:
        seconds = float(options.budget)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_BUDGET:
        reason = message(
            "{name}: '{text}' is not a number of seconds above 0 and up to {most}.",
            name="--budget", text=shown(options.budget), most=LONGEST_BUDGET,
        )  # fmt: skip
        raise Refused(reason)
    return Protocol(budget_s=seconds)


def out_file(text: str, formats: Mapping[str, T]) -> tuple[Path, T]:
    """Check before the long work where a table goes, and how it is written, which its ending says."""
    path = Path(text).absolute()
    write = formats.get(path.suffix.lower())
    if write is None:
        raise Refused(message("{name}: '{text}' must end in {endings}.", name="--out", text=shown(text), endings=" / ".join(formats)))
    reason = refuse_file(path)
    if reason is not None:
        raise Refused(message("{name}: {reason}", name="--out", reason=reason))
    return path, write


def _own_parameter(variant: Variant, name: str) -> Parameter:
    own = variant.parameter(name)
    if own is None:
        raise Refused(message("{variant} has no parameter {name}.", variant=variant.id, name=option_of(name)))
    return own


def _problem(variant: Variant, options: argparse.Namespace) -> Problem:
    if variant.operation is Operation.HELLO:
        return Problem.square(variant.operation, 0)
    if options.n is None:
        raise Refused(message("{problem} See {command} --help.", problem=message("Missing: {names}.", names="--n"),
                              command=f"tilescope {options.command}"))  # fmt: skip
    n = _size("--n", options.n)
    m = n if options.m is None else _size("--m", options.m)
    if variant.operation is Operation.MATMUL:
        return Problem(variant.operation, m, n, n if options.k is None else _size("--k", options.k))
    if options.k is not None:
        raise Refused(message("{name} is for a multiplication; {variant} is a transposition.", name="--k", variant=variant.id))
    return Problem(variant.operation, m, n)


def _size(name: str, text: str) -> int:
    return accept(whole_number(name, text, 1, LARGEST_SIZE))


def _combinations(variant: Variant, given: dict[str, str]) -> list[dict[str, int]]:
    """List every combination of the values given for the variant's own parameters; defaults for the others."""
    combinations = [variant.defaults]
    for parameter in variant.parameters:
        if parameter.name in given:
            values = accept(parameter_list(option_of(parameter.name), given[parameter.name], parameter))
            combinations = [combination | {parameter.name: value} for combination in combinations for value in values]
    return combinations
