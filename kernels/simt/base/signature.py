"""A kernel as it is declared, as a value."""

from __future__ import annotations

from kernels.base.values import dataclass
from kernels.simt.base.types import Location


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """Parameter of a kernel. `type` as written. For a pointer, `element` is the pointed-to type as written without qualifiers, and
    `element_bytes` its size, 0 for void and where a template's argument decides it; for a value `element_bytes` is its own size. `members`
    are a struct's, by path ("A.width")."""

    name: str
    type: str
    pointer: bool
    element: str
    element_bytes: int
    members: tuple[KernelParameter, ...] = ()


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """A `__global__` function. `name` is qualified by its namespaces. `template` are its template parameters as written, "int TILE = 16";
    () for a plain kernel. `max_threads` is that of `__launch_bounds__`, None where none is given or a template's argument decides it."""

    name: str
    location: Location
    parameters: tuple[KernelParameter, ...]
    template: tuple[str, ...]
    max_threads: int | None
    lines: tuple[int, int]
    """Its first and last line."""
    variables: tuple[KernelParameter, ...] | None = None
    """The `__constant__` and `__device__` variables that it uses and that can be given a value; of an array `pointer` is true. None while
    they are not known: of a kernel that was not looked at so closely."""
