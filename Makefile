# `make play` and `make test` are all the set-up there is: each makes the environment it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=
CONSTRAINTS ?=
GAME   ?= pacman --level 3
EYES   ?= $(HOME)/.cache/companion-eyes
DICE   ?= $(HOME)/.cache/companion-dice
DATA   ?=
PICTURES ?= 2000
RENDER ?= .venv-render

# MicroPython under Node for the firmware's tests where no `micropython` is on the PATH, and the stubs it is checked with.
NPM_MICROPYTHON := @micropython/micropython-webassembly-pyscript@1.27.0
PICO_STUBS := micropython-rp2-rpi_pico-stubs==1.27.0.post1 micropython-stdlib-stubs==1.27.0.post2

# A fast test of every room: nothing that drives a browser, opens a port for long or plays whole games; what OpenCV and numpy
# have a say in; what Flask and waitress have.
files = $(addprefix tests/$(1)/test_,$(addsuffix .py,$(2)))
QUICK := tests/games tests/players tests/engine tests/referee tests/boards tests/store tests/panel tests/lights \
    $(addprefix tests/test_,$(addsuffix .py,ci config doctext flaky hooks imports versions)) \
    $(call files,sensing,corners fusion) $(call files,sensing/hall,evidence touch wire) $(call files,sensing/vision,decode pose reader sheet size) \
    $(call files,service,devices helper loop malloc watchdog) $(call files,setup,calibration) \
    $(call files,web,address api guard hub menu setup start words) $(call files,sim,hands strip table) \
    $(call files,commands,address boards replay) $(call files,hardware,circuit figures) $(call files,firmware,files)
SEEING := tests/sensing tests/sim tests/commands tests/web/test_vision_page.py
SERVING := $(call files,web,api guard hub serve setup)

# pip shows a bar on a terminal and says nothing elsewhere.
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check $$([ -t 1 ] || echo --quiet) $(addprefix --constraint ,$(CONSTRAINTS))
PYTEST  = $(BIN)/python -m pytest --override-ini cache_dir=$(VENV)/.pytest_cache --numprocesses auto --dist loadfile
AGAIN   = $(MAKE) --no-print-directory

.PHONY: play test test-long quick seeing test-oldest test-bookworm test-313 lint bench eyes dice docs micropython pins hardware clean
.DEFAULT_GOAL := play

play: $(VENV)/.base
	$(BIN)/companion play $(GAME) --sim $(ARGS)

test: $(VENV)/.test
	@./tests/need-browser
	@command -v micropython >/dev/null || ! command -v npm >/dev/null || $(MAKE) --no-print-directory micropython || echo "without MicroPython, the tests of the firmware will be skipped"
	$(PYTEST) $(ARGS)

test-long:
	COMPANION_TESTS=long $(AGAIN) test

quick: $(VENV)/.test
	$(PYTEST) -m "not browser" $(QUICK) $(ARGS)

seeing: $(VENV)/.test
	$(PYTEST) $(SEEING) $(ARGS)

# The same with other versions, each in an environment of its own: the oldest of all libraries that are allowed, what the
# installer takes on Raspberry Pi OS bookworm, and the Python of its successor. What needs a MicroPython is skipped there
# (CI would ask for one): the whole suite has it.
test-oldest:
	CI= $(AGAIN) seeing VENV=.venv-oldest CONSTRAINTS=tests/oldest.txt ARGS='$(QUICK) $(SERVING) $(ARGS)'

test-bookworm:
	CI= $(AGAIN) seeing VENV=.venv-bookworm CONSTRAINTS=deploy/bookworm.txt

test-313:
	@python=$$(./tests/find-python 3.13) || { echo "without Python 3.13, its tests are skipped"; exit 0; }; \
	CI= $(AGAIN) quick VENV=.venv-313 PYTHON=$$python

lint: $(VENV)/.test $(VENV)/.lint $(VENV)/.pico-stubs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	MYPYPATH=$(VENV)/pico-stubs $(BIN)/mypy --config-file firmware/mypy.ini --custom-typeshed-dir $(VENV)/pico-stubs

bench: $(VENV)/.bench
	$(BIN)/python -m bench $(ARGS)

# Renders, trains, calibrates and scores the nets of the eyes in EYES, outside of the work tree; goes on where it was stopped.
# Blender's module has an environment of its own; PICTURES=0 does without. With DATA a net learns from recorded games, too.
eyes: $(VENV)/.train $(if $(DATA)$(filter 0,$(PICTURES)),,$(RENDER)/.bpy)
	PYTHONPATH=. $(BIN)/python -m bench.eyes $(EYES) \
	    $(if $(DATA),$(addprefix --data ,$(DATA)),--pictures $(PICTURES) --renderer $(RENDER)/bin/python) $(ARGS)
	$(if $(DATA),,PYTHONPATH=. $(BIN)/python -m bench.eyes.close $(EYES))

# Draws dice, trains and scores the net that reads them in DICE, outside of the work tree; goes on where it was stopped.
dice: $(VENV)/.train
	PYTHONPATH=. $(BIN)/python -m bench.dice $(DICE) $(ARGS)

docs: $(VENV)/.test
	@./tests/need-browser
	PYTHONPATH=. $(BIN)/python docs/make_pictures.py

micropython: $(VENV)/micropython/.$(notdir $(NPM_MICROPYTHON))

pins:
	$(PYTHON) hardware/make_pins.py

hardware: $(VENV)/.test
	PYTHONPATH=. $(BIN)/python -m hardware $(ARGS)

clean:
	rm -rf $(VENV) $(RENDER) .venv-oldest .venv-bookworm .venv-313 build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("the companion needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "making an environment in $(VENV), about half a minute the first time; nothing outside of this folder is changed"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml setup.py companion/players/native/quoridor.c $(CONSTRAINTS) | $(BIN)/python
	@echo "installing the companion and the libraries it needs"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.%: pyproject.toml $(VENV)/.base | $(BIN)/python
	@echo "installing what is needed for: $*"
	@$(INSTALL) --editable '.[$*]'
	@touch $@

$(RENDER)/.bpy:
	@echo "making an environment for Blender in $(RENDER)"
	@$(PYTHON) -m venv $(RENDER)
	@$(RENDER)/bin/python -m pip install --disable-pip-version-check --quiet "bpy==4.5.*" "numpy<2" opencv-python-headless segno tqdm
	@touch $@

$(VENV)/.pico-stubs: Makefile | $(BIN)/python
	@echo "installing what the firmware is checked with"
	@$(INSTALL) --no-deps --upgrade --target $(VENV)/pico-stubs $(PICO_STUBS)
	@touch $@

$(VENV)/micropython/.$(notdir $(NPM_MICROPYTHON)): | $(BIN)/python
	npm install --silent --no-audit --no-fund --no-save --prefix $(VENV)/micropython $(NPM_MICROPYTHON)
	@touch $@
