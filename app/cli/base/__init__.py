"""What commands share: the table of commands and the parser, the console, words of variants and sizes, times that are measured or were."""
