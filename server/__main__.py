"""``python -m server``: the same as ``double-solitaire``."""

from server.cli import main

if __name__ == "__main__":
    main()
