"""Launches that stand in device code. The compiler that libclang is knows none, so its text is another one, as long as the program's:
`kernel<<<shape>>>(a, b)` is a call of `kernel` whose first argument has the configuration before it, `kernel((C(shape), a), b)`; kernels
are then functions of the device. On the host's side, which does not execute them, the launches are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

KERNEL = "tilescope kernel"
"""How a kernel is annotated where it is a function of the device."""
CONFIGURATION = "__tilescope_configuration"
"""The function whose arguments are a launch's configuration."""
DEFINES = f"""#undef __global__
#define __global__ __attribute__((device)) __attribute__((annotate("{KERNEL}")))
#undef NULL
#define NULL nullptr
#define $ ({CONFIGURATION}(
#define $a(first, ...) ), first) __VA_OPT__(,) __VA_ARGS__)
#define $n() ))
"""
"""What stands before a program that has been written so."""
_OPENS = {b"(": b")", b"[": b"]", b"{": b"}"}
_TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|R\"(?P<raw>[^()\\\s]*)\(.*?\)(?P=raw)\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|(?P<code><<<|>>>|[(){}\[\];])",
    re.DOTALL,
)
_NAME = re.compile(rb"(?:[A-Za-z_]\w*\s*::\s*|::\s*)*[A-Za-z_]\w*\s*\Z")
_DEVICE = re.compile(rb"\b__(?:global|device)__\b")
_HOST = re.compile(rb"\b__host__\b")


@dataclass(frozen=True, slots=True)
class _Found:
    """A launch, as places in its text: where `<<<` and `>>>` begin, where its arguments are, and whether a host function has it too."""

    opened: int
    closed: int
    arguments: tuple[int, int]
    on_host: bool


def has_launches(text: bytes) -> bool:
    """Say whether launches stand in device code of a text."""
    return next(_found(text), None) is not None


def as_calls(text: bytes) -> bytes:
    """The text with its launches in device code as calls."""
    made = bytearray(text)
    for each in _found(text):
        first, last = each.arguments
        given = bool(text[first:last].strip())
        made[each.opened : each.opened + 3] = b"($ " if given else b",$ "
        made[each.closed : each.closed + 3] = b" $a" if given else b" $n"
    return bytes(made)


def without(text: bytes) -> bytes:
    """The text without the launches that only device code has."""
    made = bytearray(text)
    for each in _found(text):
        if not each.on_host:
            start, end = _name_before(text, each.opened), each.arguments[1] + 1
            made[start:end] = re.sub(rb"[^\r\n]", b" ", text[start:end])
            made[start : start + 1] = b"0"
    return bytes(made)


def _found(text: bytes) -> Iterator[_Found]:
    """Find the launches in functions whose head, or that of a function around them, says `__global__` or `__device__`."""
    if b"<<<" not in text:
        return
    heads: list[bytes] = []
    tokens = [(each["code"], each.start()) for each in _TOKEN.finditer(text) if each["code"]]
    begin = 0
    for position, (token, at) in enumerate(tokens):
        if token == b"{":
            heads.append(text[begin:at])
        elif token == b"}" and heads:
            heads.pop()
        elif token == b"<<<" and any(map(_DEVICE.search, heads)):
            ends = _ends(tokens, position)
            if ends is not None:
                yield _Found(at, ends[0], (ends[1] + 1, ends[2]), any(map(_HOST.search, heads)))
        if token in (b"{", b"}", b";"):
            begin = at + 1


def _ends(tokens: list[tuple[bytes, int]], position: int) -> tuple[int, int, int] | None:
    """Find where `>>>` stands that closes a configuration, and the brackets of the arguments behind it."""
    closed = _closing(tokens, position + 1, b">>>")
    if closed is None or closed + 1 >= len(tokens) or tokens[closed + 1][0] != b"(":
        return None
    last = _closing(tokens, closed + 2, b")")
    return None if last is None else (tokens[closed][1], tokens[closed + 1][1], tokens[last][1])


def _closing(tokens: list[tuple[bytes, int]], position: int, wanted: bytes) -> int | None:
    waiting: list[bytes] = []
    for number in range(position, len(tokens)):
        token = tokens[number][0]
        if not waiting and token == wanted:
            return number
        if token in _OPENS:
            waiting.append(_OPENS[token])
        elif waiting and token == waiting[-1]:
            waiting.pop()
        elif token in (b";", b"}") and not waiting:
            return None
    return None


def _name_before(text: bytes, end: int) -> int:
    """Where the kernel's name begins that ends at a place, template arguments included."""
    at = end
    before = text[:at].rstrip()
    if before.endswith(b">"):
        depth = 0
        for at in range(len(before) - 1, -1, -1):
            depth += (before[at : at + 1] == b">") - (before[at : at + 1] == b"<")
            if depth == 0:
                break
    name = _NAME.search(text[max(at - 300, 0) : at])
    return at if name is None else at - (min(at, 300) - name.start())
