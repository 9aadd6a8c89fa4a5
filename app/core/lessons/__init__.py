"""Guided steps: each sets the program's state, narrates, may ask, and reveals what executing the kernels answers.

- `lesson`: the value. `prose`: its texts in one language. `scene`: the state that a step sets; `stage_scene` shows it.
- `read`, `read_step`: a folder's files into a lesson, checked, with line numbers. `library`: those of the program and the user's own;
  `user_lessons`: the same, read in the background. `check`: whether a lesson is true.
- `numbers`: what a step's names stand for, from facts. `asking`: questions, answers given, and whether they are right.
- `player`: a lesson that is being played; `playing`: a moment of it. `progress`: how far each was, kept in a file.
- `words`: what is said about a lesson besides its own texts.
- `recorder`: the state that is shown as a step of one's own; `written`: its lines.
"""
