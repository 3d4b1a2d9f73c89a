"""The rules: pure values and functions. No clock, no I/O, no asyncio, no randomness but the seed it is given."""
