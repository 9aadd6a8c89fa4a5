"""Challenges: kernels and whole programs with a defect, to be mended until what they do meets a target.

- `challenge`: challenge, attempt and verdict as values. `library`: the challenges that come with the program, read from their folders.
- `check`: executes an attempt and says which targets it meets; nothing that a file says of itself is believed. `check_program`: the same
  of a whole program, which is run.
- `result`: an attempt as a file to hand in. `progress`: what was made of each challenge. `sentences`: a verdict in sentences.
"""
