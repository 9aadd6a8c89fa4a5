"""Order as values: who waits for whom, what a pipeline has under way, what clusters exchange, which access comes before which."""
