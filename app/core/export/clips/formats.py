"""Which encoder a file's ending asks for. Imported when a clip is exported: Pillow is not needed before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.core.export.clips.apng import ApngEncoder
from app.core.export.clips.encoder import Encoder, Pixels
from app.core.export.clips.gif import GifEncoder
from app.core.export.clips.mp4 import Mp4Encoder
from app.core.export.clips.webp import WebpEncoder


def encoder_for(path: Path, rate: int, count: int, samples: Sequence[Pixels]) -> Encoder:
    """The encoder of `count` pictures, of which `samples` are some. Raises `OSError` where the file cannot be opened."""
    match path.suffix.lower():
        case ".webp":
            return WebpEncoder(path, rate)
        case ".apng":
            return ApngEncoder(path, rate, count)
        case ".gif":
            return GifEncoder(path, rate, samples)
        case _:
            rows, columns, _ = samples[0].shape
            return Mp4Encoder(path, rate, (columns, rows))
