"""Parts that the numbered views of the stage share, of whatever kind of kernel they are."""
