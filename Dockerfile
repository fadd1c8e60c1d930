# One process, no other service: docker build -t chatprotect . && docker run -p 127.0.0.1:8000:8000 -v chatprotect:/data chatprotect
# Several: compose.yaml. The image needs nothing from a network once it is built, and writes to /data and /tmp only.
FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea AS build
WORKDIR /app
COPY pyproject.toml requirements-image.txt README.md LICENSE ./
COPY chatprotect_web chatprotect_web
COPY detection detection
# The program itself runs from /app: of what is installed, its own code and models would be there twice.
RUN python -m venv /venv \
  && /venv/bin/pip install --no-cache-dir --only-binary=:all: --require-hashes --requirement requirements-image.txt \
  && /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
  && rm -r /venv/lib/python3.12/site-packages/chatprotect_web /venv/lib/python3.12/site-packages/detection \
  && /venv/bin/pip uninstall --yes pip

FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea
# TLS uses the system's trust store, which slim images lack.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
  && useradd --no-create-home --uid 10001 chatprotect && install --directory --owner=chatprotect /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py pyproject.toml ./
COPY chatprotect_web chatprotect_web
COPY detection detection
COPY templates templates
COPY static static
COPY <<"EOF" entrypoint.sh
#!/bin/sh
# all: everything in one process. web, worker QUEUES: the parts of several. Anything else is run as it stands.
set -eu

case "${1-all}" in
all)
  python manage.py migrate --verbosity=0
  exec python -m chatprotect_web.server -b 0.0.0.0 -p 8000 chatprotect_web.asgi:application
  ;;
web)
  exec python -m chatprotect_web.server -b 0.0.0.0 -p 8000 chatprotect_web.asgi:application
  ;;
worker)
  exec python -m celery --quiet --app chatprotect_web worker --queues "${2-checks,sources,long}"
  ;;
*)
  exec "$@"
  ;;
esac
EOF
USER 10001
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp CHATPROTECT_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
ENTRYPOINT ["sh", "/app/entrypoint.sh"]
CMD ["all"]
