"""Tools of the project: what tests, measurements and developers start."""
