# The two commands that matter: make run, make test. Both install what they need into $(VENV) first.

VENV ?= .venv
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Without compiled modules, every start of a process takes twice as long.
unexport PYTHONDONTWRITEBYTECODE
export PIP_CONSTRAINT := constraints.txt

.PHONY: run web worker install install-test test lint lint-types lint-others bill audit mutants pictures

run: $(VENV)/.installed
	$(BIN)/python manage.py migrate --verbosity=0
	@echo "ChatProtect is at http://$(HOST):$(PORT)  (Ctrl+C stops it)"
	$(BIN)/python -m chatprotect_web.server -b $(HOST) -p $(PORT) chatprotect_web.asgi:application

# Several processes on CHATPROTECT_REDIS_URL and DATABASE_URL (docs/deploy.md); `make worker QUEUES=long` for some queues.
QUEUES ?= checks,sources,long

web: $(VENV)/.installed
	$(BIN)/python -m chatprotect_web.server -b $(HOST) -p $(PORT) chatprotect_web.asgi:application

worker: $(VENV)/.installed
	$(BIN)/python -m chatprotect_web.worker_process --queues $(QUEUES)

install: $(VENV)/.installed

install-test: $(VENV)/.installed-test

# Two files at a time. Tests with servers and a browser run separately, so that other tests do not slow them down.
test: $(VENV)/.installed-test
	$(BIN)/python -m pytest --ignore=tests/e2e --numprocesses=2 --dist=loadfile
	$(BIN)/python -m pytest tests/e2e --numprocesses=2 --dist=loadfile

# All installed packages with version and licence, as JSON (pip's own report; needs no network).
bill: $(VENV)/.installed
	@$(BIN)/python -m pip inspect --local

# Known vulnerabilities of the pinned packages. It asks the network about each package and fails without an answer.
audit:
	$(PYTHON) -m venv var/audit
	PIP_CONSTRAINT= var/audit/bin/python -m pip install --quiet pip-audit
	var/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

# Mutation test: insert small faults one at a time, and count those that a test detects (docs/contributing.md).
SAMPLE ?= 150
SEED ?= 19

mutants:
	$(PYTHON) -m venv var/mutants/venv
	var/mutants/venv/bin/python -m pip install --quiet --editable '.[test]' cosmic-ray pytest-cov
	var/mutants/venv/bin/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED)

# Replaces docs/pictures and docs/screens.md; needs Chromium.
pictures: $(VENV)/.installed-test
	$(BIN)/python -m tests.pictures

# Search all hand-written files for keys and tokens by their form. Ruff finds names like "password" (S105 to S107).
# Example passwords in addresses are excluded by their value.
UNSCANNED := ^(detection/data/|docs/pictures/|detection/lab/training/language/lists/|detection/lab/training/authored/|LICENSE|constraints.txt|requirements-image.txt)
SECRETS := --disable-plugin KeywordDetector --exclude-secrets '^(password|secret|hunter2)$$'

# The type check takes as long as all other checks, so the two run in parallel.
lint: $(VENV)/.installed-test
	@$(MAKE) --no-print-directory --jobs=2 --output-sync lint-others lint-types

lint-types: $(VENV)/.installed-test
	$(BIN)/mypy

lint-others: $(VENV)/.installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint templates --lint
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m pip check
	git ls-files -z | grep -zvE '$(UNSCANNED)' | xargs -0 $(BIN)/detect-secrets-hook $(SECRETS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "ChatProtect needs Python 3.11 or newer. Name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
		{ echo "The module venv is missing. On Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }

# No compilation here: modules are compiled at their first import, and most are never imported.
$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[test]'
	@touch $@ $(VENV)/.installed
