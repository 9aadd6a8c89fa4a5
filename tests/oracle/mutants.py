"""Kernel texts with something broken in them, and launches to try them with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from kernels.simt.base.launch import MIB, Budget, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.trace.launch_spec import LaunchSpec
from tests.oracle import corpus, wild_arrays, wild_science

SHIPPED = Path(__file__).resolve().parents[2] / "kernels" / "gpu"
BUDGET = Budget(seconds=0.5, rows=50_000, bytes=64 * MIB)
HUGE = (
    "0", "-1", "2147483648", "4294967296", "99999999999999999999999", "0x7fffffffffffffff", "1e308", "1e39f", "3.4e38f", "1 << 31",
    "'\\777'", "08", "0b2", "1.5.2", "(1 / 0)", "sizeof(int[1 << 30])",
)  # fmt: skip
EXTENTS = ("1 << 20", "1 << 30", "0", "-1", "1ull << 40", "1u << 31", "threadIdx.x", "", "1.5")
STRANGE = (
    "\0", "\r", "\x0b", "\u2028", "é", "\U0001f600", "\ufeff", "\\\n", "??/", "\x1a", '"', "'", "/*", "*/", "//", "#", "#if 1\n", "#else\n",
    "\n#include __FILE__\n", "\n#include \"/dev/zero\"\n", "\n#pragma once\n", "\n#define int int*\n", "\n#define if while\n",
    "\n#line 0\n", "\n#line 2147483647 \"other.cu\"\n", "%:", "<::", "@", "`", "$",
)  # fmt: skip
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
NUMBER = re.compile(r"\b\d[\w.]*")
EXTENT = re.compile(r"\[[^\[\]]+\](?=[\[\];])")


@dataclass(frozen=True, slots=True)
class Original:
    """A text with a kernel in it, and a launch of that."""

    name: str
    text: str
    entry: str | None
    request: LaunchRequest


def originals() -> list[Original]:
    """The shipped kernels, which get no arguments, and all texts of the corpus."""
    found = []
    for path in sorted(SHIPPED.glob("*.cu")):
        text = path.read_text(encoding="utf-8")
        found.append(Original(path.name, text, parse(text).kernels[0].name, LaunchRequest((1, 1, 1), (32, 1, 1))))
    for folder in ("bugs", "clean"):
        for path in corpus.files(folder):
            case = corpus.read(path)
            found.append(Original(path.name, path.read_text(encoding="utf-8"), case.kernel.entry, case.request))
    for program in (*wild_arrays.PROGRAMS, *wild_science.PROGRAMS):
        text = (corpus.FOLDER / "wild" / f"{program.file}.cu").read_text(encoding="utf-8")
        request = LaunchRequest(program.grid, program.block, program.arguments, program.shared_bytes)
        found.append(Original(f"{program.file}: {program.entry}", text, program.entry, request))
    return [replace(each, request=replace(each.request, budget=BUDGET)) for each in found]


def job(original: Original, text: str) -> LaunchSpec:
    """What the worker is asked for a broken text."""
    return LaunchSpec(text, original.entry, original.request)


def broken(original: Original, random: Random) -> tuple[str, str]:
    """What was done to the text, and the text."""
    change = random.choice(CHANGES)
    text = original.text
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        text = change(text, random)
    return change.__name__.strip("_"), text


def _truncated(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)]


def _beheaded(text: str, random: Random) -> str:
    return text[random.randrange(len(text) + 1) :]


def _without_token(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    return "".join(tokens[:at] + tokens[at + 1 :])


def _doubled_token(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    return "".join([*tokens[: at + 1], " ", *tokens[at:]])


def _repeated_token(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    return "".join(tokens[:at] + [tokens[at] + " "] * random.choice((50, 500, 20_000)) + tokens[at:])


def _swapped_tokens(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    other = random.randrange(len(tokens))
    tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def _other_token(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    tokens[at] = random.choice(tokens)
    return "".join(tokens)


def _huge_number(text: str, random: Random) -> str:
    return _put(text, random, NUMBER, random.choice(HUGE))


def _huge_extent(text: str, random: Random) -> str:
    return _put(text, random, EXTENT, f"[{random.choice(EXTENTS)}]")


def _strange_characters(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(STRANGE) + text[at:]


def _long_line(text: str, random: Random) -> str:
    return text.replace("\n", " ") if random.random() < 0.3 else text + "//" + "x" * 200_000


def _nested(text: str, random: Random) -> str:
    tokens, at = _tokens(text, random)
    opening, closing = random.choice((("(", ")"), ("{", "}"), ("[", "]"), ("-", ""), ("if (1) ", ""), ("(int)", ""), ("*&", "")))
    depth = random.choice((10, 100, 250, 5000))
    tokens[at] = opening * depth + tokens[at] + closing * depth
    return "".join(tokens)


def _swapped_lines(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    random.shuffle(lines) if random.random() < 0.2 else lines.insert(random.randrange(len(lines)), lines.pop(random.randrange(len(lines))))
    return "".join(lines)


def _tokens(text: str, random: Random) -> tuple[list[str], int]:
    """The tokens, never none, and one that is not only space."""
    tokens = TOKEN.findall(text) or [" "]
    visible = [i for i, token in enumerate(tokens) if not token.isspace()] or [0]
    return tokens, random.choice(visible)


def _put(text: str, random: Random, pattern: re.Pattern[str], new: str) -> str:
    """One place that matches, replaced."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    place = random.choice(found)
    return text[: place.start()] + new + text[place.end() :]


CHANGES: Sequence[Callable[[str, Random], str]] = (
    _truncated, _truncated, _beheaded, _without_token, _without_token, _doubled_token, _repeated_token, _swapped_tokens, _other_token,
    _other_token, _huge_number, _huge_number, _huge_extent, _huge_extent, _strange_characters, _long_line, _nested, _swapped_lines,
)  # fmt: skip
