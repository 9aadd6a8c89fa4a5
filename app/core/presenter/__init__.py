"""Presenter: what is shown to a lecture hall, one idea at a time, moved with a clicker.

- `slide`: what stands on the screen, made of a moment of a lesson or of the stage, and the notes that only the lecturer sees.
- `clicker`: forward and back, each the exact opposite of the other.
- `screen`: which screen the slides go to and which the notes, what part of the picture is seen, the pointer, the time.
"""
