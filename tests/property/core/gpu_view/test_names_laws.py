"""What is told of a student's kernel depends on what it does: other names change the names that are told, and nothing else."""

from __future__ import annotations

import re
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.margins import margins
from app.core.gpu_view.matrices.elements import element_text, lanes_table
from app.core.gpu_view.matrices.matrices import Matrices
from app.core.gpu_view.step_texts import tell_launch
from app.core.inspector.finding_rows import finding_rows
from tests.launches.own_kernels import EVERY

NAMES = (
    "A",
    "B",
    "C",
    "T",
    "As",
    "Bs",
    "Cs",
    "tileA",
    "sB",
    "M",
    "N",
    "K",
    "width",
    "rows",
    "xs",
    "in_",
    "out",
    "matrix",
    "vector",
    "flag",
)
MOMENTS = 7
COLUMN = re.compile(r"column=\d+")
"""A longer name moves what stands behind it in its line."""


@cache
def told(kind: str, names: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Everything that is said at some moments, and the layout that is drawn."""
    index = EVERY[kind].launched(dict(names))
    matrices, said = Matrices(index), []
    for step in sorted({index.steps * part // MOMENTS for part in range(MOMENTS)}):
        said += _moment(index, matrices, step)
    said += [COLUMN.sub("", str(row)) for row in finding_rows(index)] + [str(margin.words) for margin in margins(index).values()]
    said.append(
        str(
            (
                matrices.arrangement.crossed,
                matrices.arrangement.mirrored,
                matrices.arrangement.turned,
                index.record.letters,
                sorted(index.record.bounds.items()),
            )
        )
    )
    return tuple(said)


def _moment(index: LaunchIndex, matrices: Matrices, step: int) -> list[str]:
    frame = frame_at(index, step, 0.0)
    shown = matrices.at(frame)
    said = [str(tell_launch(index, frame)), str(lanes_table(index, matrices.arrays, frame))]
    said += [str(element_text(index, array, 0, frame)) for array in matrices.arrays]
    said += [str((each.title, each.shape, each.extent, each.tile, each.focus, each.boxes, each.ticks)) for each in shown.matrices]
    return [*said, str((shown.target, shown.route, shown.added, shown.meter and shown.meter.words))]


PLAIN = {kind: {name: f"qq{number}qq" for number, name in enumerate(own.names)} for kind, own in EVERY.items()}
"""Names that stand nowhere else, so that they can be replaced in what is told."""


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_names_change_nothing_but_the_names(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(EVERY)))
    plain = PLAIN[kind]
    chosen = data.draw(st.permutations(NAMES))[: len(plain)]
    other = dict(zip(plain, chosen, strict=True))
    expected = told(kind, tuple(plain.items()))
    replaced = {plain[name]: other[name] for name in plain}
    pattern = re.compile("|".join(replaced))
    assert told(kind, tuple(other.items())) == tuple(pattern.sub(lambda found: replaced[found[0]], text) for text in expected)
