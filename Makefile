# make demo runs the main job, make test the suite. Both set up .venv first; after that they work offline.

ifndef PYTHON
PYTHON := $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
endif
VENV := .venv/bin
INSTALL := $(VENV)/python -m pip install --quiet --disable-pip-version-check

# An environment whose Python is gone is made again.
ifneq ($(shell $(VENV)/python -c 'print("works")' 2>/dev/null),works)
$(shell rm -rf .venv/bin/pip .venv/ready .venv/ready-to-check)
endif

.PHONY: demo test coverage check bench clean
.DEFAULT_GOAL := test

demo: .venv/ready
	@$(VENV)/expedition demo $(if $(DECISION),--decision $(DECISION))

test: .venv/ready
	$(VENV)/python -m pytest --numprocesses=auto

# The gates and the steps of a dig, every branch, by the tests that are about them.
coverage: .venv/ready
	$(VENV)/python -m pytest --quiet --numprocesses=auto tests/test_gates_*.py tests/test_server_steps.py tests/test_server_laboratory.py tests/test_server_cases.py --cov

check: .venv/ready-to-check
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(VENV)/pyright
	$(VENV)/lint-imports

bench: .venv/ready
	@for script in bench/bench_*.py; do echo "== $$script"; $(VENV)/python "$$script" || exit 1; done

clean:
	rm -rf .demo .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# A ready file is a copy of the pyproject.toml that was installed: touching that file costs nothing.
.venv/ready: pyproject.toml | .venv/bin/pip
	@cmp -s $< $@ || { echo 'installing into .venv ...' && $(INSTALL) --editable . --group test; }
	@cp $< $@

.venv/ready-to-check: pyproject.toml .venv/ready
	@cmp -s $< $@ || { echo 'installing the checkers ...' && $(INSTALL) --group lint; }
	@cp $< $@

# Debian's Python may lack ensurepip; its own pip then fills the environment. --group needs pip 25.1.
.venv/bin/pip:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed. Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'making .venv with $(PYTHON) ...'
	@'$(PYTHON)' -m venv --clear .venv >/dev/null 2>&1 || { \
	  '$(PYTHON)' -m venv --clear --without-pip .venv && \
	  '$(PYTHON)' -m pip --python $(VENV)/python install --quiet --disable-pip-version-check pip; }
	@$(INSTALL) 'pip>=25.1'
