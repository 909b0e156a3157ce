# One image, one process per node. Its rooms live in memory; what they need to come back lives in the database.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv
COPY requirements/run.txt /tmp/run.txt
RUN /opt/venv/bin/pip install --require-hashes --only-binary=:all: -r /tmp/run.txt
WORKDIR /srv
COPY app ./app
COPY migrations ./migrations
COPY templates ./templates
COPY static ./static
COPY locale ./locale
COPY docs ./docs
# docker build --build-arg COMMIT=$(git rev-parse HEAD): shown by /healthz and in the first line of the log.
ARG COMMIT=
RUN if [ -n "$COMMIT" ]; then echo "$COMMIT" > app/_commit.txt; fi
RUN /opt/venv/bin/python -m compileall -q app migrations

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Pecking Order" org.opencontainers.image.licenses="MIT"
# Pictures of matches show Hebrew and Arabic names with FriBiDi.
RUN apt-get update && apt-get install -y --no-install-recommends libfribidi0 && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin app
COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv /srv
WORKDIR /srv
# By number: Kubernetes wants to see that it is not root.
USER 10001
# No VOLUME: with PostgreSQL each container would get an unused one. With SQLite mount one at /data (docs/running.md).
# What is set here can be set otherwise with `docker run --env` or in docker-compose.yml; see .env.example.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PORT=8000 \
    DATABASE_URL=sqlite:////data/pecking-order.sqlite3
EXPOSE 8000
# The server answers as soon as the program is loaded, also while it upgrades its database.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 CMD ["python", "-m", "app", "healthcheck"]
CMD ["python", "-m", "app", "serve"]
