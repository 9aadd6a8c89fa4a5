"""The options that several commands have: variants, sizes, parameters, a budget."""

from __future__ import annotations

from app.cli.base.parser import Group
from app.core.base.parsing import ALL
from kernels.base.messages import message
from kernels.base.spec import Parameter
from kernels.catalogue.catalogue import VARIANTS

VARIANT = message("a variant's id, as in the list")
VARIANTS_MEANT = message("ids, as in the list, patterns such as 'cpu.*', or all")
SIZES = message("sizes of square matrices: 256:2048:x2, 128:1024:+128 or 200,300")


def run_parameters() -> tuple[Parameter, ...]:
    """List every parameter that some variant has, once each."""
    return tuple({parameter.name: parameter for variant in VARIANTS for parameter in variant.parameters}.values())


def option_of(parameter: str) -> str:
    """Name the option that gives a parameter's value."""
    return f"--{parameter.replace('_', '-')}"


def problem_sizes(group: Group, *, needed: bool = True) -> None:
    """Add a variant and its sizes."""
    group.option("variant", "VARIANT", VARIANT)
    group.option("--n", "N", message("columns of the output; the sizes that are not given are equal to it"), required=needed)
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))


def parameter_option(group: Group, parameter: Parameter, *, lists: bool = False) -> None:
    """Add one parameter's option; `lists` where several values may be given."""
    help_text, choices = parameter.title, ", ".join(parameter.names)
    if parameter.names and lists:
        help_text = message("{title}: one or several of {choices}, or {all}", title=parameter.title, choices=choices, all=ALL)
    elif parameter.names:
        help_text = message("{title}: one of {choices}", title=parameter.title, choices=choices)
    elif lists:
        help_text = message("{title}: one value, or a list such as 2,4,8", title=parameter.title)
    group.option(option_of(parameter.name), parameter.name.upper(), help_text)


def parameter_options(group: Group, *, lists: bool = False) -> None:
    """Add every parameter that some variant has."""
    for parameter in run_parameters():
        parameter_option(group, parameter, lists=lists)


def measuring_options(group: Group, *, lists: bool = False) -> None:
    """Add what every measurement takes."""
    parameter_options(group, lists=lists)
    group.option("--budget", "SECONDS", message("the longest that one point may take"))
