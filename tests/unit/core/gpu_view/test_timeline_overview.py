"""The overview of a launch tells what a place is for without colours."""

from __future__ import annotations

from itertools import combinations

from app.core.gpu_view.timeline_overview import FILLS, ROWS, Code


def test_each_code_fills_other_rows_of_the_overview() -> None:
    assert FILLS.shape == (ROWS, len(Code))
    for one, other in combinations(Code, 2):
        assert (FILLS[:, one] != FILLS[:, other]).any(), (one, other)
    assert not FILLS[:, Code.NOTHING].any()
    assert FILLS[:, [code for code in Code if code is not Code.NOTHING]].any(axis=0).all()
