"""The clients: a sans-IO session, its connection, the browser table."""
