"""What is counted of all workers together, in the text format of Prometheus."""

import os
from collections.abc import Mapping
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from server.http import SHARED_COUNTS

MEDIA_TYPE = CONTENT_TYPE_LATEST

_CALLS = Counter(
    "expedition_calls", "Calls of tools, by the flag they were refused with.", ("tool", "flag")
)
_SECONDS = Histogram(
    "expedition_call_seconds",
    "How long a call of a tool took.",
    ("tool",),
    buckets=(0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600),
)
_REQUESTS = Counter("expedition_requests", "Requests over HTTP, by status.", ("status",))


def count_call(tool: str, flag: str, seconds: float) -> None:
    """Count a call that was answered; the flag is empty unless it was refused."""
    _CALLS.labels(tool, flag).inc()
    _SECONDS.labels(tool).observe(seconds)


def count_request(status: int) -> None:
    """Count a request that was answered."""
    _REQUESTS.labels(str(status)).inc()


def rendered(environment: Mapping[str, str] = os.environ) -> bytes:
    """All counts."""
    if SHARED_COUNTS not in environment:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    collector: Any = MultiProcessCollector
    collector(registry)
    return generate_latest(registry)
