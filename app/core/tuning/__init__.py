"""Which settings of a variant are the fastest: tried in the background, shown as a heat map."""
