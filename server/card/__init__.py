"""The report as a card inside a host that shows MCP Apps, and the decision made on it."""
