"""What executing a launch yields, and questions to it: every access of every warp, and what memory held."""
