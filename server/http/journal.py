"""Notes about requests as JSON lines on standard error: who, what, how long; no text of theirs."""

import json
import logging
import os
from typing import Any

_LOGGER = logging.getLogger("expedition")
# For `logging.config.dictConfig`, which uvicorn applies in every worker.
CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "server.http.journal.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "expedition": {"level": "INFO"},
        "uvicorn": {"level": "WARNING"},
        # it writes of every foreign header and of every token that is wrong
        "mcp": {"level": "ERROR"},
    },
}


class JsonLines(logging.Formatter):
    """One JSON object a line, whoever writes it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as such a line."""
        fields: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "worker": os.getpid(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields)


def note(event: str, **fields: object) -> None:
    """Write one line."""
    _LOGGER.info(event, extra={"fields": fields})
