"""Sizes of a launch: the whole numbers among its arguments that its arrays and its grid follow. Read from executions, never from names.

A parameter is lowered and the launch executed again: what is touched then, and which blocks still write, says what follows it. Where a
kernel looks at nothing (a missing check of bounds) the launch itself tells: an array has as many elements as the number says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np

from kernels.analysis.footprint import Footprint
from kernels.base.messages import Message, message
from kernels.exploration.device_variables import given_types
from kernels.exploration.scheme import Axis, Extent, Formula, Scheme, constant
from kernels.simt import ir
from kernels.simt.base.launch import Argument, Filled, LaunchRequest
from kernels.simt.base.layout import scalar_dtype, size_of
from kernels.simt.base.types import Kind, Pointer, Scalar
from kernels.simt.generate.walk import descendants

MOST_PARAMETERS = 5
MOST_FACTORS = 3
MOST_SAID = 2
"""Factors of an extent that no execution shows: with more, numbers fit by chance."""
MOST_COEFFICIENT = 64
MOST_ADDED = 64
WIDEST = 64
"""So many times a block's threads along an axis may be what one block covers."""
Execute = Callable[[LaunchRequest], Footprint | None]
"""Executes a launch; None where it came to no end."""


def scheme_of(kernel: ir.Kernel, base: LaunchRequest, execute: Execute, shapes: Mapping[str, tuple[int, ...]]) -> Scheme | Message:
    """Find how the launch follows its sizes. `shapes` are the extents of arrays of which the user has said them."""
    first = execute(base)
    if first is None:
        return message("The launch as it is came to no end within what an execution may take here.")
    finder = _Finder(kernel, base, execute, first, shapes)
    return finder.scheme()


class _Finder:
    """Looks at one launch: `first` is its footprint."""

    def __init__(
        self, kernel: ir.Kernel, base: LaunchRequest, execute: Execute, first: Footprint, shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        self._kernel, self._base, self._execute, self._first = kernel, base, execute, first
        types = given_types(kernel)
        numbers = {name: given for name, given in base.arguments.items() if _is_whole(types[name]) and isinstance(given, int)}
        self._numbers = dict(list(numbers.items())[:MOST_PARAMETERS])
        self._shapes = {
            name: shapes.get(name) or (_count(given, types[name]),) for name, given in base.arguments.items() if _is_array(given)
        }
        self._files = {name for name, given in base.arguments.items() if isinstance(given, np.ndarray)}
        self._types = types
        able = [name for name, value in self._numbers.items() if value > 1]
        self._halved = {name: self._with({name: self._numbers[name] // 2}) for name in able}
        self._followed = {name for name, found in self._halved.items() if found is not None and not found.alike(first)}
        self._apart = {name: max(1, self._numbers[name] - place) for place, name in enumerate(able, start=1)}
        self._probe = self._with(self._apart) if able else None
        self._tied = False

    def scheme(self) -> Scheme:
        indices = {name: targets for name in self._integer_arrays() if (targets := self._addressed_by(name))}
        addressed = {each for targets in indices.values() for each in targets}
        extents: dict[str, tuple[Extent, ...]] = {
            name: self._extents(name, shape, name in addressed) for name, shape in self._shapes.items()
        }
        sized = {factor for extent in extents.values() for each in extent for factor in each.factors}
        x, y, z = grid = self._axis(0, sized), self._axis(1, sized), self._axis(2, sized)
        extents = {name: self._by_blocks(extent, grid) for name, extent in extents.items()}
        used = [factor for extent in (*extents.values(), grid) for each in extent for factor in each.factors]
        sizes = {name: value for name, value in self._numbers.items() if name in used}
        tied = self._tied and len(sizes) > 1
        fixed = [name for name, extent in extents.items() if not any(each.factors for each in extent)]
        capped = frozenset(name for name in sizes if self._is_capped(name, extents, tied=tied))
        return Scheme(
            self._base,
            sizes,
            extents,
            (x, y, z),
            capped,
            indices,
            tuple(self._kept(sizes, capped, fixed, tied=tied)),
            tied,
            self._first.rows,
        )

    def _with(self, changes: Mapping[str, Argument]) -> Footprint | None:
        return self._execute(replace(self._base, arguments={**self._base.arguments, **changes}))

    def _is_capped(self, name: str, extents: Mapping[str, tuple[Extent, ...]], *, tied: bool) -> bool:
        """Whether an array is reached further with a larger value of a parameter that its extent does not follow."""
        unlike = [array for array, extent in extents.items() if not any((tied and each.factors) or name in each.factors for each in extent)]
        return any(self._reaches(name, array) for array in unlike)

    # ------------------------------------------------------------ arrays

    def _by_blocks(self, extents: tuple[Extent, ...], grid: tuple[Axis, Axis, Axis]) -> tuple[Extent, ...]:
        """An array of one element for each block follows the grid, where one axis of that follows a size."""
        following = [axis for axis in grid if axis.each]
        if len(extents) > 1 or extents[0].factors or len(following) != 1:
            return extents
        blocks = following[0].at(self._numbers)
        return (following[0],) if blocks > 1 and blocks == prod(self._base.grid) == extents[0].at(self._numbers) else extents

    def _extents(self, name: str, shape: tuple[int, ...], addressed: bool) -> tuple[Formula, ...]:
        """The formulas of an array's extents: those whose product is reached with lower parameters, else those that fit the launch."""
        if name in self._files:
            return tuple(map(constant, shape))
        touched, before = (0 if found is None else found.extent(name) for found in (self._probe, self._first))
        ways = list(product(*(list(self._formulas(extent, whole=len(shape) == 1)) for extent in shape)))
        sizes = {**self._numbers, **{each: value for each, value in self._apart.items() if each in self._followed}}
        seen = [way for way in ways if any(each.factors for each in way) and touched < before and _volume(way, sizes) == touched]
        if seen:
            pitch = 0 if self._probe is None else self._probe.pitch.get(name, 0)
            return min(seen, key=lambda way: (*_plainness(way), way[-1].at(sizes) != pitch))
        if touched and touched < before == prod(shape) and len(shape) == 1 and (affine := self._affine(shape[0], before - touched)):
            return (affine,)
        if not addressed:
            said = [way for way in ways if all(0 < len(each.factors) <= MOST_SAID and each.coefficient == 1 for each in way)]
            if said and not (self._stays(name) and all(each in self._followed for way in said for one in way for each in one.factors)):
                self._tied |= len(set(said)) > 1
                return min(said, key=lambda way: (sum(each not in self._followed for one in way for each in one.factors), _plainness(way)))
        return tuple(map(constant, shape))

    def _stays(self, name: str) -> bool:
        """Whether an array is touched as far when other arrays shrink, and with more blocks: it is as long as a number by chance."""
        before = self._first.extent(name)
        if self._probe is None or self._wide is None or self._probe.alike(self._first):
            return False
        return before > 0 and self._probe.extent(name) == before == self._wide.extent(name)

    @cached_property
    def _wide(self) -> Footprint | None:
        """The launch with twice the blocks along each axis that the kernel asks for, and arrays that are long enough."""
        read = {each.name for each in descendants(self._kernel.body) if isinstance(each, ir.Special)}
        times = [2 if f"blockIdx.{letter}" in read else 1 for letter in "xyz"]
        x, y, z = (blocks * each for blocks, each in zip(self._base.grid, times, strict=True))
        arguments = {
            name: replace(given, count=given.count * prod(times)) if isinstance(given, Filled) else given
            for name, given in self._base.arguments.items()
        }
        return self._execute(replace(self._base, grid=(x, y, z), arguments=arguments))

    def _formulas(self, extent: int, *, whole: bool) -> Iterator[Formula]:
        """What an extent may be: a number, or products of parameters, of a side of a matrix a single one."""
        yield constant(extent)
        names = [name for name, value in self._numbers.items() if value > 1]
        for factors in range(1, (MOST_FACTORS if whole else 1) + 1):
            for chosen in combinations_with_replacement(names, factors):
                coefficient, rest = divmod(extent, prod(self._numbers[each] for each in chosen))
                if not rest and 1 <= coefficient <= MOST_COEFFICIENT:
                    yield Formula(chosen, coefficient)

    def _affine(self, extent: int, less: int) -> Formula | None:
        """n + 2, as a stencil has it: as many elements less were touched as n was lowered by."""
        able = [
            Formula((name,), 1, extent - value)
            for name, value in self._numbers.items()
            if name in self._followed and 0 < abs(extent - value) <= MOST_ADDED and value - self._apart[name] == less
        ]
        return able[0] if len(able) == 1 else None

    def _reaches(self, name: str, array: str) -> bool:
        """Whether how far an array is reached follows a parameter."""
        found = self._halved.get(name)
        return found is not None and array in self._shapes and found.extent(array) != self._first.extent(array)

    # ------------------------------------------------------------ the grid

    def _axis(self, axis: int, sized: Set[str]) -> Axis:
        """What the blocks along an axis cover: parameters with which fewer of them write; else those that the launch itself fits.

        Any small number fits a single block: there it is one of those that arrays follow, `sized`.
        """
        blocks, threads = self._base.grid[axis], self._base.block[axis]
        letter = f"blockIdx.{'xyz'[axis]}"
        if not any(isinstance(each, ir.Special) and each.name == letter for each in descendants(self._kernel.body)):
            return Axis(constant(blocks))
        full = self._first.blocks[axis]
        fewer = [name for name, found in self._halved.items() if found is not None and 0 < found.blocks[axis] < full]
        if fewer:
            formula = Formula(tuple(fewer))
            each = _each(formula.at(self._numbers), blocks, threads)
            return Axis(formula, each) if each else Axis(constant(blocks))
        fitting = [
            name for name, value in self._numbers.items() if value > 1 and _fits(value, blocks, threads) and (blocks > 1 or name in sized)
        ]
        self._tied |= len(fitting) > 1
        if fitting:
            return Axis(Formula((fitting[0],)), 1 if self._numbers[fitting[0]] == blocks else threads)
        return Axis(constant(blocks))

    # ------------------------------------------------------------ indices

    def _integer_arrays(self) -> Iterator[str]:
        """The arrays of whole numbers that hold something and are read."""
        for name, given in self._base.arguments.items():
            kind = self._types[name]
            held = isinstance(given, np.ndarray) or (isinstance(given, Filled) and given.fill is not None)
            if held and name in self._first.loaded and isinstance(kind, Pointer) and _is_whole(kind.target):
                yield name

    def _addressed_by(self, name: str) -> tuple[str, ...]:
        """The arrays of which a site touches other elements when this one holds zeros, or ones."""
        given = self._base.arguments[name]
        found: set[tuple[object, str]] = set()
        for value in (0, 1):
            kind = self._types[name]
            assert isinstance(kind, Pointer)
            count = prod(self._shapes[name])
            other = np.full(count, value, given.dtype if isinstance(given, np.ndarray) else _dtype(kind.target))
            seen = self._with({name: other})
            if seen is not None:
                first, none = self._first.places, np.zeros(0, np.int64)
                keys = {**first, **seen.places}
                found |= {each for each in keys if not np.array_equal(seen.places.get(each, none), first.get(each, none))}
        return tuple(sorted({array for _, array in found}))

    def _kept(self, sizes: Mapping[str, int], capped: frozenset[str], fixed: list[str], *, tied: bool) -> Iterator[Message]:
        """What is not varied, in words."""
        for name, value in self._numbers.items():
            if name not in sizes:
                told = message("{name} stays {value}: neither an array's extent nor the grid follows it.", name=name, value=value)
                yield told if name in self._followed else message("{name} stays {value}: nothing that is accessed follows it.", name=name,
                                                                  value=value)  # fmt: skip
            elif name in capped:
                yield message("{name} grows no further than {value}: how large an array would have to be then is not known.",
                              name=name, value=value)  # fmt: skip
        if tied:
            yield message(
                "{names} are varied together: the executions do not tell which array follows which of them.", names=", ".join(sizes)
            )
        if fixed:
            yield message("Arrays that keep their size, as none of the numbers tells it: {names}.", names=", ".join(fixed))


def _each(covered: int, blocks: int, threads: int) -> int:
    """How many elements a block covers along an axis, so that the launch's blocks cover all; 0 where that is not to be told."""
    if covered == blocks:
        return 1
    for times in range(1, WIDEST + 1):
        if -(-covered // (threads * times)) == blocks:
            return threads * times
    return -(-covered // blocks) if blocks > 1 else 0


def _fits(covered: int, blocks: int, threads: int) -> bool:
    """Whether so many blocks are just what elements need of which each thread, or each block, has one."""
    return covered == blocks or threads * blocks >= covered > threads * (blocks - 1)


def _volume(way: tuple[Formula, ...], sizes: Mapping[str, int]) -> int:
    return prod(each.at(sizes) for each in way)


def _plainness(way: tuple[Formula, ...]) -> tuple[int, int]:
    return sum(each.coefficient != 1 for each in way), sum(len(each.factors) for each in way)


def _is_whole(kind: object) -> bool:
    return isinstance(kind, Scalar) and kind.kind in (Kind.SIGNED, Kind.UNSIGNED)


def _is_array(given: Argument) -> bool:
    return isinstance(given, Filled | np.ndarray)


def _count(given: Argument, kind: object) -> int:
    assert isinstance(kind, Pointer)
    return (
        given.count if isinstance(given, Filled) else given.nbytes // max(size_of(kind.target), 1) if isinstance(given, np.ndarray) else 0
    )


def _dtype(kind: object) -> np.dtype[np.generic]:
    assert isinstance(kind, Scalar)
    return scalar_dtype(kind)
