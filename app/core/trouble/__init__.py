"""What went wrong, kept on this machine alone: nothing in here sends anything.

- `log`: a file that tells what happened, without what is in the user's files.
- `versions`: what runs, on what.
- `report`: an error nobody caught as a text to read, and to send by hand if one wants.
- `crash`: what the process says of itself as it dies, found at the next start.
- `watch`: takes errors that nobody caught, wherever they come from.
- `steps`: what was shown and chosen, for the log.
"""
