"""Animated files, written picture by picture: no encoder holds more than two pictures in memory.

Pillow encodes single pictures; what joins them is written here, because Pillow would want them all at once.

- `encoder`: what all formats have in common, and the part of a picture that differs from the one before.
- `formats`: the encoder that a file's ending asks for: WebP, GIF, animated PNG; `mp4`: hands the pictures to ffmpeg.
- `encoding`: encodes in one thread what another one draws.
"""
