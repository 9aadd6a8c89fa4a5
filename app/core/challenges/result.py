"""An attempt as a file: what a student hands in, and what a lecturer has checked again."""

from __future__ import annotations

import json

from app.core.base.files.documents import json_table
from app.core.base.files.fields import BadFile
from app.core.base.files.text_files import LARGEST_FILE
from app.core.challenges.challenge import Attempt
from kernels.base.messages import Message, message
from kernels.simt.run.launchable import refuse_shape

FORMAT = "tilescope attempt 1"
SUFFIX = ".attempt"
LONGEST_NAME = 200


def written(attempt: Attempt, name: str = "") -> str:
    """The file's text. `name` is whom the attempt is of, as they call themselves. No verdict stands in it: it is found again."""
    fields = {
        "format": FORMAT, "challenge": attempt.challenge, "name": name, "hints": attempt.hints,
        "grid": list(attempt.grid), "block": list(attempt.block), "text": attempt.text,
    }  # fmt: skip
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def read_attempt(text: str) -> tuple[Attempt, str] | Message:
    """The attempt of a file's text and whose it is; or why there is none."""
    try:
        table = json_table(text)
        if table.text("format", "") != FORMAT:
            raise BadFile(message("This is no attempt at a challenge of Tilescope, or one of a later version."))
        name = table.text("name", "", longest=LONGEST_NAME)
        attempt = Attempt(
            table.text("challenge", longest=LONGEST_NAME), table.text("text", longest=LARGEST_FILE),
            table.dim3("grid"), table.dim3("block"), table.whole("hints", 0, 100, 0),
        )  # fmt: skip
        table.finish()
        reason = refuse_shape(attempt.grid, attempt.block)
    except BadFile as bad:
        return bad.reason
    return (attempt, name) if reason is None else reason
