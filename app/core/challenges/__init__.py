"""Kernels with a defect, to be mended until their traces meet a target.

- `challenge`: the value. `read`: a folder's files into it. `library`: those that come with the program.
- `attempt`: what a student has made of one: the text, its launch. `result`: an attempt as a file to hand in.
- `check`: executes an attempt and says which targets it meets; nothing that a file says of itself is believed.
- `words`: a verdict in sentences.
"""
