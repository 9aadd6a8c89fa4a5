"""What is there, what is missing and what to do: the checks of `tilescope doctor`, and what a window needs of the system."""
