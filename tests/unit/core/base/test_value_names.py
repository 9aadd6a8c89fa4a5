"""Named values are shown in the reader's language with the name that is typed beside it; what is typed stays one name."""

from __future__ import annotations

import pytest

from app.core.base.i18n import Translator
from app.core.base.value_labels import value_text, zeros_text
from kernels.catalogue.catalogue import VARIANTS
from kernels.catalogue.cpu_parameters import ORDER, SCHEDULE, THREADS
from kernels.catalogue.gpu_simple import LAYOUT
from kernels.catalogue.launches import PADDING, REGISTER_ROWS


@pytest.mark.parametrize("value", range(3))
def test_a_schedule_has_a_chinese_name_beside_the_typed_one(value: int) -> None:
    typed = SCHEDULE.written(value)
    said = Translator("zh_CN").text(value_text(SCHEDULE, value))
    assert typed in said.split()
    assert not said.isascii()
    assert str(value_text(SCHEDULE, value)) == typed


def test_layouts_have_the_words_of_the_glossary() -> None:
    assert [Translator("zh_CN").text(value_text(LAYOUT, value)) for value in LAYOUT.stops] == ["填充 padding", "交错 swizzle"]


def test_orders_and_numbers_stay_as_they_are() -> None:
    assert Translator("zh_CN").text(value_text(ORDER, 4)) == "kij"
    assert Translator("zh_CN").text(value_text(THREADS, 4)) == "4"


def test_a_zero_that_is_no_amount_says_what_it_stands_for() -> None:
    zeros = {each.name: each for variant in VARIANTS for each in variant.parameters if 0 in each.stops and not each.names}
    assert {"tile_rows", "rows", "registers", "chunk", "lanes", "mr", "nr"} == set(zeros) - {"padding"}
    for name, parameter in zeros.items():
        assert (str(value_text(parameter, 0)) == "0") == (name == "padding")
    assert Translator("zh_CN").text(value_text(REGISTER_ROWS, 0)) == "同列数"
    assert str(zeros_text((REGISTER_ROWS, PADDING))) == "Rows of the tile 0: as columns"
    assert zeros_text((PADDING,)) is None
