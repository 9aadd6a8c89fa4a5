"""Programs of launches that were made before: while sizes are tried back and forth, a launch comes again with the same places in memory.

Who executes one text more than once has a `Programs`. What it keeps holds no memory: a program is told the arrays of each launch anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kernels.simt import ir
from kernels.simt.generate.program import PlacedLaunch, Program, generate
from kernels.simt.machine.memory import Region

MOST_KEPT = 16
"""As many as the stops of a parameter that is dragged, and more."""


class _Kept(NamedTuple):
    """Program without its regions, of which it has the places in `_regions`."""

    of: tuple[ir.Kernel, Mapping[str, Callable[..., object]]]
    """The kernel and the functions, kept so that no others are taken for them."""
    program: Program
    local: tuple[ir.Variable, ...]
    objects: Mapping[str, int]
    sites: tuple[int | None, ...]
    targets: Mapping[int, int | None]


class Programs:
    """The last programs that one text's launches were executed by."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], _Kept] = {}

    def program_of(self, kernel: ir.Kernel, launch: PlacedLaunch) -> Program:
        """The code of a launch, as `generate` makes it. Raises `Unsupported`."""
        key = _key(kernel, launch)
        found = self._kept.get(key)
        if found is None:
            program = generate(kernel, launch)
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = _without_regions(kernel, launch, program)
        else:
            program = _with_regions(found, launch)
        program.show()
        return program


def _key(kernel: ir.Kernel, launch: PlacedLaunch) -> tuple[object, ...]:
    """Equal for what is made into equal code. Numbers are compared as they are written: 0.0 is not -0.0."""
    places = tuple((each.address, each.size, each.space) for each in launch.memory.regions)
    variables = tuple(each.number for each in launch.regions.values())
    shape = launch.grid, launch.block, launch.lanes, launch.contract, launch.preempt
    return id(kernel), id(launch.functions), shape, repr(launch.arguments), places, variables


def _regions(launch: PlacedLaunch, local: Mapping[ir.Variable, Region]) -> Sequence[Region]:
    return *launch.memory.regions, *local.values()


def _without_regions(kernel: ir.Kernel, launch: PlacedLaunch, program: Program) -> _Kept:
    place = {region: number for number, region in enumerate(_regions(launch, program.local))}
    objects = {name: place[each] for name, each in program.objects.items() if isinstance(each, Region)}
    bare = replace(
        program,
        objects={name: each for name, each in program.objects.items() if name not in objects},
        sites=tuple(replace(site, region=None) for site in program.sites),
        targets={},
        local={},
    )
    return _Kept(
        (kernel, launch.functions),
        bare,
        tuple(program.local),
        objects,
        tuple(None if site.region is None else place[site.region] for site in program.sites),
        {call: None if region is None else place[region] for call, region in program.targets.items()},
    )


def _with_regions(kept: _Kept, launch: PlacedLaunch) -> Program:
    local = {variable: launch.memory.allocate_local(variable, launch.lanes) for variable in kept.local}
    regions = _regions(launch, local)
    placed = zip(kept.program.sites, kept.sites, strict=True)
    return replace(
        kept.program,
        objects={**kept.program.objects, **{name: regions[number] for name, number in kept.objects.items()}},
        sites=tuple(site if number is None else replace(site, region=regions[number]) for site, number in placed),
        targets={call: None if number is None else regions[number] for call, number in kept.targets.items()},
        local=local,
    )
