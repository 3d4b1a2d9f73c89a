"""The log: one line an event on standard error, for people on a terminal, as JSON elsewhere."""

import logging
import sys
from typing import Final

import structlog
from structlog.types import Processor

from server.settings import LogFormat

LEVELS: Final = ("debug", "info", "warning", "error")


def set_up_log(level: str, log_format: LogFormat = "auto") -> None:
    """Send the log, and that of the packages in use, to standard error from ``level`` up."""
    as_json = log_format == "json" or (log_format == "auto" and not sys.stderr.isatty())
    last: Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            pad_event_to=0,
            exception_formatter=structlog.dev.plain_traceback,  # the pretty one shows locals: seeds and hidden cards
        )
    )
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        *([structlog.processors.format_exc_info] if as_json else []),
    ]
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=sys.stderr is sys.__stderr__,  # one that is swapped for a while may be closed then
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Packages tell at INFO what every connection does.
    root.setLevel(number if level == "debug" else max(number, logging.WARNING))
