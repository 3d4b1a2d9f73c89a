"""Folds a log from the standard input, and prints the digest: for a process with a hash seed of its own."""

import json
import sys

from server.follow import fold_log
from server.storage.base import Stored


def main() -> None:
    match, entries = json.load(sys.stdin)
    arbiter, _ = fold_log(match, tuple(Stored(no, at, bytes.fromhex(data)) for no, at, data in entries))
    print(arbiter.state.digest.hex())


if __name__ == "__main__":
    main()
