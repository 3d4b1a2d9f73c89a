"""Storage behind three protocols: the match log, the lobby and the records."""
