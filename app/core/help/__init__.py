"""What the program says about itself: pages and glossary, in the user's language, and finding words in them."""
