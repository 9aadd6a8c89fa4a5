"""What is around the source while it is edited: its header, what is wrong with it, its launch."""
