"""Who played how: books that are folded from the log of results, and the answers that are read from them.

docs/records.md says what counts. ``values`` are the books as they are kept, ``fold`` takes a result into them,
``keeper`` sees that they hold all results, ``desk`` answers questions.
"""
