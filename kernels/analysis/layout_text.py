"""Reads a layout as the CuTe library prints it: (8,(4,2)):(1,(8,64)), with Sw<3,4,3> and an offset before it, joined by "o"; also what the
library's algebra makes of layouts, such as logical_divide((8,8):(8,1), 4:2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kernels.analysis.layouts import (
    CHECKED,
    ComposedLayout,
    CuteLayout,
    IntTuple,
    Swizzle,
    compact,
    complement,
    composition,
    logical_divide,
)
from kernels.base.messages import Message, ReasonedError, message

LONGEST = 500
DEEPEST = 12
LARGEST_NUMBER = 1 << 30
LARGEST_SIZE = 1 << 20
_TOKEN = re.compile(r"\s*(_?\d+|[A-Za-z]\w*|\S)", re.ASCII)
_COMPOSE, _SWIZZLES = ("o", "∘"), ("Sw", "S", "Swizzle")
_OPERATIONS: Mapping[str, Callable[[CuteLayout, CuteLayout], CuteLayout | Message]] = {
    "composition": composition, "logical_divide": logical_divide,
}  # fmt: skip
_COMPLEMENT = "complement"


class _Refused(ReasonedError):
    """What cannot stand in a layout."""


def parse_layout(text: str) -> ComposedLayout | Message:
    """The function that the text stands for, or why it stands for none, with the column."""
    if len(text) > LONGEST:
        return message("A layout of {count} characters is too long; {limit} are read.", count=len(text), limit=LONGEST)
    try:
        return _Reader(text).whole()
    except _Refused as refused:
        return refused.reason


class _Reader:
    """Reads from left to right; refuses by `_Refused`."""

    def __init__(self, text: str) -> None:
        found = list(_TOKEN.finditer(text.rstrip()))
        self.tokens = [match[1] for match in found] + [""]
        self.columns = [match.start(1) + 1 for match in found] + [len(text.rstrip()) + 1]
        self.place = 0

    def whole(self) -> ComposedLayout:
        parts = [self.part()]
        while self.tokens[self.place] in _COMPOSE:
            self.place += 1
            parts.append(self.part())
        if self.tokens[self.place]:
            raise self.expected(message("“o” or the end"))
        if not isinstance(parts[-1], CuteLayout):
            raise self.refuse(message("what stands last must be a layout, as (8,8):(8,1)"))
        return self.within_limits(ComposedLayout(tuple(parts)))

    def within_limits(self, layout: ComposedLayout) -> ComposedLayout:
        if layout.last > LARGEST_NUMBER:
            limits = {"last": layout.last, "limit": LARGEST_NUMBER}
            raise self.refuse(message("offsets could go up to {last}; up to {limit} are shown", **limits), 0)
        return layout

    def part(self) -> CuteLayout | Swizzle | int:
        if self.tokens[self.place] in _SWIZZLES:
            return self.swizzle()
        if self.tokens[self.place] in (*_OPERATIONS, _COMPLEMENT):
            return self.operation(0)
        first = self.place
        shape = self.nested(0)
        if self.tokens[self.place] == ":":
            self.place += 1
            at = self.place
            stride = self.nested(0)
            self.congruent(shape, stride, at)
            layout = CuteLayout(shape, stride)
        elif isinstance(shape, int) and self.tokens[self.place] in _COMPOSE:
            return shape  # an offset
        else:
            layout = compact(shape)
        self.limited(layout, first)
        return layout

    def operation(self, depth: int) -> CuteLayout:
        """What an operation makes of its layouts, or of a layout and how far its complement goes."""
        first, name = self.place, self.tokens[self.place]
        if depth == DEEPEST:
            raise self.refuse(message("more than {limit} brackets within one another", limit=DEEPEST))
        self.place += 1
        self.take("(")
        layout = self.operand(depth)
        self.take(",")
        made = complement(layout, self.number()) if name == _COMPLEMENT else _OPERATIONS[name](layout, self.operand(depth))
        self.take(")")
        if isinstance(made, Message):
            raise _Refused(message("Column {column}: {sentence}", column=self.columns[first], sentence=made))
        self.limited(made, first)
        return made

    def operand(self, depth: int) -> CuteLayout:
        first = self.place
        made = self.operation(depth + 1) if self.tokens[first] in (*_OPERATIONS, _COMPLEMENT) else self.part()
        if isinstance(made, int):
            made = compact(made)
        if not isinstance(made, CuteLayout):
            raise self.refuse(message("an operation takes layouts, as (8,8):(8,1)"), first)
        if made.size > CHECKED:
            raise self.refuse(message("an operation takes up to {limit} coordinates", limit=CHECKED), first)
        return made

    def limited(self, layout: CuteLayout, first: int) -> None:
        if any(shape == 0 for shape, _ in layout.flat):
            raise self.refuse(message("a shape has a 0: there would be no coordinate"), first)
        if layout.size > LARGEST_SIZE:
            size = {"size": layout.size, "limit": LARGEST_SIZE}
            raise self.refuse(message("{size} coordinates are more than the {limit} that are shown", **size), first)

    def swizzle(self) -> Swizzle:
        first = self.place
        self.place += 1
        numbers = []
        for sign in ("<", ",", ","):
            self.take(sign)
            numbers.append(self.number())
        self.take(">")
        bits, base, shift = numbers
        if bits + base + shift > 30 or bits > shift:
            raise self.refuse(message("Sw<B,M,S> has B bits at M that those at M + S are added to: B is at most S, all three 30"), first)
        return Swizzle(bits, base, shift)

    def nested(self, depth: int) -> IntTuple:
        if self.tokens[self.place] != "(":
            return self.number()
        if depth == DEEPEST:
            raise self.refuse(message("more than {limit} brackets within one another", limit=DEEPEST))
        self.place += 1
        parts = [self.nested(depth + 1)]
        while self.tokens[self.place] == ",":
            self.place += 1
            parts.append(self.nested(depth + 1))
        if self.tokens[self.place] != ")":
            raise self.expected(message("“,” or “)”"))
        self.place += 1
        return tuple(parts)

    def number(self) -> int:
        digits = self.tokens[self.place].removeprefix("_")
        if not (digits.isascii() and digits.isdigit()):
            raise self.expected(message("a number or “(”"))
        if len(digits) > 10 or int(digits) > LARGEST_NUMBER:
            raise self.refuse(message("{number} is too large; up to {limit} is read", number=digits, limit=LARGEST_NUMBER))
        self.place += 1
        return int(digits)

    def take(self, sign: str) -> None:
        if self.tokens[self.place] != sign:
            raise self.expected(message("“{sign}”", sign=sign))
        self.place += 1

    def congruent(self, shape: IntTuple, stride: IntTuple, at: int) -> None:
        if isinstance(shape, int) and isinstance(stride, int):
            return
        if isinstance(shape, int) or isinstance(stride, int) or len(shape) != len(stride):
            raise self.refuse(message("the stride is not nested like the shape: each number of the shape has one"), at)
        for part, its_stride in zip(shape, stride, strict=True):
            self.congruent(part, its_stride, at)

    def expected(self, what: Message) -> _Refused:
        found = self.tokens[self.place]
        if not found:
            return self.refuse(message("{what} is expected, but the text ends", what=what))
        return self.refuse(message("{what} is expected, not “{found}”", what=what, found=found))

    def refuse(self, reason: Message, place: int | None = None) -> _Refused:
        column = self.columns[self.place if place is None else place]
        return _Refused(message("Column {column}: {reason}.", column=column, reason=reason))
