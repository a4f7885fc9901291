# `make play` and `make test` are all the set-up there is: each makes the environment it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=

.PHONY: play test lint bench docs clean
.DEFAULT_GOAL := play

play: $(VENV)/.base
	$(BIN)/companion play --sim $(ARGS)

test: $(VENV)/.test
	@./tests/need-browser
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.test $(VENV)/.lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python -m bench $(ARGS)

docs: $(VENV)/.test
	@./tests/need-browser
	PYTHONPATH=. $(BIN)/python docs/make_pictures.py

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("the companion needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.%: pyproject.toml $(VENV)/.base | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
