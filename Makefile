# make run   starts a server on this machine and prints its address
# make test  runs every check and test, installing what they need
# The others: check (the fast part), chaos (kills servers for a quarter of an hour), cluster (Redis, nodes and a
# balancer on this machine), bench, bench-cluster, soak, format, kernel, sanitize (its tests with bounds
# checked), clean.

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
KERNELS := $(wildcard server/solver/kernel.py server/solver/wide.py server/solver/*.pxd)
# What an installation depends on: when one of these is newer, it is made again.
BUILD := pyproject.toml requirements-dev.lock setup.py _build.py $(KERNELS)
FAST := not browser and not chaos and not slow
# A process a core, whole files to each; what kills servers has the machine to itself afterwards.
SPREAD := -n auto --maxprocesses 4 --dist loadfile

# With ARGS that choose tests, one of the two halves may have none (pytest's status 5).
NONE_IS_FINE := $(if $(ARGS),|| [ $$? -eq 5 ])

.PHONY: run test check chaos cluster static types-js bench bench-cluster soak format kernel sanitize clean

run: .venv/installed
	$(BIN)/double-solitaire serve $(ARGS)

test: static
	@scripts/provide.sh chromium
	@scripts/provide.sh redis
	@scripts/provide.sh haproxy
	$(BIN)/python -m pytest $(SPREAD) -m "not chaos" $(ARGS) $(NONE_IS_FINE)
	$(BIN)/python -m pytest -m chaos $(ARGS) $(NONE_IS_FINE)

check: static
	@scripts/provide.sh redis
	@scripts/provide.sh haproxy
	$(BIN)/python -m pytest -q $(SPREAD) -m "$(FAST)" $(ARGS)

chaos: .venv/dev
	@scripts/provide.sh redis
	@scripts/provide.sh haproxy
	CHAOS=long $(BIN)/python -m pytest -q -s -m chaos --timeout 1800 $(ARGS)

cluster: .venv/dev
	@scripts/provide.sh redis
	$(BIN)/python -m scripts.cluster $(ARGS)

static: .venv/dev types-js
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .

types-js: node_modules/installed
	node_modules/.bin/tsc --noEmit

bench: .venv/dev
	$(BIN)/python -m bench $(ARGS)

bench-cluster: .venv/dev
	@scripts/provide.sh redis
	$(BIN)/python -m bench.cluster $(ARGS)

soak: .venv/dev
	@scripts/provide.sh redis
	$(BIN)/python -m bench.soak $(ARGS)

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The solver's tests on kernels that check each array's bounds and each address.
sanitize: .venv/dev
	PYTHON=$(BIN)/python scripts/sanitize.sh

# The compiled solver beside its source; made anew whenever the source is newer.
kernel: .venv/dev

clean:
	rm -rf .venv node_modules build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	rm -f server/solver/*.so
	find client server shared tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.venv/bin/python:
	python=$$(scripts/provide.sh python) && "$$python" -m venv .venv

.venv/installed: .venv/bin/python $(BUILD)
	@scripts/provide.sh compiler || echo "Going on: the solver will run uncompiled, and slowly."
	@echo "Installing the server and what it needs (once)"
	$(PIP) install --constraint requirements-dev.lock --editable .
	@touch $@

.venv/dev: .venv/bin/python $(BUILD)
	@scripts/provide.sh compiler
	@echo "Installing the server, the checks and what they need (once)"
	$(PIP) install --constraint requirements-dev.lock --editable '.[dev]'
	@touch $@ .venv/installed

node_modules/installed: package.json package-lock.json
	@scripts/provide.sh node
	npm ci --silent
	@touch $@
