"""One module a game; each is found by the scan of this folder."""
