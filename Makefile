# Two commands matter: `make demo` and `make test`. Each makes .venv, installs what is missing and runs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# CI installs with another program.
INSTALL ?= $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Tests wait a lot, for browsers above all: three at once are faster on two processors as well.
WORKERS ?= $(shell n=$$(nproc); echo $$((n < 3 ? 3 : n > 4 ? 4 : n)))

.PHONY: demo test lint types scripts docs bench hub home-assistant hil arm deb deb-test deb-boot deb-hotspot deb-arm deb-image speech clean help

help:
	@echo "make demo   watch a simulated game night (no hardware)"
	@echo "make test   lint, types and every test; those of the page scripts where Node.js is installed"
	@echo "make docs   writes the catalogues and the generated pages of docs again"
	@echo "make bench  accuracy and speed; see docs/benchmarks.md"
	@echo "make hub    a broker and a hub of many tables on this machine (needs Mosquitto); see docs/hub.md"
	@echo "make home-assistant  checks the discovery messages with Home Assistant's own schemas (installs it)"
	@echo "make hil    the service in a virtual machine with GPIO lines, microphone and camera (root, 3 GB)"
	@echo "make arm    the tests as a Raspberry Pi's processor runs them (root, 2 GB)"
	@echo "make deb    Debian packages for arm64 and amd64 in dist (debhelper); SIGNING_KEY=FILE signs them for phones"
	@echo "make deb-test  installs, upgrades, downgrades and purges them in Debian 12 and 13 (root, 4 GB)"
	@echo "make deb-arm  starts the arm64 package's program under qemu-user, Python 3.11 and 3.13 (root, 2 GB)"
	@echo "make deb-image  runs the image's stage on an arm64 Debian and boots the result in a virtual machine (root, 10 GB)"
	@echo "make deb-hotspot  the appliance's own wireless network with simulated radios in a virtual machine (root, 8 GB)"
	@echo "make deb-boot  boots Debian 13 with them in a container: home network, update, roll back, restore (root, 6 GB)"

demo: $(VENV)/.run
	$(BIN)/companion demo $(DEMO)

test: $(VENV)/.dev
	$(MAKE) --no-print-directory --jobs 2 --output-sync types scripts lint
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST)

# What `make test` checks before the tests, two at a time.
lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

scripts:
	tests/web/js/check.sh

docs: $(VENV)/.dev
	$(BIN)/python -m companion.locale.make
	$(BIN)/python -m companion.core.config > docs/configuration.md
	$(BIN)/python -m companion.commands.reference docs/cli.md
	$(BIN)/python -m companion.mqtt.reference docs
	$(BIN)/python -m companion.hub.settings > docs/hub-configuration.md
	$(BIN)/python -m web.api_page > docs/api.md
	$(BIN)/python -m web.security_page > docs/security.md
	$(BIN)/python -m web.types_page > web/static/lib/api_types.d.ts
	$(BIN)/python tests/games/coverage_table.py
	$(BIN)/python docs/drawings.py

bench: $(VENV)/.dev
	$(BIN)/python -m bench

hub: $(VENV)/.dev
	systemd/hub/try.sh $(BIN)/python

home-assistant: $(VENV)/.dev
	$(BIN)/python -m bench.hall.home_assistant

hil: $(VENV)/.dev
	$(BIN)/python tests/hil/run.py

arm:
	tests/arm/arm.sh

deb:
	packaging/deb.sh

deb-test:
	tests/packaging/install.sh

deb-boot:
	tests/packaging/boot.sh

deb-hotspot:
	tests/packaging/hotspot.sh

deb-arm:
	tests/packaging/start_arm64.sh

deb-image:
	tests/packaging/image.sh

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# .run: what a player needs; .dev: what the tests need on top. A changed pyproject.toml installs again.
$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --editable ".[dev]"
	@touch $@ $(VENV)/.run

# Speaks, draws and trains models/speech/en anew; python -m models.speech.train.needs lists what it needs.
speech: $(VENV)/.dev
	$(INSTALL) --editable ".[train]"
	$(BIN)/python -m models.speech.train.build --out models/speech/en --seed 7

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache dist
