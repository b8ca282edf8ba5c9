# Every target sets up what it needs: .venv is made when it is missing and brought up to date when pyproject.toml or
# constraints.txt changed. Choose the interpreter with `PYTHON=python3.12 make ...` (it counts when .venv is made).

PYTHON ?= python3
JIMBO_CONFORMANCE ?= ../shared/conformance

BIN := .venv/bin
RLLIB := .venv-rllib
STAMP := .venv/.ready
CPP_OPTIONS := -DJIMBO_PYTHON=OFF -DJIMBO_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
PROMTOOL ?= promtool
SOAK_ACTIONS ?= 2000000
FUZZ_INPUTS ?= 40000
WHEEL_PYTHONS ?= 3.12 3.13
CPP_FILES = $(shell find engine bindings -name '*.cpp' -o -name '*.hpp')

# The build tools of .venv come first.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The package was once installed as "jimbo". Both write the same files, so the old one goes before the new one comes.
forget_old_name = if $(1) -m pip show -q jimbo 2> /dev/null; then $(1) -m pip uninstall -q -y jimbo; fi

.DEFAULT_GOAL := help
.PHONY: help quickstart browser databases test test-slow rllib-test ci ci-full lint format types build bench cpp-test sanitize soak wheel-check verify promtool clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

quickstart: build  ## set up, build, and go from nothing to a network that plays (jimbo quickstart)
	$(BIN)/jimbo quickstart

browser:  ## Chromium, which the tests of the page in a browser need
	@if [ -n "$$JIMBO_CHROMIUM" ] || command -v chromium > /dev/null || command -v chromium-browser > /dev/null || \
	    command -v google-chrome > /dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	    apt-get install -y -qq --no-install-recommends chromium > /dev/null; then :; \
	else \
	    echo "*** NOT INSTALLED: Chromium. Install it, or name it with JIMBO_CHROMIUM; until then its tests are skipped ***"; \
	fi

databases:  ## InfluxDB and Prometheus, which the tests of telemetry need
	@if command -v influxd > /dev/null && command -v prometheus > /dev/null && command -v promtool > /dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	    apt-get install -y -qq --no-install-recommends influxdb prometheus > /dev/null; then :; \
	else \
	    echo "*** NOT INSTALLED: InfluxDB and Prometheus. Install them; until then the tests that need them are skipped ***"; \
	fi

test: build  ## the Python tests, without the slow ones
	$(BIN)/pytest -n auto -m "not slow"

test-slow: build  ## the Python tests that take half a minute or more
	$(BIN)/pytest -n auto -m slow

# RLlib names one version of gymnasium, older than ours, so it has an environment of its own, and the package comes as a
# wheel built in a folder of its own.
rllib-test: $(STAMP) $(RLLIB)/.ready  ## the tests that need RLlib, and those of the environments with its gymnasium
	@rm -rf build/rllib/wheels
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -C build-dir=build/rllib/core -w build/rllib/wheels .
	@$(call forget_old_name,$(RLLIB)/bin/python)
	$(RLLIB)/bin/python -m pip install -q -c $(RLLIB)/constraints.txt pytest "$$(echo build/rllib/wheels/jimbo_balatro-*.whl)[rllib]"
	$(RLLIB)/bin/python -m pip install -q --no-deps --force-reinstall build/rllib/wheels/jimbo_balatro-*.whl
	$(RLLIB)/bin/pytest tests/rllib tests/env

# The C++ tests run under the sanitizers here; the core as it is shipped, optimised, is what the Python tests run on. The
# wheel for Python 3.11 is built like the core of .venv, so it waits for ci-full.
ci: lint types build sanitize browser databases test wheel-check verify  ## everything that must hold before a merge
	@echo "make ci: all checks passed"

ci-full: WHEEL_PYTHONS = 3.11 3.12 3.13
ci-full: ci cpp-test test-slow rllib-test soak  ## ci and the slow proofs
	@echo "make ci-full: all checks passed"

lint: $(STAMP)  ## style of Python and C++, and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@echo "$(BIN)/clang-format --dry-run -Werror (engine, bindings)"
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	@if grep -nE '#include "\.\./' $(CPP_FILES); then echo 'Include by room: #include "rng/streams.hpp".'; exit 1; fi
	$(BIN)/lint-imports --no-logo

format: $(STAMP)  ## rewrite Python and C++ in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@echo "$(BIN)/clang-format -i (engine, bindings)"
	@$(BIN)/clang-format -i $(CPP_FILES)

types: build  ## mypy, strict
	$(BIN)/mypy

build: $(STAMP)  ## bring the compiled core up to date
	@SKBUILD_EDITABLE_VERBOSE=1 $(BIN)/python -c "import sys; from importlib.util import find_spec; \
	    sys.tracebacklimit = 0; find_spec('jimbo').loader.rebuild()"

cpp-test: $(STAMP)  ## the C++ tests
	$(BIN)/cmake -S . -B build/cpp -G Ninja $(CPP_OPTIONS)
	$(BIN)/cmake --build build/cpp
	$(BIN)/ctest --test-dir build/cpp --output-on-failure --no-tests=error

bench: build  ## how fast the engine is on this machine
	$(BIN)/jimbo bench

sanitize: $(STAMP)  ## the C++ tests under the address and undefined-behaviour sanitizers
	$(BIN)/cmake -S . -B build/sanitize -G Ninja $(CPP_OPTIONS) -DJIMBO_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure --no-tests=error

soak: $(STAMP)  ## two million random actions with every rule checked, and broken stored runs, under the sanitizers
	$(BIN)/cmake -S . -B build/sanitize -G Ninja $(CPP_OPTIONS) -DJIMBO_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize --target soak fuzz_load
	build/sanitize/engine/soak --actions $(SOAK_ACTIONS) --jobs $$(nproc)
	build/sanitize/engine/fuzz_load --inputs $(FUZZ_INPUTS)

wheel-check: $(STAMP)  ## build the wheel and try it on other versions of Python
	.ci/wheel-check $(WHEEL_PYTHONS)

verify: build  ## compare with the extract of reference data here, and with the recorded game in $JIMBO_CONFORMANCE
	@PYTHONPATH=tests $(BIN)/python -m conformance tests/conformance/extract
	@if [ -d "$(JIMBO_CONFORMANCE)" ]; then \
	    PYTHONPATH=tests $(BIN)/python -m conformance "$(JIMBO_CONFORMANCE)"; \
	else \
	    echo "*** NOT CHECKED: no conformance folder at $(JIMBO_CONFORMANCE) (set JIMBO_CONFORMANCE) ***"; \
	fi

# promtool comes with Debian's package prometheus. It advises against one name, that of the latency in milliseconds.
promtool: $(STAMP)  ## whether Prometheus likes the metrics of the event aggregator
	@command -v $(PROMTOOL) > /dev/null || { echo "promtool is missing: apt-get install prometheus, or PROMTOOL=FILE make promtool"; exit 1; }
	PROMTOOL=$(PROMTOOL) $(BIN)/pytest -q tests/serve/events/test_promtool.py

clean:  ## remove everything that was made
	rm -rf .venv .venv-rllib build dist src/jimbo/engine/_core.pyi
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Jimbo needs Python 3.11 or newer; name one: PYTHON=python3.12 make ...")'
	@echo "Setting up .venv (a few minutes the first time) ..."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(call forget_old_name,$(BIN)/python)
	$(BIN)/python -m pip install -q -c constraints.txt scikit-build-core nanobind cmake ninja
	$(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -e ".[dev]"
	@touch $@

# Versions as in constraints.txt, but for gymnasium, which RLlib chooses.
$(RLLIB)/.ready: pyproject.toml constraints.txt
	@echo "Setting up .venv-rllib (a few minutes the first time) ..."
	test -x $(RLLIB)/bin/python || $(PYTHON) -m venv $(RLLIB)
	grep -v '^gymnasium==' constraints.txt > $(RLLIB)/constraints.txt
	@touch $@
