"""What a picture of the stage says of where its text is from."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.export.picture_text import subject_of_stage
from app.core.session.draft import draft_of
from app.core.session.session import Session

TEXT = "__global__ void k(float* out) { out[threadIdx.x] = 1; }"


@pytest.mark.parametrize(("edited", "said"), [(False, "own file"), (True, "edited text")])
def test_a_file_is_called_edited_only_where_it_differs_from_what_was_opened(edited: bool, said: str) -> None:
    session = Session("gpu.naive")
    session.draft_editor.take(draft_of(Path("mine.cu"), TEXT))
    if edited:
        session.draft_editor.change_text(TEXT.replace("1", "2"))
    assert session.draft_editor.shown is not None
    subject = subject_of_stage(session)
    assert (str(subject.title), str(subject.sources[0])) == ("mine.cu", said)
