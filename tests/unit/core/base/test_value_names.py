"""Named values are shown in the reader's language with the name that is typed beside it; what is typed stays one name."""

from __future__ import annotations

import pytest

from app.core.base.i18n import Translator
from app.core.base.value_labels import value_text
from kernels.catalogue.cpu_parameters import ORDER, SCHEDULE, THREADS


@pytest.mark.parametrize("value", range(3))
def test_a_schedule_has_a_chinese_name_beside_the_typed_one(value: int) -> None:
    typed = SCHEDULE.written(value)
    said = Translator("zh_CN").text(value_text(SCHEDULE, value))
    assert typed in said.split()
    assert not said.isascii()
    assert str(value_text(SCHEDULE, value)) == typed


def test_orders_and_numbers_stay_as_they_are() -> None:
    assert Translator("zh_CN").text(value_text(ORDER, 4)) == "kij"
    assert Translator("zh_CN").text(value_text(THREADS, 4)) == "4"
