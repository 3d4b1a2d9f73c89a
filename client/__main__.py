"""``python -m client``: the commands of the client alone."""

from client.command import app

if __name__ == "__main__":
    app()
