# make run    the whole site on this machine: web server, worker, broker, sample deals
# make test   all tests, on a real PostgreSQL and Redis
# make quick  the tests of engine, notation and storage, on SQLite, in less than a minute
# All do their own set-up. Needed: Python 3.11 or newer, make. Not needed: root, a database, a broker.

SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
LOCKS := deploy/requirements

.DEFAULT_GOAL := help
.PHONY: help run test quick bench faults seeds fuzz mutants kernel lint format hooks lock clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -4

# What is installed is what the lock files name, hash by hash; the stamps remember how much of it.
.venv: .venv/.run
.venv/.run .venv/.test .venv/.dev .venv/.kernel: .venv/.%: $(LOCKS)/%.txt pyproject.toml deploy/make_venv.py
	@$(PYTHON) deploy/make_venv.py .venv $*

run: .venv/.run
	@exec $(BIN)/python -m deploy.run

test: .venv/.test
	@$(BIN)/python -m tests $(ARGS)

quick: .venv/.test
	@$(BIN)/python -m tests --quick $(ARGS)

bench: .venv/.test
	@$(BIN)/python -m tools.bench $(ARGS)

faults: .venv/.test
	@$(BIN)/python -m tools.faults $(ARGS)

# Random histories (docs/seeds.md): for SECONDS, or only the history of a SEED.
SECONDS ?= 600
seeds: .venv/.test
	@SECONDS=$(SECONDS) SEED="$(SEED)" $(BIN)/python $(if $(filter --broken,$(ARGS)),-m tests.seeds.broken, \
	  -m tests tests/seeds/test_$(if $(filter --phones,$(ARGS)),phones,histories).py -n 0 -q -s \
	  $(filter-out --phones,$(ARGS)))

# The engine's properties and its readers with many more deals and examples than in `make test`; every bad
# value everywhere, every step in every view, and all that schemathesis can think of.
FUZZED := tests/engine tests/tables/test_workbook.py \
  $(addprefix tests/pages/test_,bad_values.py replay.py views.py) \
  $(addprefix tests/api/test_,error_shape.py replay.py schema.py sheets.py)
fuzz: .venv/.test
	@TAROCK_DEALS=$${TAROCK_DEALS:-2000} $(BIN)/python -m tests $(FUZZED) $(ARGS)

mutants: .venv/.dev
	@$(BIN)/python -m tools.mutants $(ARGS)

# The WebAssembly module of the kernel from its C file; ARGS=--check only compares it with the stored one.
kernel: .venv/.kernel
	@$(BIN)/python -m tools.kernel $(ARGS)

lint: .venv/.dev tools/scripts/node_modules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@! git grep -nwiE -f tools/dialect.txt -- $(PROSE) || { echo "Reword these lines (CONTRIBUTING.md, Language)." >&2; exit 1; }
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix tools/scripts run --silent check

# Everything that people read in English; of the engine's texts the other languages are left out.
PROSE = '*.py' '*.md' '*.html' '*.js' '*.json' ':!**/pyodide*/**' ':!*package-lock.json' ':!tests/conformance/*' \
  ':!archive/migrations/0001*' ':!**/texts/de.json' ':!**/texts/cs.json' ':!**/texts/ja.json'

# Node comes with the Python packages; its packages have a separate lock file.
tools/scripts/node_modules: .venv/.dev tools/scripts/package-lock.json
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix tools/scripts ci --silent --no-audit --no-fund
	@touch $@

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The check of commit messages (CONTRIBUTING.md).
hooks:
	git config core.hooksPath tools/hooks

# New lock files from pyproject.toml; one set for every platform and Python from 3.11.
COMPILE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url
lock: .venv/.run
	$(COMPILE) $(LOCKS)/uv.in -o $(LOCKS)/uv.txt
	for part in "run" "test --extra test" "dev --extra test --extra dev" "kernel --extra kernel"; do set -- $$part; name=$$1; shift; \
	  $(COMPILE) "$$@" pyproject.toml $(LOCKS)/build.in -o $(LOCKS)/$$name.txt || exit 1; done

clean:
	rm -rf .venv var build *.egg-info .pytest_cache .mypy_cache .ruff_cache
