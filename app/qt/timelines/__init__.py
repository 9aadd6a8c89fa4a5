"""Charts of real runs over time: a row for each thread or rank."""
