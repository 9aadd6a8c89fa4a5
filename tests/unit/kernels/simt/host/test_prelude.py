"""The prelude of host programs: the front end reads it without a remark, which a compiled prelude would keep to itself."""

from __future__ import annotations

import pytest

from kernels.simt.frontend import clang
from kernels.simt.frontend.known import PRELUDE
from kernels.simt.frontend.known import prelude as of_device
from kernels.simt.host.reading import prelude

LIBRARYS_RIGHT = "user-defined literal suffixes not starting with '_' are reserved"
"""That is said of what only a library may define: the literals of std::complex."""


def remarks_on(added: str, *, extended: bool) -> list[str]:
    text = of_device(extended=extended) + prelude() + added
    unit = clang.parse(PRELUDE, {PRELUDE: text}, (clang.HOST_SIDE,))
    return [f"{each.location.line}: {each.spelling}" for each in unit.diagnostics if each.spelling != LIBRARYS_RIGHT]


@pytest.mark.parametrize("extended", [False, True])
def test_the_prelude_is_read_without_a_remark(*, extended: bool) -> None:
    assert remarks_on("", extended=extended) == []


def test_what_is_wrong_in_a_prelude_would_be_seen() -> None:
    (remark,) = remarks_on("inline int broken() { return missing; }\n", extended=True)
    assert "missing" in remark
