"""Machine code as nvdisasm prints it, with the source line of each instruction, and the loop in which a kernel spends its time.

Registers and memory are read from what NVIDIA's assembler reports with `--ptxas-options=-v`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath

from kernels.base.values import dataclass
from kernels.compiled.control import Control, control_code

_SECTION = re.compile(r"\s*\.section\s+\.text\.([^,\s]+)")
_PLACE = re.compile(r'\s*//## File "([^"]*)", line (\d+)')
_INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]+)\*/\s+(?:\{\s*)?(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
_UPPER_HALF = re.compile(r"\s*/\* 0x([0-9a-f]{16}) \*/\s*$")
"""Of an instruction of 128 bits: a row of its own behind that of the instruction."""
_LABEL = re.compile(r"\s*(\.L\w+):")
_NAMED = re.compile(r"`\((\.L\w+)\)")
_ACCESSES = {
    "LDS": (("load", "shared"),), "LDSM": (("load", "shared"),), "STS": (("store", "shared"),), "STSM": (("store", "shared"),),
    "ATOMS": (("atomic", "shared"),),
    "LDG": (("load", "global"),), "STG": (("store", "global"),),
    "ATOMG": (("atomic", "global"),), "RED": (("atomic", "global"),), "REDG": (("atomic", "global"),),
    "LDL": (("load", "local"),), "STL": (("store", "local"),),
    "LD": (("load", "generic"),), "ST": (("store", "generic"),), "ATOM": (("atomic", "generic"),),
    "LDC": (("load", "constant"),),
    "LDGSTS": (("load", "global"), ("store", "shared")),
}  # fmt: skip
_WIDTHS = {"U8": 1, "S8": 1, "8": 1, "U16": 2, "S16": 2, "16": 2, "F16": 2, "64": 8, "F64": 8, "128": 16, "256": 32}
_WORD = 4
_NEVER = "@!PT"
"""The predicate that is never true."""


@dataclass(frozen=True, slots=True)
class Access:
    """A memory access of an instruction: `operation` load, store or atomic; `space` shared, global, local, constant or generic (an
    address whose space the compiler does not know); `bytes` of each lane."""

    operation: str
    space: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """One machine instruction. `line` is of the compiled text, 0 where it comes from none; what a header's function has become is on
    the line that calls it."""

    address: int
    line: int
    predicate: str
    opcode: str
    operands: str
    target: int | None = None
    """Of a branch, the address where it goes on."""
    control: Control | None = None
    """None where the listing was printed without the encoded instructions."""

    @property
    def text(self) -> str:
        """The instruction as it is written in assembly language."""
        return " ".join(part for part in (self.predicate, self.opcode, self.operands) if part)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """What it does to memory; a copy from global to shared memory does two things."""
        return () if self.predicate == _NEVER else _accesses_of(self.opcode)


@lru_cache(maxsize=1024)
def _accesses_of(opcode: str) -> tuple[Access, ...]:
    """A kernel has thousands of instructions and few opcodes."""
    name, *modifiers = opcode.split(".")
    width = next((_WIDTHS[modifier] for modifier in modifiers if modifier in _WIDTHS), _WORD)
    return tuple(Access(operation, space, width) for operation, space in _ACCESSES.get(name, ()))


def parse_listing(listing: str, file: str) -> Mapping[str, tuple[Instruction, ...]]:
    """The instructions of each function by symbol; lines are of the text called `file`.

    `listing` is what `nvdisasm --print-code --print-line-info-inline --print-instruction-encoding` prints: before an instruction of
    another place than the last one's, the places it stands for, the innermost inlined function's first; behind it its upper half.
    """
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    labels: dict[str, int] = {}
    """How many instructions of its function stand before a label."""
    line, in_place = 0, False
    for row in listing.splitlines():
        if section := _SECTION.match(row):
            current, line, in_place = functions.setdefault(section[1], []), 0, False
        elif label := _LABEL.match(row):
            labels[label[1]] = len(current)
        elif place := _PLACE.match(row):
            line = 0 if not in_place else line
            if line == 0 and _last_part(place[1]) == file:
                line = int(place[2])
            in_place = True
        elif found := _INSTRUCTION.match(row):
            current.append(Instruction(int(found[1], 16), line, found[2] or "", found[3], found[4]))
            in_place = False
        elif current and (half := _UPPER_HALF.match(row)):
            current[-1] = replace(current[-1], control=control_code(int(half[1], 16)))
    return {symbol: _without_padding([_aimed(each, found, labels) for each in found]) for symbol, found in functions.items()}


def _aimed(instruction: Instruction, function: list[Instruction], labels: Mapping[str, int]) -> Instruction:
    """The instruction with the target of its label, if it has one; labels are not used twice in a listing."""
    name = _NAMED.search(instruction.operands)
    place = labels.get(name[1]) if name else None
    return instruction if place is None or place >= len(function) else replace(instruction, target=function[place].address)


def _without_padding(instructions: list[Instruction]) -> tuple[Instruction, ...]:
    """Functions are filled up with instructions that do nothing."""
    end = len(instructions)
    while end and instructions[end - 1].opcode == "NOP":
        end -= 1
    return tuple(instructions[:end])


def _last_part(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name


_FUNCTION = re.compile(r"Compiling entry function '([^']+)' for 'sm_\w+'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")


@dataclass(frozen=True, slots=True)
class Usage:
    """Resources that one thread (registers, stack, spills) and one block (shared bytes declared in the text) take.

    Spilled registers live in the stack, in local memory: `spill_store_bytes` and `spill_load_bytes` are of the instructions in the text,
    not of their executions.
    """

    registers: int
    static_shared_bytes: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int


def parse_usage(log: str) -> Mapping[str, Usage]:
    """The usage of each kernel in the assembler's report, by its symbol."""
    parts = _FUNCTION.split(log)[1:]
    return {symbol: _usage(text) for symbol, text in zip(parts[::2], parts[1::2], strict=True) if _REGISTERS.search(text)}


def _usage(text: str) -> Usage:
    stack = _STACK.search(text)
    frame, stores, loads = map(int, stack.groups()) if stack else (0, 0, 0)
    return Usage(_number(_REGISTERS, text), _number(_SHARED, text), frame, stores, loads)


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 0


_ARITHMETIC = ("FFMA", "FADD", "FMUL")
_MEMORY = ("shared", "global")


@dataclass(frozen=True, slots=True)
class HotLoop:
    """Instructions in the text of the loop, once around; of a kernel without a loop those of all its text."""

    instructions: int
    arithmetic: int
    """Of float32: fused multiply-adds, additions, multiplications."""
    accesses: int
    """To shared and to global memory."""
    global_loads: int
    repeats: bool
    """Whether there is a loop."""
    first: int
    """Address of its first instruction."""
    last: int

    @property
    def useful(self) -> int:
        """Number of instructions of which a trace tells how often they are executed."""
        return self.arithmetic + self.accesses


def loops_of(instructions: Sequence[Instruction]) -> list[tuple[int, int]]:
    """The loops of a function, each as the addresses of its first and of its last instruction, which jumps back."""
    return [(each.target, each.address) for each in instructions if each.target is not None and each.target < each.address]


def hot_loop(instructions: Sequence[Instruction]) -> HotLoop:
    """The loop that computes most; if none computes, the one that moves most; of several that contain each other the innermost."""
    parts = ([each for each in instructions if start <= each.address <= end] for start, end in loops_of(instructions))
    working = [body for body in (_counted(part, repeats=True) for part in parts) if body.useful]
    if not working:
        return _counted(instructions, repeats=False)
    return max(working, key=lambda body: (body.arithmetic, body.accesses if not body.arithmetic else 0, -body.instructions))


def _counted(body: Sequence[Instruction], *, repeats: bool) -> HotLoop:
    accesses = [access for each in body for access in each.accesses]
    return HotLoop(
        len(body),
        sum(each.opcode.split(".")[0] in _ARITHMETIC for each in body),
        sum(access.space in _MEMORY for access in accesses),
        sum((access.operation, access.space) == ("load", "global") for access in accesses),
        repeats,
        body[0].address if body else 0,
        body[-1].address if body else 0,
    )
