"""The order in which lines of `gpu.hello` came: read from what was printed, kept as text, and what can be said of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise

from kernels.base.spec import Parameters
from kernels.base.values import dataclass

HOST = -1
"""Stands for the host's line in an order."""
HOST_LINE = "Hello World from the host!"
WARP = 32
_LINE = re.compile(r"Hello World from Thread \((\d+), (\d+)\) in Block (\d+)!")

Order = tuple[int, ...]
"""Who printed, line after line: a thread's number in the grid, block after block, x before y; or HOST."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A launch of `gpu.hello`: a row of blocks of x times y threads."""

    blocks: int
    x: int
    y: int

    @staticmethod
    def of(parameters: Parameters) -> Shape:
        """The launch with these parameters."""
        return Shape(parameters["blocks"], parameters["threads_x"], parameters["threads_y"])

    @property
    def threads(self) -> int:
        """Number of threads of a block."""
        return self.x * self.y

    def line(self, number: int) -> str:
        """What is printed, without the end of the line."""
        if number == HOST:
            return HOST_LINE
        block, thread = divmod(number, self.threads)
        return f"Hello World from Thread ({thread % self.x}, {thread // self.x}) in Block {block}!"


@dataclass(frozen=True, slots=True)
class OrderProperties:
    """Properties that an order of printed lines has."""

    complete: bool
    """Every thread has its line, once."""
    host_first: bool
    warps_together: bool
    """The lines of a warp come one after the other, in the order of its lanes."""
    blocks_together: bool
    """Between two lines of a block there is none of another: the blocks are contiguous."""
    warps_in_order: bool
    """Within a block, warps begin in the order of their numbers."""
    blocks_in_order: bool
    """Blocks begin in the order of their numbers."""


def order_of(text: str, shape: Shape) -> Order:
    """Who printed the lines of a text. ValueError for a line that is nobody's."""
    return tuple(_who(line, shape) for line in text.splitlines())


def properties_of(order: Order, shape: Shape) -> OrderProperties:
    """Return the properties of an order."""
    threads = [number for number in order if number != HOST]
    warps = [(number // shape.threads, number % shape.threads // WARP) for number in threads]
    blocks = [block for block, _ in warps]
    runs = [warp for warp, _ in groupby(warps)]
    follow = all(one < other for (one, other), (a, b) in zip(pairwise(threads), pairwise(warps), strict=True) if a == b)
    return OrderProperties(
        complete=sorted(threads) == list(range(shape.blocks * shape.threads)),
        host_first=order[:1] == (HOST,),
        warps_together=len(runs) == len(set(runs)) and follow,
        blocks_together=len([block for block, _ in groupby(blocks)]) == len(set(blocks)),
        warps_in_order=all(_ascending([warp for block, warp in dict.fromkeys(warps) if block == each]) for each in set(blocks)),
        blocks_in_order=_ascending(list(dict.fromkeys(blocks))),
    )


def written(order: Order) -> str:
    """An order as text: numbers that follow each other as first-last, everything else one by one; h is the host."""
    parts: list[list[int]] = []
    for number in order:
        if parts and HOST not in (number, parts[-1][1]) and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join("h" if first == HOST else str(first) if first == last else f"{first}-{last}" for first, last in parts)


def read(text: str) -> Order:
    """The order that `written` made a text of."""
    numbers: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        numbers += [HOST] if part == "h" else range(int(first), int(last or first) + 1)
    return tuple(numbers)


@dataclass(frozen=True, slots=True)
class Recorded:
    """Orders that were observed on a GPU, `conditions` says on which and when, by the launch's shape."""

    conditions: Mapping[str, str]
    orders: Mapping[Shape, tuple[Order, ...]]


@cache
def recorded() -> Recorded | None:
    """The orders that come with the program, or None where there are none."""
    path = files("resources").joinpath("recorded/hello_h200.json")
    return recorded_from(path.read_text(encoding="utf-8")) if path.is_file() else None


def recorded_text(conditions: Mapping[str, str], orders: Mapping[Shape, Sequence[Order]]) -> str:
    """A file of recorded orders: one line for each shape."""
    rows = (json.dumps({"shape": [shape.blocks, shape.x, shape.y], "runs": [*map(written, runs)]}) for shape, runs in orders.items())
    return f'{{"conditions": {json.dumps(dict(conditions), ensure_ascii=False, indent=1)},\n"launches": [\n' + ",\n".join(rows) + "\n]}\n"


def recorded_from(text: str) -> Recorded:
    """What `recorded_text` wrote."""
    document = json.loads(text)
    return Recorded(document["conditions"], {Shape(*row["shape"]): tuple(map(read, row["runs"])) for row in document["launches"]})


def _who(line: str, shape: Shape) -> int:
    found = _LINE.fullmatch(line)
    if found is None and line != HOST_LINE:
        raise ValueError(line)
    if found is None:
        return HOST
    x, y, block = map(int, found.groups())
    return block * shape.threads + y * shape.x + x


def _ascending(values: Sequence[int]) -> bool:
    return list(values) == sorted(values)
