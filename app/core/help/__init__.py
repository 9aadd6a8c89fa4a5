"""Help texts: pages and glossary, in the user's language, and a search for words in them."""
