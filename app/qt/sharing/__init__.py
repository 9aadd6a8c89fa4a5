"""States of the program as files and as text to paste, and those that were looked at before."""
