"""`tilescope asm`: what the compiler made of a variant's inner loop."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.base.console import Console
from app.cli.base.errors import Refused, require
from app.cli.base.options import VARIANT, parameter_options
from app.cli.base.parser import Group
from app.cli.base.request import as_typed, chosen_parameters, probe, require_device, variant_named
from kernels.base.limits import refuse_capability, refuse_parameters
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.measure.export import parameters_object


def add_options(group: Group) -> None:
    """Add one variant with its parameters."""
    group.option("variant", "VARIANT", VARIANT)
    parameter_options(group)


def perform(options: argparse.Namespace, console: Console) -> int:
    """Compile the variant for this processor and say what its inner loop is."""
    variant = variant_named(options.variant)
    if variant.device is not Device.CPU or variant.library:
        raise Refused(message("{variant} is not compiled for the processor here: its machine code cannot be read.", variant=variant.id))
    parameters = chosen_parameters(variant, options)
    require(as_typed(refuse_parameters(variant, parameters), variant))
    status = probe(variant.device)
    require_device(variant, status)
    require(refuse_capability(variant, status.limits))
    from kernels.jit.compile import Specialization, compiled, machine_code, set_cache_directory
    from kernels.jit.machine_code import inner_loop

    set_cache_directory(None)
    build = Specialization.of(variant, parameters)
    loop = inner_loop(machine_code(build, compiled(build)))
    if options.json:
        settings = parameters_object(variant, parameters)
        found = None if loop is None else {**asdict(loop), "vectorised": loop.vectorised}
        console.print_json({"id": variant.id, **settings, "inner_loop": found})
    else:
        console.print(console.text(message("No loop of it adds products.") if loop is None else loop.sentence))
    return 0
