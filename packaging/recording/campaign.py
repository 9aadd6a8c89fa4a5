"""What is recorded of the CUDA kernels: which settings at which sizes, and from which size on a setting is not run any more."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from kernels.base.limits import Limits, refuse
from kernels.base.spec import Device, Operation, Parameters, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import of
from kernels.measure.estimate import work
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result

ProtocolOf = Callable[[Case], Protocol]
OPERATIONS = (Operation.MATMUL, Operation.TRANSPOSE)
SIZES = tuple(128 << doubling for doubling in range(8))
"""128 to 16384: every tile that is offered, the other parameters at their defaults."""
FURTHER_SIZES = (500, 1000, 3000, 5000, 10000, 20000, 40000)
"""Those of published reports: every variant with its defaults."""
LARGEST_EXPLORED = 2048
"""The largest n at which other parameters than the tile are varied, one at a time, at two tiles."""
SECOND_TILE_FROM = 32
"""The second of them is the first that is offered from here on and is not the default."""
SAMPLED_TEN_TIMES = 8192
"""The largest n at which at least ten samples are taken; above it five."""
LONGEST_S = 2.0
"""A launch that takes longer is not made; a larger size with the same setting is not tried."""
LONGEST_LIBRARY_S = 20.0
"""The same for libraries, which are what the others are compared with: cuBLAS takes about 2.5 s at n = 40000."""
LONGEST_ODD_S = 3600.0
ODD_TILES = (1, 3, 96)
"""Tiles besides those that are offered."""
ODD_SIZES = (
    (1, 1, 1), (1, 33, 65), (33, 1, 129), (129, 65, 1), (17, 17, 17),
    (31, 33, 32), (33, 65, 129), (131, 131, 131), (257, 100, 63), (1000, 1001, 999), (5, 7, 0),
)  # fmt: skip
"""m, n and k."""
ODD_EXPLORED = ((31, 33, 32), (131, 131, 131), (1000, 1001, 999))
"""Those of them at which other parameters than the tile are varied."""


def variants(part: int = 1, parts: int = 1, only: Sequence[str] = ()) -> list[Variant]:
    """The variants of one of so many parts, which are about equally much work; parts count from 1. `only`: these ids, if any."""
    every = [variant for operation in OPERATIONS for variant in of(operation) if variant.device is Device.GPU]
    return [variant for variant in every if not only or variant.id in only][part - 1 :: parts]


def sweep_points(chosen: Sequence[Variant], largest: int, smallest: int = 0) -> list[Case]:
    """The sweep over sizes and settings, little work first, so that the inputs of a size are made once for all variants."""
    sizes = [n for n in sorted({*SIZES, *FURTHER_SIZES}) if smallest <= n <= largest]
    problems = sorted((Problem.square(operation, n) for operation in OPERATIONS for n in sizes), key=_order)
    return [
        Case(variant.id, problem, setting)
        for problem in problems
        for variant in chosen
        if variant.operation is problem.operation
        for setting in _settings(variant, problem.n)
    ]


def odd_points(chosen: Sequence[Variant]) -> list[Case]:
    """Every class of settings that is not refused, at sizes that no tile divides."""
    points = []
    for operation in OPERATIONS:
        for m, n, k in (size for size in ODD_SIZES if size[2] or operation is Operation.MATMUL):
            problem = Problem.of(operation, m, n, k)
            for variant in (each for each in chosen if each.operation is operation):
                settings = [*_over_tiles(variant, ODD_TILES), *(_explored(variant) if (m, n, k) in ODD_EXPLORED else ())]
                points += [Case(variant.id, problem, setting) for setting in _distinct(settings)]
    return [point for point in points if refuse(point.variant, point.problem, point.parameters, Limits()) is None]


def protocol_for(point: Case) -> Protocol:
    """How a point of the sweep is sampled."""
    samples = 10 if point.problem.n <= SAMPLED_TEN_TIMES else 5
    return Protocol(min_samples=samples, budget_s=LONGEST_LIBRARY_S if point.variant.library else LONGEST_S)


def odd_protocol(_point: Case) -> Protocol:
    """How a point at an odd size is sampled: its output is verified, its time says little and is predicted badly."""
    return Protocol(warm_ups=0, min_samples=1, max_samples=1, budget_s=LONGEST_ODD_S)


class Stops:
    """From which size on settings are not run any more."""

    def __init__(self, protocol_of: ProtocolOf) -> None:
        self._protocol_of = protocol_of
        self._stopped: set[object] = set()

    def learn(self, point: Case, predicted_ms: float | None, result: Result) -> None:
        """Take into account how long a launch was expected to take, and how long it took."""
        longest_ms = 1000 * self._protocol_of(point).budget_s
        if max(predicted_ms or 0.0, result.median_ms or 0.0) > longest_ms:
            self._stopped.add(setting_of(point))

    def hold(self, point: Case) -> bool:
        """Whether the point is not to be run, because a smaller one took too long."""
        return setting_of(point) in self._stopped


def _settings(variant: Variant, n: int) -> list[dict[str, int]]:
    if n not in SIZES:
        return [variant.defaults]
    explored = _explored(variant) if n <= LARGEST_EXPLORED else ()
    return _distinct([*_over_tiles(variant), *explored])


def _over_tiles(variant: Variant, more: Iterable[int] = ()) -> Iterator[dict[str, int]]:
    tile = variant.parameter("tile")
    if tile is None:
        yield variant.defaults
    else:
        yield from ({**variant.defaults, "tile": value} for value in sorted({*tile.stops, *more}))


def _explored(variant: Variant) -> Iterator[dict[str, int]]:
    """One parameter besides the tile away from its default, at two tiles; further ones where it does not go with their defaults."""
    tile = variant.parameter("tile")
    second = next((stop for stop in tile.stops if stop >= SECOND_TILE_FROM and stop != tile.default), tile.default) if tile else 0
    for base in _distinct([variant.defaults, {**variant.defaults, "tile": second}] if tile else [variant.defaults]):
        for parameter in variant.parameters:
            if parameter.name != "tile":
                yield from (_nearest(variant, {**base, parameter.name: stop}, parameter.name) for stop in parameter.stops)


def _nearest(variant: Variant, setting: dict[str, int], name: str) -> dict[str, int]:
    """The setting, or where it is refused, the one with the fewest other values that has the same value of `name` and works."""
    others = [each for each in working(variant) if each[name] == setting[name]]
    return min(others, key=lambda each: _differing(each, setting), default=setting)


def _differing(one: Parameters, other: Parameters) -> int:
    return sum(one[name] != other[name] for name in one)


@cache
def working(variant: Variant) -> tuple[dict[str, int], ...]:
    """Every combination of the values offered that works on matrices of 1024 rows and columns."""
    names = list(variant.defaults)
    settings = [dict(zip(names, values, strict=True)) for values in product(*(each.stops for each in variant.parameters))]
    problem = Problem.square(variant.operation, 1024)
    return tuple(each for each in settings if refuse(variant, problem, each, Limits()) is None)


def _distinct(settings: Iterable[dict[str, int]]) -> list[dict[str, int]]:
    return list({tuple(setting.items()): setting for setting in settings}.values())


def _order(problem: Problem) -> tuple[int, int]:
    return OPERATIONS.index(problem.operation), work(problem)


def setting_of(point: Case) -> Hashable:
    """What points that differ in their size alone have in common."""
    return point.variant_id, tuple(sorted(point.parameters.items()))
