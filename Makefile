# Everything needs only Go, but for race (a C compiler) and record (Java 17 and Maven).

.PHONY: default test race golden fuzz tune-check bench pgo bench-peers bench-growth fidelity reproduction docs record

default:
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt would change:" $$unformatted; exit 1; }
	go vet ./...
	go test ./...

test:
	go test ./...

race:
	go test -race ./...

# Writes the expected outputs anew; commit only the differences that you understand.
golden:
	go test ./cmd/simulate ./reports ./scenarios ./sim/scenario -update
	go test ./advice ./check ./clientconfig ./incident/logs ./internal/fidelity ./lint ./reproduce ./sim ./sim/consumers ./sim/coordinator ./sim/metrics ./sim/offsetslog ./sim/scenario ./starter ./timeline ./tuning -rewrite

# FUZZTIME=10m make fuzz
FUZZTIME ?= 1m
fuzz:
	go test ./sim/scenario -run '^$$' -fuzz FuzzLoad -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./sim/scenario -run '^$$' -fuzz FuzzExpectation -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./lint -run '^$$' -fuzz FuzzCheck -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./tuning -run '^$$' -fuzz FuzzMerge -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./tuning -run '^$$' -fuzz FuzzParam -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./sim/trace -run '^$$' -fuzz FuzzRead -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	go test ./reproduce -run '^$$' -fuzz FuzzFrom -fuzztime $(FUZZTIME) -fuzzminimizetime 100x
	for target in FuzzLines FuzzStamp FuzzMessage FuzzUnrolled FuzzClientMessage FuzzSamples; do \
		go test ./incident/logs -run '^$$' -fuzz $$target'$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 100x || exit 1; done
	for reader in FuzzProperties FuzzYAML FuzzLibrdkafka; do \
		go test ./starter -run '^$$' -fuzz $$reader -fuzztime $(FUZZTIME) -fuzzminimizetime 100x || exit 1; done

# Searches the shipped fleets, runs all combinations of their settings, and fails where a search found less: minutes.
tune-check:
	go test ./tuning -count=1 -run TestShippedFleets -whole -v -timeout 2h

bench:
	go test ./... -run '^$$' -bench . -benchmem

# The profile from which the compiler learns what is to be fast: of analyses and of runs step by step, without where
# they were built. Half a minute.
pgo:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	go test ./cmd/simulate -trimpath -run '^$$' -bench Analyze -benchtime 30x -cpuprofile $$dir/analyze -o $$dir/analyze.test && \
	go test ./sim -trimpath -run '^$$' -bench Scenario -benchtime 3x -cpuprofile $$dir/run -o $$dir/run.test && \
	go tool pprof -proto $$dir/analyze $$dir/run | gunzip | perl -pe 's{/[\w/.-]*/(?=\w+\.test)}{"." x length $$&}ge' | gzip -9n >cmd/simulate/default.pgo

# What others need for the same, side by side, as in docs/performance.md; takes some minutes. SimPy is installed
# apart from everything, and left out where there is no Python for it. MARKDOWN=1 prints tables for a page.
CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/simulate-bench
bench-peers:
	@$(CACHE)/bin/python -c 'import simpy' 2>/dev/null || \
		{ python3 -m venv $(CACHE) && $(CACHE)/bin/pip install --quiet simpy==4.1.2; } || echo "SimPy could not be installed"
	@cd bench && go test -run TestPeers -timeout 90m -full -python $(CACHE)/bin/python $(if $(MARKDOWN),-markdown)

# What fast-forward saves, and how the cost of a run grows.
bench-growth:
	@cd bench && go test -run 'TestGrowth|TestFastForward' -timeout 90m -full $(if $(MARKDOWN),-markdown)

# One row a recorded case; LIVE_DIR=DIR for other recordings, FIDELITY_CASE=NAME for one case line by line.
fidelity:
	go run ./internal/fidelity/cmd/fidelity

# Scenarios from the broker logs of recordings in LIVE_DIR=DIR:DIR, and from those of all shipped scenarios: how many of them log
# the same again, and a row for each that does not. Three minutes of two cores.
reproduction:
	LIVE_DIR=$(or $(LIVE_DIR),$(wildcard $(abspath ../shared/live))$(addprefix :,$(wildcard $(abspath ../shared/live-clients)))) \
		go test ./reproduce -count=1 -timeout 30m -run 'TestLive|TestRoundTrips|TestOtherSeeds' -v | sed -n 's/^ *live_test.go:[0-9]*: //p'

# Writes docs/fidelity.md, docs/clients.md, docs/studies.md, docs/lint.md and docs/presets.md anew.
docs:
	go run ./internal/fidelity/cmd/fidelity -markdown docs/fidelity.md
	go test ./scenarios -count=1 -run 'TestClientsPage|TestStudiesPage' -update
	go run ./cmd/simulate lint --list --format markdown > docs/lint.md
	go run ./cmd/simulate presets --format markdown > docs/presets.md

# make record OUT=FILE.jsonl.gz SEED=7: COUNT=10 traces of the real coordinator of KAFKA=4.4.0, of FAMILY=all.
record:
	mvn -q -B -f sim/coordinator/conformance/record compile exec:exec -Dkafka.version=$(or $(KAFKA),4.4.0) \
		-Dfamily=$(or $(FAMILY),all) -Dseed=$(SEED) -Dcount=$(or $(COUNT),10) -Dout=$(abspath $(OUT))
