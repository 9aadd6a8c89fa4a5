"""What the program shows, as one value that can be kept, sent and put back.

- `snapshot`: the value; taken from the running program and put back into it.
- `written`: the value as a small file, and as text to paste.
- `read`, `read_choice`, `read_draft`: such a text into the value, checked; opening one runs nothing but the interpreter.
- `states`: shows snapshots in the running program; `arrival`: what is to be done when the stage has the trace of one.
"""
