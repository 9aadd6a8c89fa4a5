"""Sentences that say what the measured data shows, and why. Each is made only where undisturbed results support it.

`pairs` has what an expectation is: two results, what the textbook says of them, and a reason for each way that it can come out;
`multiplications`, `workers` and `transpositions` are tables of expectations, and so are those of the GPU, whose reasons are `counted`. What
takes more than two results is a function.
"""
