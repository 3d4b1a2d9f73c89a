"""The page in Chromium, and its modules under node."""
