"""Numbers that lessons and challenges speak of, found by executing kernels or looking up recordings: never written down beside them."""
