"""Words for bit-fields: they hold every bit once, and reach into no other member."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kernels.simt.base.bit_fields import Bits, with_words
from kernels.simt.base.types import Field, Kind, Scalar


@st.composite
def structs(draw: st.DrawFn) -> tuple[list[Field | Bits], int]:
    """Members as the Itanium ABI lays them out: a bit-field crosses no boundary of its type, one of width 0 goes on to the next."""
    members: list[Field | Bits] = []
    bit, align = 0, 1
    for number in range(draw(st.integers(1, 8))):
        kind = Scalar(draw(st.sampled_from((Kind.SIGNED, Kind.UNSIGNED))), draw(st.sampled_from((1, 2, 4, 8))))
        bits = 8 * kind.size
        width = draw(st.integers(0, bits))
        is_field, name = draw(st.booleans()), draw(st.sampled_from(("", f"m{number}"))) if width else ""
        if is_field or not width or bit // bits != (bit + width - 1) // bits:
            bit = -(-bit // bits) * bits
        if is_field:
            members.append(Field(f"f{number}", kind, bit // 8))
            bit += bits
        else:
            members.append(Bits(name, kind, bit, width))
            bit += width
        align = max(align, kind.size if is_field or name else 1)
    return members, max(-(-bit // (8 * align)) * align, 1)


@given(structs())
def test_every_bit_is_in_one_word_and_words_lie_apart(struct: tuple[list[Field | Bits], int]) -> None:
    members, size = struct
    fields, found = with_words(members, size, union=False)
    ends = [(each.offset, each.offset + each.type.size) for each in fields if isinstance(each.type, Scalar)]
    assert all(end <= begin for (_, end), (begin, _) in pairwise(ends))
    assert ends == [] or ends[-1][1] <= size
    assert all(begin % (end - begin) == 0 for begin, end in ends)
    for each in (each for each in members if isinstance(each, Bits) and each.name):
        parts = found[each.name].parts
        places = [8 * part.word.offset + part.low + bit for part in parts for bit in range(part.width)]
        values = [part.at + bit for part in parts for bit in range(part.width)]
        assert places == [each.first + bit for bit in range(each.width)]
        assert values == list(range(each.width))


def test_neighbours_share_a_word_unless_one_of_width_0_stands_between() -> None:
    unsigned = Scalar(Kind.UNSIGNED, 4)
    near, _ = with_words([Bits("a", unsigned, 0, 3), Bits("b", unsigned, 3, 5)], 4, union=False)
    apart, _ = with_words([Bits("a", unsigned, 0, 3), Bits("", unsigned, 32, 0), Bits("b", unsigned, 32, 5)], 8, union=False)
    assert [each.name for each in near] == ["a:3 b:5"]
    assert [each.name for each in apart] == ["a:3", "b:5"]


def test_a_word_ends_before_the_next_member() -> None:
    unsigned = Scalar(Kind.UNSIGNED, 4)
    fields, _ = with_words([Bits("a", unsigned, 0, 3), Field("c", Scalar(Kind.SIGNED, 1), 1)], 4, union=False)
    assert [(each.name, each.offset, each.type.size) for each in fields if isinstance(each.type, Scalar)] == [("a:3", 0, 1), ("c", 1, 1)]
