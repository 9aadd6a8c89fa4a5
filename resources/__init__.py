"""Data that comes with the program: fonts, icons, catalogues, recordings, help."""
