"""Window: everything that is drawn with Qt."""
