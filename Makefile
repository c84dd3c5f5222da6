# The commands of the project. Each is thin: the work is in scripts/.
SHELL := bash
ENV := . scripts/env.sh &&

.PHONY: help setup run test fix bench fuzz

help: ## This list
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' Makefile | column -t -s '|' 2>/dev/null || grep '##' Makefile

setup: ## Fetch everything missing: packages, toolchains, ONNX Runtime, PDFium, the model pack
	@bash scripts/setup.sh

run: setup ## Set up, build and start the desktop application
	@bash scripts/build_ui.sh
	@$(ENV) cargo build --workspace --bins # As a whole, so that `make test` uses the same parts.
	@target/debug/ancre-desktop

test: setup ## Set up, then every check and every test
	@bash scripts/check.sh

fix: setup ## Format everything and write the generated files again
	@bash scripts/fix.sh

bench: setup ## Measure: reading, chunking, ingestion, search, the model
	@$(ENV) cargo bench -p ancre-extract -p ancre-knowledge -p ancre-models --features ancre-models/onnx

fuzz: setup ## Fuzz each of our parsers of documents for half a minute: a quarter of an hour
	@$(ENV) bash scripts/fuzz.sh 30
