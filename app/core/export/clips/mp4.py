"""MP4 by ffmpeg, where that program is there: it has the encoders that no library with a free licence brings along."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from app.core.base.parsing import shown
from app.core.export.clips.encoder import Pixels
from kernels.base.messages import Message, message

PROGRAM = "ffmpeg"
LONGEST_WAIT_S = 120.0
"""How long the program may take to complete a file after its last picture."""


def refuse_mp4() -> Message | None:
    """Why no MP4 can be written here, or None."""
    if shutil.which(PROGRAM) is None:
        return message("MP4 needs the program {program}, which was not found. {others} need nothing.",
                       program=PROGRAM, others="WebP, APNG, GIF")  # fmt: skip
    return None


class Mp4Encoder:
    """Hands pictures to the program as they are drawn. An odd row or column is left out, because the format wants even sizes."""

    def __init__(self, path: Path, rate: int, size: tuple[int, int]) -> None:
        program = shutil.which(PROGRAM)
        if program is None:
            raise FileNotFoundError(PROGRAM)
        width, height = size
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `finish` and `abandon`
        self._process = subprocess.Popen(
            [program, "-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24",
             "-video_size", f"{width}x{height}", "-framerate", str(rate), "-i", "pipe:0",
             "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", f"file:{path}"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said,
        )  # fmt: skip

    def add(self, picture: Pixels) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(picture.tobytes())
        except BrokenPipeError as error:
            raise self._failure() from error

    def finish(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            failed = self._process.wait(LONGEST_WAIT_S)
        except subprocess.TimeoutExpired as late:
            self.abandon()
            raise OSError(PROGRAM) from late
        if failed:
            raise self._failure()
        self._said.close()

    def abandon(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # what was not taken any more
                self._process.stdin.close()
        self._said.close()

    def _failure(self) -> OSError:
        """Return the error that the program said last."""
        self._process.wait(LONGEST_WAIT_S)
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return OSError(f"{PROGRAM}: {shown(lines[-1], 160)}" if lines else PROGRAM)
