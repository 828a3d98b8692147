# The two commands a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8000

.PHONY: demo test check bench lock clean

demo: $(VENV)/installed-run
	$(BIN)/referee demo --port $(PORT)

# A worker for each core; each has a browser of its own, so there are not more than four.
test: check $(VENV)/installed-tools
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed-dev $(VENV)/installed-tools
	$(BIN)/python -m tests.bench --json build/bench.json

lock:
	uv pip compile --universal --generate-hashes --no-annotate --no-header --quiet \
	    pyproject.toml -o requirements.lock
	uv pip compile --universal --generate-hashes --no-annotate --no-header --quiet --group dev \
	    pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Installs Debian packages, and says so first.
APT = apt() { \
    echo "Installing the Debian packages $$* (needed once)"; \
    SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
    $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq --no-install-recommends "$$@"; }

# Debian's Python comes without pip for virtual environments.
$(BIN)/python:
	@$(APT); $(PYTHON) -c 'import ensurepip' 2>/dev/null || apt python3-venv
	$(PYTHON) -m venv $(VENV)

# The opencv-python wheel links to three X libraries that a machine without a screen lacks.
$(VENV)/installed-run: $(BIN)/python requirements.lock pyproject.toml
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --editable .
	@$(APT); $(BIN)/python -c 'import cv2' 2>/dev/null || apt libgl1 libglib2.0-0 libxcb1
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed-run requirements-dev.lock
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

# The firmware's compiler and simulator, a browser, a broker for announcements: without one of them
# its tests are skipped, and say so.
$(VENV)/installed-tools: $(VENV)/installed-dev
	@$(APT); { command -v avr-gcc && command -v cppcheck && command -v gcc && \
	    test -e /usr/include/simavr/sim_avr.h; } >/dev/null || \
	    apt gcc-avr avr-libc binutils-avr libsimavr-dev cppcheck gcc libc6-dev
	@$(APT); command -v chromium >/dev/null || \
	    apt chromium || echo "No Chromium: tests of the pages are skipped"
	@$(APT); command -v mosquitto || test -x /usr/sbin/mosquitto || \
	    apt mosquitto || echo "No Mosquitto: tests of announcements are skipped"
	@touch $@
