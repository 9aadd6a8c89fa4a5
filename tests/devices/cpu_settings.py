"""Parameters for CPU variants: those that a test means, and any that are valid."""

from __future__ import annotations

from hypothesis import strategies as st

from kernels.base.limits import Limits, refuse_capability, refuse_parameters
from kernels.base.spec import Device, Parameter, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.catalogue.source import constants
from kernels.jit.detect import refuse_matrix_registers

_HERE = Limits(no_matrix_registers=refuse_matrix_registers())
CPU_VARIANTS = [variant for variant in VARIANTS if variant.device is Device.CPU and refuse_capability(variant, _HERE) is None]
"""Those that this processor can run."""


def with_tile(variant: Variant, tile: int) -> dict[str, int]:
    """The variant's defaults, with this tile size where it has one."""
    return {name: tile if name == "tile" else value for name, value in variant.defaults.items()}


def any_settings(variant: Variant) -> st.SearchStrategy[dict[str, int]]:
    """Parameters that the variant allows. Amounts that are compiled in are all at their defaults or all small: each pair costs seconds."""
    built_in = constants(variant, dict.fromkeys(variant.defaults, 1))
    amounts = [parameter for parameter in variant.parameters if parameter.name.upper() in built_in and not parameter.names]
    others = [parameter for parameter in variant.parameters if parameter not in amounts]
    builds = [{parameter.name: parameter.default for parameter in amounts}, {parameter.name: parameter.stops[1] for parameter in amounts}]
    drawn = st.tuples(st.sampled_from(builds), st.fixed_dictionaries({parameter.name: _values(parameter) for parameter in others}))
    return drawn.map(lambda parts: {**parts[0], **parts[1]}).filter(lambda settings: refuse_parameters(variant, settings) is None)


def _values(parameter: Parameter) -> st.SearchStrategy[int]:
    small = st.integers(parameter.minimum, min(parameter.maximum, parameter.minimum + 20))
    if parameter.name == "threads":
        return st.integers(1, min(parameter.maximum, 3))
    return small if parameter.names else st.one_of(small, st.sampled_from(parameter.stops))
