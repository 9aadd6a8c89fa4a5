"""What the stage of a CPU kernel shows beyond its matrices: loops and registers, the caches, and how they have done so far.

`views` (the views and their numbers), `operands` (what a step holds in registers).
"""
