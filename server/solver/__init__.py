"""The solver: decides solo positions exactly, gives hints and finds deals that can be won."""
