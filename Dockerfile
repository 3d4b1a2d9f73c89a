# The server in an image: built with a compiler, run without one, by a user of its own, on a read-only root.
FROM python:3.13-slim AS build
RUN apt-get update \
    && apt-get install --no-install-recommends -y gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY pyproject.toml setup.py _build.py README.md requirements-dev.lock ./
COPY shared ./shared
COPY server ./server
COPY client ./client
RUN python -m venv /opt/double-solitaire \
    && /opt/double-solitaire/bin/pip install --no-cache-dir --constraint requirements-dev.lock . \
    && cd / \
    && /opt/double-solitaire/bin/python -c "from server.solver import kernel; assert not kernel.__file__.endswith('.py')"

FROM python:3.13-slim
COPY --from=build /opt/double-solitaire /opt/double-solitaire
RUN useradd --system --uid 10001 --no-create-home player \
    && install -d -o player -g player /data
ENV PATH="/opt/double-solitaire/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DOUBLE_SOLITAIRE_HOST=0.0.0.0 \
    DOUBLE_SOLITAIRE_PORT=8080 \
    DOUBLE_SOLITAIRE_DATA=/data
USER player
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["double-solitaire"]
CMD ["serve"]
