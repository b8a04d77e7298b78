# Two commands do everything: `make demo` and `make test`. The rest is for daily work.
PYTHON ?= python3
VENV ?= .venv
# an environment of its own, so that the other stays without torch
MODELS_VENV ?= .venv-models
# a chat model of 240 MB, to see that nothing it makes up gets through
CHAT_MODEL_VENV ?= .venv-chat-model
# graspologic wants another numpy
GRASPOLOGIC_VENV ?= .venv-graspologic
# several machines: Celery, Kubernetes, charts
SCALE_VENV ?= .venv-scale
BIN := $(VENV)/bin
# moto serves S3 on loopback, with its own version of Amazon's client
S3_VENV ?= .venv-s3
# where `make dev` opens the UI
PORT ?= 3000
# demo data stays in the checkout, apart from a user's own
DEMO_HOME ?= $(CURDIR)/.finrag-demo

.PHONY: demo dev test test-faults test-browser test-scale test-models test-s3 test-chat-model test-graspologic check format samples clean

demo: $(VENV)/core
	@FINRAG_HOME="$(DEMO_HOME)" PATH="$(abspath $(BIN)):$$PATH" sh samples/demo.sh

dev: $(VENV)/core
	$(BIN)/finrag dev --port $(PORT)

# a third worker works while others wait for services and timeouts
test: $(VENV)/test
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder

# kills, hangs and outages: they wait for time limits more than they work
test-faults: $(VENV)/test
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder -m faults

# the page as people use it, in the machine's own Chromium
test-browser: $(VENV)/test
	$(BIN)/pytest -m browser finrag_pipeline_tests/serve/page/browser

# two workers, a broker, one of each lost; the chart and the image's file
test-scale: $(SCALE_VENV)/done
	$(SCALE_VENV)/bin/pytest -n 2 -m scale finrag_pipeline_tests/scale

test-models: $(MODELS_VENV)/done
	$(MODELS_VENV)/bin/pytest -m models

# an inbox on a real server of S3, which lists what it does not hand out
test-s3: $(S3_VENV)/done
	$(S3_VENV)/bin/pytest -m s3 finrag_pipeline_tests/serve/faults/test_s3_inbox.py

test-chat-model: $(CHAT_MODEL_VENV)/done
	$(CHAT_MODEL_VENV)/bin/pytest -m chat_model finrag_pipeline_tests/test_chat_model.py

# the same partitions as the project whose native core this one uses
test-graspologic: $(GRASPOLOGIC_VENV)/done
	$(GRASPOLOGIC_VENV)/bin/python -m pytest --noconftest -o addopts= \
		finrag_pipeline_tests/stages/communities/test_graspologic.py

check: $(VENV)/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	mkdir -p $(VENV)/dagster
	printf 'telemetry:\n  enabled: false\n' > $(VENV)/dagster/dagster.yaml
	DAGSTER_HOME="$(abspath $(VENV))/dagster" $(BIN)/dg check defs

format: $(VENV)/test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

samples: $(VENV)/core
	$(BIN)/python samples/make_samples.py

clean:
	rm -rf $(VENV) $(MODELS_VENV) $(S3_VENV) $(CHAT_MODEL_VENV) $(GRASPOLOGIC_VENV) $(SCALE_VENV) $(DEMO_HOME)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/core: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet -e .
	touch $@

$(VENV)/test: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet -e '.[dev,docling,ocr,celery,k8s]'
	touch $(VENV)/core $@

$(MODELS_VENV)/done: pyproject.toml
	$(PYTHON) -m venv $(MODELS_VENV)
	$(MODELS_VENV)/bin/pip install --quiet --upgrade pip
	$(MODELS_VENV)/bin/pip install --quiet torch==2.13.0
	$(MODELS_VENV)/bin/pip install --quiet -e '.[dev,models]'
	touch $@

$(S3_VENV)/done: pyproject.toml
	$(PYTHON) -m venv $(S3_VENV)
	$(S3_VENV)/bin/pip install --quiet --upgrade pip
	$(S3_VENV)/bin/pip install --quiet -e '.[dev,s3]' 'moto[s3]==5.2.5' 'boto3==1.43.117' flask flask-cors
	touch $@

$(CHAT_MODEL_VENV)/done: pyproject.toml
	$(PYTHON) -m venv $(CHAT_MODEL_VENV)
	$(CHAT_MODEL_VENV)/bin/pip install --quiet --upgrade pip
	$(CHAT_MODEL_VENV)/bin/pip install --quiet -e '.[dev,chat-model]'
	touch $@

$(SCALE_VENV)/done: pyproject.toml
	$(PYTHON) -m venv $(SCALE_VENV)
	$(SCALE_VENV)/bin/pip install --quiet --upgrade pip
	$(SCALE_VENV)/bin/pip install --quiet -e '.[dev,celery,k8s,scale]'
	touch $@

# it needs Python below 3.13
$(GRASPOLOGIC_VENV)/done:
	$(PYTHON) -m venv $(GRASPOLOGIC_VENV)
	$(GRASPOLOGIC_VENV)/bin/pip install --quiet --upgrade pip
	$(GRASPOLOGIC_VENV)/bin/pip install --quiet 'graspologic>=3.4.4,<4' pytest
	touch $@
