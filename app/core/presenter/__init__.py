"""What is shown to a hall: one idea at a time, moved with a clicker.

- `slide`: what stands on the screen, made of a moment of a lesson or of the stage. `sentences`: texts cut so that none is too long.
- `clicker`: forward and back, each the exact opposite of the other.
- `zoom`: which part of the picture is seen. `rest`: when the pointer is hidden. `clock`: time of day, and since the beginning.
- `screens`: where the slides go, and where the notes. `notes`: what only the lecturer sees.
"""
