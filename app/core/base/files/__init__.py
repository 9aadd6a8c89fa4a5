"""Files of the program and of the user: where they lie, written whole or not at all, kept between two starts."""
