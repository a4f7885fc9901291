# `make play` and `make test` are all the set-up there is: each makes the environment it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=
GAME   ?= pacman --level 3

# MicroPython under Node for the firmware's tests where no `micropython` is on the PATH, and the stubs it is checked with.
NPM_MICROPYTHON := @micropython/micropython-webassembly-pyscript@1.27.0
PICO_STUBS := micropython-rp2-rpi_pico-stubs==1.27.0.post1 micropython-stdlib-stubs==1.27.0.post2

.PHONY: play test test-long lint bench docs micropython pins hardware clean
.DEFAULT_GOAL := play

play: $(VENV)/.base
	$(BIN)/companion play $(GAME) --sim $(ARGS)

test: $(VENV)/.test
	@./tests/need-browser
	@command -v micropython >/dev/null || ! command -v npm >/dev/null || $(MAKE) --no-print-directory micropython || echo "without MicroPython, the tests of the firmware will be skipped"
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(ARGS)

test-long:
	COMPANION_TESTS=long $(MAKE) --no-print-directory test

lint: $(VENV)/.test $(VENV)/.lint $(VENV)/.pico-stubs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	MYPYPATH=$(VENV)/pico-stubs $(BIN)/mypy --config-file firmware/mypy.ini --custom-typeshed-dir $(VENV)/pico-stubs

bench: $(VENV)/.bench
	$(BIN)/python -m bench $(ARGS)

docs: $(VENV)/.test
	@./tests/need-browser
	PYTHONPATH=. $(BIN)/python docs/make_pictures.py

micropython: $(VENV)/micropython/.$(notdir $(NPM_MICROPYTHON))

pins:
	$(PYTHON) hardware/make_pins.py

hardware: $(VENV)/.test
	PYTHONPATH=. $(BIN)/python -m hardware $(ARGS)

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("the companion needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml setup.py companion/core/quoridor.c | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.%: pyproject.toml $(VENV)/.base | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

$(VENV)/.pico-stubs: Makefile | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/pico-stubs $(PICO_STUBS)
	@touch $@

$(VENV)/micropython/.$(notdir $(NPM_MICROPYTHON)): | $(BIN)/python
	npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/micropython $(NPM_MICROPYTHON)
	@touch $@
