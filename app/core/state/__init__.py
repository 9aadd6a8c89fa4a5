"""State of the program as one value that can be kept, sent and put back.

- `snapshot`: the value; taken from the running program and put back into it. `states`: shows snapshots, and keeps those looked at.
- `written`: the value as a small file, and as text to paste. `read`: such a text into the value, checked; opening one runs nothing but the
  interpreter.
- `closed_state`: what was shown when the program was closed, shown again at the next start.
- `last_session`: the state kept while the program runs, to go on from after an end without closing.
"""
