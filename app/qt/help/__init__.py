"""Help in the window: the map of the keyboard, pages, and the glossary."""
