# What a developer types. Every target builds with the same features (--workspace), so nothing is built twice.

.PHONY: help dev test check rust-check template-check bench simulate admin judge
.DEFAULT_GOAL := help

TARGET := $(or $(CARGO_TARGET_DIR),target)
VENV := $(TARGET)/venv
BUILD := cargo build --locked --workspace

help:
	@echo "make dev               the whole service on 127.0.0.1:3000 (PORT=3001, DATA=.local keeps everything)"
	@echo "make test              every promise"
	@echo "make check             format, lints, docs, template"
	@echo "make admin EMAIL=…     makes somebody a SUPER_ADMIN (of a deployed TABLE_NAME, else of make dev)"
	@echo "make judge             trains the embedded judge from shared/data/judge and shows how good it is"
	@echo "make simulate          1,000 circles for 30 days, as a table and a plot (ARGS=\"--days 7 --circles 100\")"
	@echo "make bench             likes and reads a second, latency, memory"

dev:
	@$(BUILD) --bin local
	@exec $(TARGET)/debug/local $(if $(DATA),--data $(DATA))

test:
	cargo test --locked --workspace --lib --test '*'

check: rust-check template-check

rust-check:
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items

template-check: $(VENV)/ready
	AWS_DEFAULT_REGION=us-east-1 $(VENV)/bin/python infra/check/template.py template.yaml $(TARGET)/template.json

# Debian without python3-venv has no pip for a new environment, but may have one of its own.
$(VENV)/ready: infra/check/requirements.txt
	rm -rf $(VENV)
	python3 -m venv $(VENV) || (python3 -m venv --clear --without-pip $(VENV) && \
		python3 -m pip --python $(VENV)/bin/python install --quiet pip)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

bench:
	$(BUILD) --profile bench --bin bench
	$(TARGET)/release/bench $(ARGS)

simulate:
	$(BUILD) --bin simulate
	$(TARGET)/debug/simulate --plot $(TARGET)/circles.svg $(ARGS)

admin:
	@test -n "$(EMAIL)" || { echo "whose? make admin EMAIL=ann@example.com"; exit 1; }
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools admin "$(EMAIL)"

judge:
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools train-judge
	@$(BUILD) --quiet --bin tools
	@$(TARGET)/debug/tools test-judge
