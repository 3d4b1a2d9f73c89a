"""What the command line does without a server: check deals and replays."""

import sys
from pathlib import Path

from server.archive import Archive
from server.replay import ReplayError, check, check_deals, read_archive
from shared import fair
from shared.cards import card_name


class CommandError(Exception):
    """What was asked cannot be done; the text is for the person who asked."""


def load(path: Path) -> Archive:
    """Read the replay at ``path`` (``-``: standard input).

    Raises:
        CommandError: it cannot be read, or is no replay.
    """
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return read_archive(data)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except ReplayError as error:
        raise CommandError(f"{path}: {error}") from error


def replay(path: Path, *, quiet: bool) -> tuple[str, bool]:
    """Return the replay at ``path`` in words, and whether it is sound."""
    report = check(load(path))
    lines = [] if quiet else [*report.lines]
    lines += [f"WRONG: {problem}" for problem in report.problems] or [
        "Every play is legal, every end and deal as told."
    ]
    return "\n".join(lines), not report.problems


def verify_file(path: Path) -> tuple[str, bool]:
    """Return what is to say of the deals in the replay at ``path``, and whether they were fair."""
    archive = load(path)
    if not archive.table.games or not archive.table.games[0].seed:
        raise CommandError(f"{path}: expected the replay of a finished duel, it has no revealed seed")
    return _verdict(check_deals(archive))


def verify_values(committed: str, seed: str, nonces: tuple[str, str], *, mirror: bool) -> tuple[str, bool]:
    """Return both decks that follow from these values, and whether the seed is the one that was committed to."""
    problems = fair.check_deal(committed, seed, nonces, mirror=mirror)
    words, is_fair = _verdict(problems)
    if not is_fair:
        return words, False
    decks = fair.duel_decks(bytes.fromhex(seed), (bytes.fromhex(nonces[0]), bytes.fromhex(nonces[1])), mirror=mirror)
    shown = [f"seat {seat}: {' '.join(map(card_name, deck))}" for seat, deck in enumerate(decks)]
    return "\n".join([*shown, words]), True


def _verdict(problems: tuple[str, ...]) -> tuple[str, bool]:
    if problems:
        return "\n".join(f"WRONG: {problem}" for problem in problems), False
    return "Fair: the cards follow from the seed that was committed to before the deal.", True
