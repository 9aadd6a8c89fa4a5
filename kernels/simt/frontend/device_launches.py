"""Launches that stand in device code. The compiler that libclang is knows none, so its text is another one, as long as the program's:
`kernel<<<shape>>>(a, b)` is a call of `kernel` whose first argument has the configuration before it, `kernel((C(shape), a), b)`; kernels
are then functions of the device. On the host's side, which does not execute them, the launches are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from kernels.base.values import dataclass

KERNEL = "tilescope kernel"
"""How a kernel is annotated where it is a function of the device."""
CONFIGURATION = "__tilescope_configuration"
"""The function whose arguments are a launch's configuration."""
OF_RUNTIME = ("__device_memcpy", "__device_memset")
"""Kernels of the prelude: what a kernel copies or fills in a stream is a launch of one."""
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
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<body>(?:[^\\\n]|\\\r?\n|\\.)*)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_USED = re.compile(_TOKEN.pattern + rb"|(?P<word>\w+)", re.DOTALL)
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


Macros = Mapping[bytes, bool]
"""The names of macros that launch; whether the kernel stands before them, and its arguments behind."""


def launching_macros(texts: Iterable[bytes]) -> Macros:
    """The macros of a program that launch, and those that use such a macro."""
    bodies = {each["name"]: each["body"] for text in texts if b"<<<" in text for each in _DEFINE.finditer(text)}
    found = {name for name, body in bodies.items() if b"<<<" in body}
    while more := {name for name, body in bodies.items() if name not in found and found & set(_WORD.findall(body))}:
        found |= more
    return {name: bodies[name].rstrip().endswith(b">>>") for name in found}


def has_launches(text: bytes, macros: Macros) -> bool:
    """Say whether launches stand in device code of a text, as they are or as macros."""
    return next(_found(text), None) is not None or next(_uses(text, macros), None) is not None


def as_calls(text: bytes) -> bytes:
    """The text with its launches in device code, and those in macros, as calls."""
    made = bytearray(text)
    for each in (*_found(text), *_in_macros(text)):
        first, last = each.arguments
        given = first == last == each.closed or bool(text[first:last].strip())
        made[each.opened : each.opened + 3] = b"($ " if given else b",$ "
        made[each.closed : each.closed + 3] = b" $a" if given else b" $n"
    return bytes(made)


def without(text: bytes, macros: Macros) -> bytes:
    """The text without the launches that only device code has."""
    made = bytearray(text)
    whole = ((_name_before(text, each.opened), each.arguments[1] + 1) for each in _found(text) if not each.on_host)
    for start, end in (*whole, *_uses(text, macros)):
        made[start:end] = re.sub(rb"[^\r\n]", b" ", text[start:end])
        made[start : start + 1] = b"0"
    return bytes(made)


def _found(text: bytes) -> Iterator[_Found]:
    """Find the launches in functions whose head, or that of a function around them, says `__global__` or `__device__`."""
    if b"<<<" not in text:
        return
    for tokens, on_host in _device_code(text):
        for position, (token, at) in enumerate(tokens):
            if token == b"<<<" and (ends := _ends(tokens, position)) is not None:
                yield _Found(at, ends[0], (ends[1] + 1, ends[2]), on_host)


def _in_macros(text: bytes) -> Iterator[_Found]:
    """Find the launches in macros; the arguments of one that ends with its configuration stand where the macro is used."""
    for define in _DEFINE.finditer(text):
        tokens = [(each["code"], define.start("body") + each.start()) for each in _TOKEN.finditer(define["body"]) if each["code"]]
        for position, (token, at) in enumerate(tokens):
            closed = _closing(tokens, position + 1, b">>>") if token == b"<<<" else None
            if closed is not None:
                ends = _ends(tokens, position)
                last = tokens[closed][1]
                yield _Found(at, last, (last, last) if ends is None else (ends[1] + 1, ends[2]), on_host=True)


def _device_code(text: bytes) -> Iterator[tuple[list[tuple[bytes, int]], bool]]:
    """The tokens of each function of the device, and whether it is one of the host, too."""
    heads: list[bytes] = []
    inside: list[tuple[bytes, int]] | None = None
    begin = outer = 0
    for each in _TOKEN.finditer(text):
        token, at = each["code"], each.start()
        if not token:
            continue
        if inside is not None:
            inside.append((token, at))
        if token == b"{":
            heads.append(text[begin:at])
            if inside is None and _DEVICE.search(heads[-1]):
                inside, outer = [(token, at)], len(heads)
        elif token == b"}" and heads:
            if inside is not None and len(heads) == outer:
                yield inside, any(map(_HOST.search, heads))
                inside = None
            heads.pop()
        if token in (b"{", b"}", b";"):
            begin = at + 1
    if inside:
        yield inside, any(map(_HOST.search, heads))


def _uses(text: bytes, macros: Macros) -> Iterator[tuple[int, int]]:
    """Where functions of the device alone use one of some macros: from the kernel's name to the last bracket."""
    if not macros:
        return
    for tokens, on_host in _device_code(text):
        begin, end = tokens[0][1], tokens[-1][1]
        for each in _USED.finditer(text, begin, end) if not on_host else ():
            if each["word"] not in macros:
                continue
            behind = [token for token in tokens if token[1] >= each.end()]
            last, position = each.end(), 0
            while position < len(behind) and behind[position][0] == b"(" and not text[last : behind[position][1]].strip():
                closed = _closing(behind, position + 1, b")")
                if closed is None:
                    break
                last, position = behind[closed][1] + 1, closed + 1
            yield (_name_before(text, each.start()) if macros[each["word"]] else each.start()), last


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
