# Two commands are enough: `make run` and `make test`. Both need nothing but Python 3.11 or newer and make.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8000
HOST   ?= 127.0.0.1
# What `make train` learns from.
DATA   ?= ../shared/spider
# --reuse fits on what was collected before.
AGAIN  ?=
# Tests use as many processes as this.
JOBS   ?= 2

.DEFAULT_GOAL := help
.PHONY: help run test lint types contracts pytest format golden train train-encoder bench wheel wheel-check clean

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

run: $(VENV)/.run ## Install when needed, build the demo databases, serve on http://127.0.0.1:8000/
	@$(BIN)/starchart serve --host $(HOST) --port $(PORT)

test: lint types contracts pytest ## Everything that must hold: style, types, import contracts, tests, golden cases

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports --no-logo

pytest: $(VENV)/.dev
	$(BIN)/pytest -n $(JOBS) --dist loadgroup

format: $(VENV)/.dev ## Format the code
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

golden: $(VENV)/.run ## Put the golden cases to the engine and print the report
	$(BIN)/starchart golden

train: $(VENV)/.train ## Learn the scorer from questions with known SQL: make train DATA=folder with tune.jsonl, database, variants
	$(BIN)/python -m app.training --data $(DATA) --processes $(JOBS) $(AGAIN)

train-encoder: $(VENV)/.encoder ## Train the encoder anew on what `make train` collected; then: make train AGAIN=--reuse
	$(BIN)/python -m app.training --data $(DATA) --processes $(JOBS) --encoder

bench: $(VENV)/.run ## Measure stages, overhead over bare SQL, start-up time, page weight, a thousand tables
	$(BIN)/python -m app.bench
	$(BIN)/python -m app.large

wheel: $(VENV)/.dev ## Build the wheel into dist/
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	@ls -l dist/*.whl

wheel-check: $(VENV)/.dev ## Install the wheel into a fresh environment elsewhere, serve from it and ask it
	$(BIN)/python tests/wheel_check.py

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Starchart needs Python 3.11 or newer; say which one: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { rm -rf $(VENV); echo "This Python cannot make environments; on Debian: apt-get install python3-venv"; exit 1; }

# Installed again only when the list of dependencies has changed; the code itself is used where it lies.
$(VENV)/.run: pyproject.toml | $(BIN)/pip
	@echo "Installing Starchart into $(VENV) …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/pip
	@echo "Installing Starchart and what its tests need into $(VENV) …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.train: pyproject.toml | $(BIN)/pip
	@echo "Installing Starchart and what training needs into $(VENV) …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	@touch $@ $(VENV)/.run

$(VENV)/.encoder: pyproject.toml | $(BIN)/pip
	@echo "Installing Starchart and what training the encoder needs into $(VENV) …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train,encoder]'
	@touch $@ $(VENV)/.train $(VENV)/.run
