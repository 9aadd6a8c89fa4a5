"""Layout of bit-fields: the words of a struct that hold them, and where in these the bits of each are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernels.base.values import dataclass
from kernels.simt.base.types import Field, Kind, Scalar

SIZES = (8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit-field as it is declared: name ("" for one that only keeps bits free), type, first bit in the struct, width in bits."""

    name: str
    type: Scalar
    first: int
    width: int


@dataclass(frozen=True, slots=True)
class Part:
    """Bits of a bit-field within one word: `width` of them, from bit `low` of the word; in the value they begin at bit `at`."""

    word: Field
    low: int
    width: int
    at: int


@dataclass(frozen=True, slots=True)
class BitField:
    """A bit-field with its parts: one, but where it crosses the word of another member, from the lowest bits on."""

    bits: Bits
    parts: tuple[Part, ...]


def with_words(members: Sequence[Field | Bits], size: int, *, union: bool) -> tuple[list[Field], dict[str, BitField]]:
    """Give the fields of a struct of `size` bytes, words in place of its bit-fields, and the bit-fields by name. Those that stand one
    behind another, no other member and none of width 0 between them, are one memory location of C++ and share words."""
    fields: list[Field] = []
    found: dict[str, BitField] = {}
    run: list[Bits] = []
    for number, member in enumerate(members):
        following = members[number + 1] if number + 1 < len(members) else None
        if isinstance(member, Field):
            fields.append(member)
        elif member.width:
            run.append(member)
        if run and (union or not isinstance(following, Bits) or not following.width):
            behind = next((each for each in members[number + 1 :] if isinstance(each, Field) or each.width), None)
            limit = size if union or behind is None else behind.offset if isinstance(behind, Field) else behind.first // 8
            words = tuple(_words(run, limit))
            fields += words
            found |= {each.name: BitField(each, tuple(_parts(each, words))) for each in run if each.name}
            run = []
    return fields, found


def _words(run: Sequence[Bits], limit: int) -> Iterator[Field]:
    """Make words as long as the widest type of a run, as far as they are aligned and end at `limit`, in bytes, or before."""
    at, end = run[0].first // 8, -(-max(each.first + each.width for each in run) // 8)
    widest = max(each.type.size for each in run)
    while at < end:
        size = next(each for each in SIZES if each == 1 or (each <= widest and at % each == 0 and at + each <= limit))
        if any(each.first < 8 * (at + size) and 8 * at < each.first + each.width for each in run):  # else it is padding
            names = (f"{each.name}:{each.width}" for each in run if at <= each.first // 8 < at + size)
            yield Field(" ".join(names) or f":{at}", Scalar(Kind.UNSIGNED, size), at)
        at += size


def _parts(bits: Bits, words: Sequence[Field]) -> Iterator[Part]:
    for word in words:
        assert isinstance(word.type, Scalar)
        begin, end = 8 * word.offset, 8 * (word.offset + word.type.size)
        first, behind = max(begin, bits.first), min(end, bits.first + bits.width)
        if first < behind:
            yield Part(word, first - begin, behind - first, first - bits.first)
