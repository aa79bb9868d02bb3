"""The MCP server over streamable HTTP, for a team: who is let in, how much, and what is noted."""

# Where workers leave their counts for each other; prometheus_client reads it when it is imported.
SHARED_COUNTS = "PROMETHEUS_MULTIPROC_DIR"
