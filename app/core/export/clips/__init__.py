"""Animated files, written picture by picture: none of them holds more than two pictures in memory.

Pillow encodes single pictures; what joins them is written here, because Pillow would want them all at once.

- `encoder`: what all formats have in common; `formats` chooses one by the file's ending.
- `webp`, `apng`, `gif`: one container each; `mp4` hands the pictures to ffmpeg.
- `changes`: the part of a picture that is different from the one before.
- `encoding`: encodes in a thread what another one draws.
"""
