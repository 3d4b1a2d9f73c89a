"""One match without a socket, a clock or a store: the fold of its log.

Laws: the state after entry k is a function of the entries 1..k alone, on every node and in every process. Nothing here
searches, reads a clock, draws a number, uses a float or walks a set. A fold changes with an entry only; deadlines take
effect in due order before the first entry whose play time lies at or past them.
"""
