"""Options that commands on variants share: the variant, its sizes, its parameters."""

from __future__ import annotations

from app.cli.grammar import Group
from app.core.base.parsing import ALL
from kernels.base.messages import message
from kernels.base.spec import Parameter
from kernels.catalogue.catalogue import VARIANTS


def run_parameters() -> tuple[Parameter, ...]:
    """Every parameter that some variant has, once each: the options of `run` and `sweep`."""
    return tuple({parameter.name: parameter for variant in VARIANTS for parameter in variant.parameters}.values())


def option_of(parameter: str) -> str:
    """The option that gives a parameter's value."""
    return f"--{parameter.replace('_', '-')}"


def launch_parameters() -> tuple[Parameter, ...]:
    """Every parameter that some CUDA kernel of the catalogue has: options of `trace`."""
    return tuple({p.name: p for variant in VARIANTS if variant.launch is not None for p in variant.parameters}.values())


def problem_sizes(group: Group, *, needed: bool = True) -> None:
    """A variant and its sizes."""
    group.option("variant", "VARIANT", message("a variant's id, as in the list"))
    group.option("--n", "N", message("columns of the output; the sizes that are not given are equal to it"), required=needed)
    group.option("--m", "M", message("rows of A"))
    group.option("--k", "K", message("columns of A and rows of B, for a multiplication"))


def parameter_option(group: Group, parameter: Parameter, *, lists: bool = False) -> None:
    """One parameter's option; `lists` where several values may be given."""
    help_text, choices = parameter.title, ", ".join(parameter.names)
    if parameter.names and lists:
        help_text = message("{title}: one or several of {choices}, or {all}", title=parameter.title, choices=choices, all=ALL)
    elif parameter.names:
        help_text = message("{title}: one of {choices}", title=parameter.title, choices=choices)
    elif lists:
        help_text = message("{title}: one value, or a list such as 2,4,8", title=parameter.title)
    group.option(option_of(parameter.name), parameter.name.upper(), help_text)


def measuring_options(group: Group, *, lists: bool = False) -> None:
    """What every measurement takes."""
    for parameter in run_parameters():
        parameter_option(group, parameter, lists=lists)
    group.option("--budget", "SECONDS", message("the longest that one point may take"))
