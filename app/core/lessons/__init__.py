"""Lessons: guided steps that set the program's state, narrate, may ask, and reveal what executing the kernels answers.

- `lesson`: a lesson and its scenes as values. `prose`: its texts in one language. `read`: a folder's files into a lesson, checked;
  `own_texts`: the kernels and programs among them.
- `library`: the lessons of the program and the user's own; `user_lessons`: reads them in the background. `check`: whether a lesson is true.
- `numbers`: what a step's names stand for, from lesson metrics, which `metric_finder` finds in the background.
- `judging`: answers that were given, and whether they are right. `current_lesson`: a lesson that is being played. `progress`: how far each
  was.
- `sentences`: what is said about a lesson besides its own texts. `recorder`: the state that is shown, as a step of one's own.
"""
