"""The panels of the window, one a file, each built for one look."""
