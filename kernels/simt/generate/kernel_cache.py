"""Cache of generated kernels: while sizes are tried back and forth, a launch comes again with the same places in memory.

Who executes one text more than once has a `KernelCache`. What it keeps holds no memory: each launch's arrays are put in anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kernels.simt import ir
from kernels.simt.generate.generated_kernel import GeneratedKernel, PlacedLaunch, generate
from kernels.simt.machine.memory import Region

MOST_KEPT = 16
"""As many as the stops of a parameter that is dragged, and more."""


class _Kept(NamedTuple):
    """Generated kernel without its regions, of which it has the places in `_regions`."""

    of: tuple[ir.Kernel, Mapping[str, Callable[..., object]]]
    """The kernel and the functions, kept so that no others are taken for them."""
    generated: GeneratedKernel
    local: tuple[ir.Variable, ...]
    objects: Mapping[str, int]
    sites: tuple[int | None, ...]
    targets: Mapping[int, int | None]


class KernelCache:
    """Cache of the last kernels that were generated for one text's launches."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], _Kept] = {}

    def generated(self, kernel: ir.Kernel, launch: PlacedLaunch) -> GeneratedKernel:
        """Return the kernel of a launch, as `generate` makes it. Raises `Unsupported`."""
        key = _key(kernel, launch)
        found = self._kept.get(key)
        if found is None:
            generated = generate(kernel, launch)
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = _without_regions(kernel, launch, generated)
        else:
            generated = _with_regions(found, launch)
        generated.show()
        return generated


def _key(kernel: ir.Kernel, launch: PlacedLaunch) -> tuple[object, ...]:
    """Equal for what is made into equal code. Numbers are compared as they are written: 0.0 is not -0.0."""
    places = tuple((each.address, each.size, each.space) for each in launch.memory.regions)
    variables = tuple(each.number for each in launch.regions.values())
    shape = launch.grid, launch.block, launch.lanes, launch.contract, launch.preempt
    return id(kernel), id(launch.functions), shape, repr(launch.arguments), places, variables


def _regions(launch: PlacedLaunch, local: Mapping[ir.Variable, Region]) -> Sequence[Region]:
    return *launch.memory.regions, *local.values()


def _without_regions(kernel: ir.Kernel, launch: PlacedLaunch, generated: GeneratedKernel) -> _Kept:
    place = {region: number for number, region in enumerate(_regions(launch, generated.local))}
    objects = {name: place[each] for name, each in generated.objects.items() if isinstance(each, Region)}
    bare = replace(
        generated,
        objects={name: each for name, each in generated.objects.items() if name not in objects},
        sites=tuple(replace(site, region=None) for site in generated.sites),
        targets={},
        local={},
    )
    return _Kept(
        (kernel, launch.functions),
        bare,
        tuple(generated.local),
        objects,
        tuple(None if site.region is None else place[site.region] for site in generated.sites),
        {call: None if region is None else place[region] for call, region in generated.targets.items()},
    )


def _with_regions(kept: _Kept, launch: PlacedLaunch) -> GeneratedKernel:
    local = {variable: launch.memory.allocate_local(variable, launch.lanes) for variable in kept.local}
    regions = _regions(launch, local)
    placed = zip(kept.generated.sites, kept.sites, strict=True)
    return replace(
        kept.generated,
        objects={**kept.generated.objects, **{name: regions[number] for name, number in kept.objects.items()}},
        sites=tuple(site if number is None else replace(site, region=regions[number]) for site, number in placed),
        targets={call: None if number is None else regions[number] for call, number in kept.targets.items()},
        local=local,
    )
