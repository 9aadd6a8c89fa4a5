"""What the stage shows: the trace, the place in it, and what is asked about it while nothing else is to be traced."""
