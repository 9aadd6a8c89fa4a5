"""Challenges: kernels with a defect, to be mended until their traces meet a target.

- `challenge`: challenge, attempt and verdict as values. `library`: the challenges that come with the program, read from their folders.
- `check`: executes an attempt and says which targets it meets; nothing that a file says of itself is believed.
- `result`: an attempt as a file to hand in. `progress`: what was made of each challenge. `words`: a verdict in sentences.
"""
