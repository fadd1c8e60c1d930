# One process, no other service: docker build -t chatprotect . && docker run -p 127.0.0.1:8000:8000 -v chatprotect:/data chatprotect
FROM python:3.12-slim AS build
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY chatprotect_web chatprotect_web
COPY detection detection
RUN python -m venv /venv && PIP_CONSTRAINT=constraints.txt /venv/bin/pip install --no-cache-dir .

FROM python:3.12-slim
# TLS uses the system's trust store, which slim images lack.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 chatprotect && install --directory --owner=chatprotect /data
COPY --from=build /venv /venv
WORKDIR /app
COPY manage.py ./
COPY chatprotect_web chatprotect_web
COPY detection detection
COPY templates templates
COPY static static
USER chatprotect
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 CHATPROTECT_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=20s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/help/')"]
CMD ["sh", "-c", "python manage.py migrate --verbosity=0 && exec python -m chatprotect_web.server -b 0.0.0.0 -p 8000 chatprotect_web.asgi:application"]
