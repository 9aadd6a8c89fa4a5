"""Layouts of the CuTe algebra: the examples of its manual, what is refused with its column, and the banks of an access."""

from __future__ import annotations

import pytest

from kernels.analysis.layout_access import Pattern, wavefronts_of
from kernels.analysis.layout_text import parse_layout
from kernels.analysis.layouts import ComposedLayout, CuteLayout, coalesce, complement, composition, logical_divide


def read(text: str) -> ComposedLayout:
    found = parse_layout(text)
    assert isinstance(found, ComposedLayout), str(found)
    return found


def layout(text: str) -> CuteLayout:
    return read(text).domain


@pytest.mark.parametrize(("text", "coordinate", "offset"), [
    ("(8,(4,2)):(1,(8,64))", (3, (1, 1)), 3 + 8 + 64),
    ("(8,(4,2)):(1,(8,64))", (3, 5), 3 + 8 + 64),
    ("(8,(4,2)):(1,(8,64))", 3 + 8 * 5, 3 + 8 + 64),
    ("(_3,_2):(_2,_1)", (2, 1), 5),
    ("(4,8)", (3, 2), 11),
])  # fmt: skip
def test_a_coordinate_is_given_by_parts_by_modes_or_by_its_number(text: str, coordinate: int | tuple[int, int], offset: int) -> None:
    assert layout(text).offset(coordinate) == offset


def test_a_coordinate_of_another_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        layout("(8,4)").offset((1, 2, 3))


@pytest.mark.parametrize(("outer", "inner", "result"), [
    ("(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"),
    ("20:2", "(5,4):(4,1)", "(5,4):(8,2)"),
    ("(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"),
    ("(4,2):(1,8)", "3:0", "3:0"),
])  # fmt: skip
def test_compositions_of_the_manual(outer: str, inner: str, result: str) -> None:
    assert str(composition(layout(outer), layout(inner))) == result


def test_a_composition_that_is_no_layout_is_refused() -> None:
    found = composition(layout("(4,6,8):(2,3,5)"), layout("6:3"))
    assert str(found) == "(4,6,8):(2,3,5) o 6:3 is a function, but no layout: the strides do not divide the shapes."


@pytest.mark.parametrize(("text", "result"), [
    ("4:1", "6:4"), ("6:4", "4:1"), ("(4,6):(1,4)", "1:0"), ("4:2", "(2,3):(1,8)"),
    ("(2,4):(1,6)", "3:2"), ("(2,2):(1,6)", "(3,2):(2,12)"),
])  # fmt: skip
def test_complements_of_the_manual(text: str, result: str) -> None:
    assert str(complement(layout(text), 24)) == result


def test_what_overlaps_has_no_complement() -> None:
    assert str(complement(layout("(4,2):(1,3)"), 24)) == "(4,2):(1,3) has no complement: its parts overlap, or do not divide one another."


def test_divisions_of_the_manual() -> None:
    assert str(logical_divide(layout("(4,2,3):(2,1,8)"), layout("4:2"))) == "((2,2),(2,3)):((4,1),(2,8))"


def test_a_coalesced_layout_of_the_manual() -> None:
    assert str(coalesce(layout("(2,(1,6)):(1,(6,2))"))) == "12:1"
    assert str(coalesce(layout("(1,1):(5,7)"))) == "1:0"


@pytest.mark.parametrize(("text", "reason"), [
    ("(8,4):(1)", "Column 7: the stride is not nested like the shape: each number of the shape has one."),
    ("(8,(4,2)):(1,8)", "Column 11: the stride is not nested like the shape: each number of the shape has one."),
    ("(8,4", "Column 5: “,” or “)” is expected, but the text ends."),
    ("(8,,4)", "Column 4: a number or “(” is expected, not “,”."),
    ("8 8", "Column 3: “o” or the end is expected, not “8”."),
    ("(8,8) o", "Column 8: a number or “(” is expected, but the text ends."),
    ("(8,8) o Sw<3,4,3>", "Column 18: what stands last must be a layout, as (8,8):(8,1)."),
    ("Sw<3,4> o 8", "Column 7: “,” is expected, not “>”."),
    ("Sw<4,4,3> o 8", "Column 1: Sw<B,M,S> has B bits at M that those at M + S are added to: B is at most S, all three 30."),
    ("(8,0)", "Column 1: a shape has a 0: there would be no coordinate."),
    ("(2000,2000)", "Column 1: 4000000 coordinates are more than the 1048576 that are shown."),
    ("9999999999:1", "Column 1: 9999999999 is too large; up to 1073741824 is read."),
    ("2:1073741824 o 2:2", "Column 1: offsets could go up to 2147483648; up to 1073741824 are shown."),
    ("", "Column 1: a number or “(” is expected, but the text ends."),
    ("(" * 13 + "1", "Column 13: more than 12 brackets within one another."),
    ("1," * 300, "A layout of 600 characters is too long; 500 are read."),
])  # fmt: skip
def test_what_is_no_layout_is_refused_with_its_column(text: str, reason: str) -> None:
    assert str(parse_layout(text)) == reason


def test_functions_are_applied_from_the_last_to_the_first() -> None:
    whole = read("Sw<1,0,2> o 3 o (2,2):(1,4)")
    assert whole.table().tolist() == [[3, 6], [5, 8]]  # of 3, 7, 4, 8: bit 2 is added to bit 0
    assert read("S<2,4,3> o (8,8):(8,1)").parts[0] == read("Sw<2,4,3> ∘ (8,8):(8,1)").parts[0]


@pytest.mark.parametrize(("text", "size", "pattern", "wavefronts"), [
    ("(32,32):(32,1)", 4, Pattern.COLUMN, 32),
    ("(32,32):(32,1)", 4, Pattern.ROW, 1),
    ("(32,32):(33,1)", 4, Pattern.COLUMN, 1),
    ("Sw<5,0,5> o (32,32):(32,1)", 4, Pattern.COLUMN, 1),
    ("(4,20):(20,1)", 4, Pattern.ROW, 1),
    ("(32,32):(32,1)", 8, Pattern.ROW, 2),
    ("(64,64):(64,1)", 2, Pattern.LDMATRIX, 32),
    ("(64,64):(72,1)", 2, Pattern.LDMATRIX, 4),
    ("Sw<3,3,3> o (64,64):(64,1)", 2, Pattern.LDMATRIX, 4),
    ("Sw<2,3,3> o (64,32):(32,1)", 2, Pattern.LDMATRIX, 4),
    ("Sw<2,3,3> o (64,64):(64,1)", 2, Pattern.LDMATRIX, 8),
    ("(16,32):(32,1)", 1, Pattern.LDMATRIX, 8),
])  # fmt: skip
def test_an_access_takes_the_wavefronts_of_its_busiest_bank(text: str, size: int, pattern: Pattern, wavefronts: int) -> None:
    assert wavefronts_of(read(text), size, pattern) == wavefronts


@pytest.mark.parametrize("text", ["(64,64):(1,64)", "Sw<1,0,3> o (64,64):(64,1)", "(64,64):(68,1)", "(8,64):(64,1)"])
def test_an_ldmatrix_whose_rows_do_not_lie_together_at_multiples_of_16_bytes_cannot_be(text: str) -> None:
    assert wavefronts_of(read(text), 2, Pattern.LDMATRIX) is None


@pytest.mark.parametrize(("text", "result"), [
    ("composition((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)"),
    ("composition( 20:2 ,(5,4):(4,1))", "(5,4):(8,2)"),
    ("complement((2,4):(1,6), 24)", "3:2"),
    ("logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"),
    ("composition(composition(16:1, 8:2), 4:1)", "4:2"),
    ("Swizzle<3,3,3> o (8,64):(64,1)", "Sw<3,3,3> o (8,64):(64,1)"),
    ("Sw<1,0,2> o logical_divide((4,2,3):(2,1,8), 4:2)", "Sw<1,0,2> o ((2,2),(2,3)):((4,1),(2,8))"),
])  # fmt: skip
def test_operations_of_the_algebra_are_typed(text: str, result: str) -> None:
    assert str(read(text)) == result


@pytest.mark.parametrize(("text", "reason"), [
    ("composition((4,6,8):(2,3,5), 6:3)",
     "Column 1: (4,6,8):(2,3,5) o 6:3 is a function, but no layout: the strides do not divide the shapes."),
    ("composition((8,8))", "Column 18: “,” is expected, not “)”."),
    ("composition(Sw<3,3,3>, 8:1)", "Column 13: an operation takes layouts, as (8,8):(8,1)."),
    ("complement(4:2, x)", "Column 17: a number or “(” is expected, not “x”."),
    ("logical_divide(4:1, 布局)", "Column 21: a number or “(” is expected, not “布”."),
    ("logical_divide((1024,1024), 4)", "Column 16: an operation takes up to 65536 coordinates."),
    ("compositions(4:1, 4:1)", "Column 1: a number or “(” is expected, not “compositions”."),
    ("complement(" * 14 + "4:1", "Column 133: more than 12 brackets within one another."),
    ("complement(4:1, 999999999999)", "Column 17: 999999999999 is too large; up to 1073741824 is read."),
    ("complement(2:1, 1073741824)", "Column 1: 536870912 coordinates are more than the 1048576 that are shown."),
])  # fmt: skip
def test_what_no_operation_takes_is_refused_with_its_column(text: str, reason: str) -> None:
    assert str(parse_layout(text)) == reason
