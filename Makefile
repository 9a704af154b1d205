# Each target is one line that calls Scripts/; `make` alone lists them.
.PHONY: help run test setup check bench docs clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /    make \1\t/p' Makefile | expand -t 20

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

clean: ## everything that was built or fetched
	@rm -rf .build
