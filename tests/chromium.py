"""Where Chromium is on this machine: `python -m tests.chromium` prints it or says what is missing."""

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Headless, without a sandbox (which root cannot have), and silent towards the network.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str:
    """The path of the browser: $CHROMIUM, else the first known name on the path, else a macOS application."""
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        if shutil.which(chosen) is None:
            raise FileNotFoundError(f"CHROMIUM={chosen} cannot be run")
        return chosen
    found = next(filter(None, map(shutil.which, NAMES)), None) or next(
        (path for path in APPLICATIONS if Path(path).exists()), None
    )
    if found is None:
        raise FileNotFoundError("no Chromium found: install the package chromium, or set CHROMIUM to its path")
    return found


if __name__ == "__main__":
    try:
        print(find_chromium())
    except FileNotFoundError as error:
        sys.exit(str(error))
