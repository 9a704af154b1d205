# Each target is one line that calls Scripts/; `make` alone lists them.
.PHONY: help run test setup check bench docs fuzz fuzz-corpus conformance clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /    make \1\t/p' Makefile | expand -t 24

run: ## photographs from a slow server into a window (DEMO=gallery|edited|sequence, URLS="https://… ./photo.jpg")
	@Scripts/demo

test: ## all tests (FILTER=Name for some)
	@Scripts/test $(if $(FILTER),--filter '$(FILTER)')

setup: ## the system libraries that are missing, from Debian
	@Scripts/setup

check: ## every gate that a change must pass (STEP=format for one)
	@Scripts/check $(STEP)

bench: ## measurements beside the raw libraries (ARGS="…" go to bowerbird-bench)
	@Scripts/bench $(ARGS)

docs: ## the documentation as a site in .build/docs
	@Scripts/docs

fuzz: ## files that a fuzzer makes up for our own parsers (ARGS="--seconds 60 gif" for a minute of one)
	@Scripts/fuzz $(ARGS)

fuzz-corpus: ## every file of the public suites, cut short and with bits turned over; goes on where it was stopped
	@Scripts/fuzz-corpus $(ARGS)

conformance: ## the public suites, compared with what is expected (ARGS=--write for the page)
	@Scripts/conformance $(ARGS)

clean: ## everything that was built or fetched
	@rm -rf .build
