"""The server: sockets, logs, arbitration, storage."""
