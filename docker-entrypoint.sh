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
