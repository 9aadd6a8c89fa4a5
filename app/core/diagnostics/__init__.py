"""Checks of the installation: what is there, what is missing and what to do, for `tilescope doctor` and before a window opens."""
