# SPDX-License-Identifier: BSD-3-Clause
VERSION := 0.1.0

PREFIX  ?= /usr/local
LIBDIR  ?= lib
DESTDIR ?=
UNITDIR ?= $(PREFIX)/lib/systemd/system
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
# where install puts the module of Python; empty: nowhere
PYTHONDIR ?=
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror
PYTHON  ?= /usr/bin/python3
ARGS    ?=
FUZZ_SECONDS ?= 20
BENCH   ?=
VM      ?= vm amd aer events memory numa regions switch soak cpmu systemd uncore_spr uncore_emr uncore_gnr uncore_srf uncore_cwf
BENCH_OPTIONS ?=

DOCS_PACKAGES  := doxygen
SITE_PACKAGES  := python3-markdown mandoc
BUILD_PACKAGES := gcc libc6-dev pkg-config libpci-dev libjansson-dev zlib1g-dev libcap-ng-dev \
	libseccomp-dev libmicrohttpd-dev libncurses-dev libelf-dev
WHEEL_PACKAGES := python3-pip python3-setuptools python3-wheel
DEB_PACKAGES   := build-essential dpkg-dev debhelper dh-python fakeroot
STATIC_PACKAGES := dpkg-dev ncurses-bin $(if $(filter arm64,$(ARCH)),$(ARM_PACKAGES))
ARM_PACKAGES   := gcc-aarch64-linux-gnu libc6-dev-arm64-cross
TEST_PACKAGES  := $(BUILD_PACKAGES) check libfuse3-dev fuse3 liburing-dev g++ msr-tools pciutils strace \
	valgrind jq python3-prometheus-client libcap2-bin curl tmux
# what other distributions' packages are built and checked with
FOREIGN_PACKAGES := rpm rpmlint cpio makepkg pacman-package-manager libarchive-tools nix-bin
# what tests/system needs besides
SYSTEM_PACKAGES := $(DOCS_PACKAGES) $(DEB_PACKAGES) $(ARM_PACKAGES) $(FOREIGN_PACKAGES) $(SITE_PACKAGES) qemu-user-static lintian \
	man-db groff-base zsh fish chromium openssl \
	systemd python3-kubernetes python3-yaml $(WHEEL_PACKAGES) mypy python3-pandas python3-matplotlib
SLURM_PACKAGES := slurmctld slurmd slurm-client munge iproute2
IMAGE_PACKAGES := buildah mmdebstrap libcap2-bin
VM_PACKAGES    := qemu-system-x86 busybox-static cpio kmod xz-utils zstd libelf1 ndctl mmdebstrap libarchive-tools
FUZZ_PACKAGES  := $(BUILD_PACKAGES) clang libclang-rt-14-dev g++ python3
BENCH_PACKAGES := $(BUILD_PACKAGES) libfuse3-dev fuse3 valgrind strace msr-tools python3
LINT_PACKAGES  := $(TEST_PACKAGES) python3 cppcheck clang clang-format shellcheck \
	$(ARM_PACKAGES) musl-tools

# All CPUs, unless the caller says how many: by -j, in MAKEFLAGS, or as a make that has its own jobs.
ifeq ($(MAKELEVEL)$(filter -j% j% --jobserver%,$(shell echo "$$MAKEFLAGS")),0)
MAKEFLAGS += -j$(shell nproc)
endif

# a line a file; V=1 prints whole commands
quiet = $(if $(V),,@echo "$(1) $(2)";)

# SANITIZE=1 builds with the address and undefined-behaviour sanitizers, SANITIZE=thread with that
# for threads
ifeq ($(SANITIZE),thread)
INSTRUMENT := -fsanitize=thread
else ifdef SANITIZE
INSTRUMENT := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	-fno-sanitize-recover=all -fno-omit-frame-pointer

C_FLAGS = -std=c17 -D_GNU_SOURCE -DCXLMON_VERSION='"$(VERSION)"' -Isrc -Iinclude -pthread \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers $(WERROR)
ALL_CFLAGS = $(C_FLAGS) -MMD -MP $(CFLAGS) $(INSTRUMENT)
# Arm, and with musl, is compiled, not linked: the headers of libraries are those of this machine
FOREIGN_CFLAGS = $(C_FLAGS) -fsyntax-only -idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch)
# asked for when something is linked: the packages may have been installed by this very make
libs = $(or $(shell pkg-config --libs $(1)),$(error pkg-config does not find $(1): "make run" installs what is missing))
LIBRARY_LIBS = $(call libs,libpci jansson zlib libcap-ng libseccomp) -lm -ldl
HTTP_LIBS    = $(call libs,libmicrohttpd zlib libcap-ng libseccomp) -lm
SHARED_LIBS  = $(call libs,libpci jansson zlib) -lm -ldl
CHECK_LIBS   = $(call libs,check)
FUSE_LIBS    = $(call libs,fuse3)
$(BUILD)/obj/tests/platform/%.o: ALL_CFLAGS += $(shell pkg-config --cflags fuse3)
# To make them fast takes longer than they run. Where a distribution defines _FORTIFY_SOURCE, headers warn of -O0.
$(BUILD)/obj/tests/unit/%.o: ALL_CFLAGS += -Itests/unit -O0 -Wno-cpp
$(BUILD)/obj/tests/%.o: ALL_CFLAGS += -I.

PROGRAM_FOLDERS  := output process probe show cli
SOURCES          := $(wildcard src/*/*.c src/*/*/*.c)
HTTP_SOURCES     := $(filter src/show/http/%,$(SOURCES))
CLI_SOURCES      := $(filter-out src/probe/load/% $(HTTP_SOURCES),$(filter $(PROGRAM_FOLDERS:%=src/%/%.c),$(SOURCES)))
LIBRARY_SOURCES  := $(filter-out $(HTTP_SOURCES) $(CLI_SOURCES),$(SOURCES))
UNIT_SOURCES     := $(wildcard tests/unit/*.c tests/unit/*/*.c tests/unit/*/*/*.c)
PLATFORM_SOURCES := $(wildcard tests/platform/*.c)
SIM_SOURCES      := $(wildcard tests/sim/*.c)
TRAP_SOURCES     := $(wildcard tests/platform/trap/*.c)
ATTACK_SOURCES   := $(wildcard tests/attack/*.c)
CLOCK_SOURCES    := $(wildcard tests/clock/*.c)
WEEK_SOURCES     := $(wildcard tests/week/*.c)
REMOTE_SOURCES   := $(wildcard tests/vm/remote/*.c)
TOOL_SOURCES     := $(wildcard tests/tools/*.c)
BENCH_SOURCES    := $(wildcard tests/bench/*.c)
FUZZ_SOURCES     := $(wildcard tests/fuzz/*.c)
FUZZ_TARGETS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIBRARY_OBJECTS  := $(call objects,$(LIBRARY_SOURCES))
# rights are the program's to give up, and traffic is its own to make
SHARED_OBJECTS   := $(filter-out $(BUILD)/obj/src/probe/load/%.o %/sudo_user.o %/rights.o %/rights_filter.o \
	%/rights_writes.o,$(LIBRARY_OBJECTS))
$(SHARED_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
CLI_OBJECTS      := $(call objects,$(CLI_SOURCES))
HTTP_OBJECTS     := $(call objects,$(HTTP_SOURCES))
UNIT_OBJECTS     := $(call objects,$(UNIT_SOURCES))
PLATFORM_OBJECTS := $(call objects,$(PLATFORM_SOURCES))
SIM_OBJECTS      := $(call objects,$(SIM_SOURCES))
TRAP_OBJECTS     := $(call objects,$(TRAP_SOURCES))
# loaded into programs of any build, with their sanitizers or without
$(TRAP_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(TRAP_OBJECTS): INSTRUMENT :=
ATTACK_OBJECTS   := $(call objects,$(ATTACK_SOURCES))
$(ATTACK_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(ATTACK_OBJECTS): INSTRUMENT :=
CLOCK_OBJECTS    := $(call objects,$(CLOCK_SOURCES))
$(CLOCK_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(CLOCK_OBJECTS): INSTRUMENT :=
WEEK_OBJECTS     := $(call objects,$(WEEK_SOURCES))
$(WEEK_OBJECTS): ALL_CFLAGS += -fPIC -fvisibility=hidden
$(WEEK_OBJECTS): INSTRUMENT :=
REMOTE_OBJECTS   := $(call objects,$(REMOTE_SOURCES))
TOOL_OBJECTS     := $(call objects,$(TOOL_SOURCES))
BENCH_OBJECTS    := $(call objects,$(BENCH_SOURCES))
FUZZ_OBJECTS     := $(call objects,$(FUZZ_SOURCES))
FUZZERS          := $(FUZZ_TARGETS:%=$(BUILD)/fuzz-%)
REPLAYS          := $(FUZZ_TARGETS:%=$(BUILD)/replay-%)
TOOLS            := $(TOOL_SOURCES:tests/tools/%.c=$(BUILD)/cxlmon-%)
TEST_PROGRAMS    := $(BUILD)/unit-tests $(BUILD)/cxlmon-sim $(BUILD)/cxlmon-platform $(BUILD)/cxlmon-trap.so \
	$(BUILD)/cxlmon-attack.so $(BUILD)/cxlmon-clock.so $(BUILD)/cxlmon-week.so $(BUILD)/cxlmon-remote \
	$(BUILD)/cxlmon-bench $(TOOLS) $(REPLAYS)
# what the tests see of the command line and of the HTTP server
CLI_PARTS        := $(filter-out %/main.o,$(CLI_OBJECTS)) $(patsubst %,$(BUILD)/obj/src/show/http/http_%.o,route incoming)
# what fuzz targets share
FUZZ_PARTS       := $(SIM_OBJECTS) $(filter-out %/replay.o $(BUILD)/obj/tests/fuzz/fuzz_%,$(FUZZ_OBJECTS))

# the first number of the version script is the ABI's
SONAME   := libcxlmon.so.0
SHARED   := libcxlmon.so.$(VERSION)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all python wheel run test-packages test property property-machines property-regions test-more test-all test-vm test-image week tests test-programs bench bench-pages neighbour neighbour-pages tour pictures fuzz fuzz-packages fuzz-programs fuzzers lint $(LINTS) \
	sanitize sanitizer-programs docs site install uninstall sbom deb static clean help

# made from the tables of options
COMPLETIONS := $(addprefix $(BUILD)/,$(wildcard completions/*))
MANUALS     := $(addprefix $(BUILD)/,$(wildcard man/*.[137]))

all: $(BUILD)/cxlmon $(BUILD)/cxlmon-http $(BUILD)/libcxlmon.so $(COMPLETIONS) $(MANUALS) ## build the program and the library

# every function is found before anything runs: a thread that samples must not have to wait until
# another has found one, and the table of them can't be written afterwards
link = $(call quiet,LD,$@)$(CC) $(CFLAGS) $(INSTRUMENT) -pthread -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $^

# a static one has the HTTP server within
$(BUILD)/cxlmon: $(CLI_OBJECTS) $(if $(STATIC),$(HTTP_OBJECTS)) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# the only program with the HTTP library, which brings GnuTLS along
$(BUILD)/cxlmon-http: $(HTTP_OBJECTS) $(BUILD)/obj/src/output/prometheus.o $(BUILD)/libcxlmon.a
	$(link) $(HTTP_LIBS)

# anew each time: ar keeps members whose source was renamed
$(BUILD)/libcxlmon.a: $(LIBRARY_OBJECTS)
	@rm -f $@
	$(call quiet,AR,$@)$(AR) rcs $@ $^

# every allocation of ours is counted, and each place told to Check once; private: not where a prerequisite is linked
$(BUILD)/unit-tests: private LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=_mark_point
# every symbol must be found now, but those of a sanitizer, which the program brings along
$(BUILD)/$(SONAME): $(SHARED_OBJECTS) src/lib/libcxlmon.sym
	$(call quiet,LD,$@)$(CC) $(CFLAGS) $(INSTRUMENT) -pthread $(LDFLAGS) -shared -o $@ -Wl,-soname,$(SONAME) \
		-Wl,--version-script=src/lib/libcxlmon.sym $(if $(INSTRUMENT),,-Wl,-z,defs) \
		$(SHARED_OBJECTS) $(SHARED_LIBS)

# what a program is linked with: -Lbuild -lcxlmon
$(BUILD)/libcxlmon.so: $(BUILD)/$(SONAME)
	@ln -sf $(SONAME) $@

$(BUILD)/unit-tests: $(UNIT_OBJECTS) $(SIM_OBJECTS) $(BUILD)/obj/tests/platform/trap/instruction.o $(CLI_PARTS) \
		$(BUILD)/libcxlmon.a | $(BUILD)/cxlmon-http
	$(link) $(CHECK_LIBS) $(LIBRARY_LIBS)

# the program with the keys of --sim that tests have
$(BUILD)/cxlmon-sim: $(CLI_OBJECTS) $(SIM_OBJECTS) $(BUILD)/libcxlmon.a | $(BUILD)/cxlmon-http
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-platform: $(PLATFORM_OBJECTS) $(SIM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(FUSE_LIBS) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-remote: $(REMOTE_OBJECTS) $(SIM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-pmus: $(BUILD)/obj/tests/tools/pmus.o $(SIM_OBJECTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-trap.so: INSTRUMENT :=
$(BUILD)/cxlmon-trap.so: $(TRAP_OBJECTS)
	$(link) -shared

$(BUILD)/cxlmon-attack.so: INSTRUMENT :=
$(BUILD)/cxlmon-attack.so: $(ATTACK_OBJECTS)
	$(link) -shared -ldl

$(BUILD)/cxlmon-clock.so: INSTRUMENT :=
$(BUILD)/cxlmon-clock.so: $(CLOCK_OBJECTS)
	$(link) -shared -ldl

$(BUILD)/cxlmon-week.so: INSTRUMENT :=
$(BUILD)/cxlmon-week.so: $(WEEK_OBJECTS)
	$(link) -shared -ldl

$(BUILD)/cxlmon-bench: $(BENCH_OBJECTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/cxlmon-readers: LIBRARY_LIBS += -luring

$(BUILD)/option-tables: $(BUILD)/obj/tools/option_tables.o $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

$(BUILD)/options: $(BUILD)/option-tables
	$(call quiet,GEN,$@)$< >$@

# in the quotes of a shell
$(BUILD)/completions/%: completions/% $(BUILD)/options
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)sed -E "/^(processor|column|check)\\|/d; s/'/'\\\\''/g" $(BUILD)/options | sed -e '/^@OPTIONS@$$/{r /dev/stdin' -e 'd;}' $< >$@

$(BUILD)/man/%: man/% $(BUILD)/options man/options tools/manual-options
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)awk -f tools/manual-options $(BUILD)/options man/options $< >$@

# the module of Python, complete with what pip needs
MODULE      := $(addprefix $(BUILD)/,$(wildcard python/cxlmon/*.py) python/cxlmon/_abi.py python/cxlmon/py.typed)
PYTHON_TREE := $(MODULE) $(addprefix $(BUILD)/,$(wildcard python/*.toml python/*.cfg))

python: $(PYTHON_TREE) ## make the module of Python, build/python

$(BUILD)/python/cxlmon/_abi.py: include/cxlmon.h tools/python-abi Makefile
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)tools/python-abi $(VERSION) <$< >$@

$(BUILD)/python/%: python/%
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)cp $< $@

wheel: python ## make a wheel of it for any machine with libcxlmon.so.0, build/wheel/*.whl
	@tools/ensure-packages $(WHEEL_PACKAGES)
	$(PYTHON) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir=$(BUILD)/wheel $(BUILD)/python

# small programs that the tests run
$(BUILD)/cxlmon-%: $(BUILD)/obj/tests/tools/%.o $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# fuzz targets: for libFuzzer, or another engine that C++ may be of, and without it for the inputs that were kept
FUZZ_ENGINE ?= -fsanitize=fuzzer
$(FUZZERS): private CC := $(or $(FUZZ_LD),$(CC))
$(BUILD)/fuzz-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(FUZZ_ENGINE) $(LIBRARY_LIBS)

$(BUILD)/replay-%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o \
		$(FUZZ_PARTS) $(CLI_PARTS) $(BUILD)/libcxlmon.a
	$(link) $(LIBRARY_LIBS)

# children and time of helpers are the input's
$(BUILD)/%-symbol_opener $(BUILD)/%-symbol_reader: private override LDFLAGS += \
	-Wl,--wrap=poll,--wrap=bounded_fork,--wrap=clock_monotonic
$(BUILD)/%-symbol_reader: private override LDFLAGS += -Wl,--wrap=elf_table_read

# files that are embedded
$(BUILD)/obj/src/show/page/page.o: $(addprefix src/show/page/page.,html css js)
$(BUILD)/obj/src/show/report/report_page.o: src/show/report/report_notes.html
$(BUILD)/obj/src/show/serve/serving_page.o: src/show/serve/serving_page.html src/show/serve/serving_page.js
$(BUILD)/obj/src/show/compare/compare_page.o: src/show/compare/compare_notes.html
$(BUILD)/obj/src/show/hosts/hosts_page.o: src/show/hosts/hosts_notes.html

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(ALL_CFLAGS) -c -o $@ $<

run: ## install what is missing, build, and monitor (ARGS="..." are passed on)
	@tools/ensure-packages $(BUILD_PACKAGES)
	@$(MAKE) --no-print-directory all
	@tools/run $(BUILD)/cxlmon $(ARGS)

# test programs, those first that take longest: builds, guests, those that kill and wait, large ones
LONG_TESTS   = tests/unit/run $(addprefix tests/integration/test_,safety serve faults top monitor witness slow_output regions overlap)
TESTS        = $(LONG_TESTS) tests/fuzz/test_replay $(filter-out $(LONG_TESTS),$(shell ls -S tests/integration/test_*))
BUILDS      ?= static package other_packages slurm
BUILD_TESTS  = $(BUILDS:%=tests/system/test_%)
MORE_TESTS   = $(BUILD_TESTS) $(VM:%=tests/vm/test_%) \
	$(filter-out %/test_static %/test_package %/test_other_packages %/test_slurm,$(shell ls -S tests/system/test_*))
# days that last 86 s, in which a delay of 60 ms is a minute: only idle processes run beside it
WEEK         = tests/system/test_week
# MACHINE=SPEC puts a simulated machine in the place of this one, which no test may touch
run_tests    = @$(if $(MACHINE),tests/on-machine $(MACHINE)) tests/run $(BUILD)

test-packages: # what make test installs
	@tools/ensure-packages $(TEST_PACKAGES)

test: test-packages ## install what is missing, build, and run the tests, in minutes
	@$(MAKE) --no-print-directory tests

test-more: ## run those that need guests in qemu, packages, browsers and other programs (MORE="tests/...": and these)
	@tools/ensure-packages $(TEST_PACKAGES) $(SYSTEM_PACKAGES) $(VM_PACKAGES) $(if $(filter slurm,$(BUILDS)),$(SLURM_PACKAGES))
	@$(MAKE) --no-print-directory all python test-programs
	@tests/run $(BUILD) $(filter-out $(WEEK),$(MORE_TESTS)) $(MORE)

test-all: export KILLS ?= 200
test-all: export REGION_COUNTERS ?= 1000000
test-all: export PREDICTIONS ?= 1000
test-all: ## run all tests
	@tools/ensure-packages $(TEST_PACKAGES) $(SYSTEM_PACKAGES) $(VM_PACKAGES) $(IMAGE_PACKAGES) $(SLURM_PACKAGES)
	@$(MAKE) --no-print-directory all python test-programs
	@tests/run $(BUILD) $(MORE_TESTS) $(wildcard tests/roots/test_*) $(TESTS)

tests: all python $(TEST_PROGRAMS) # with what is installed
	$(run_tests) $(TESTS)

test-programs: $(TEST_PROGRAMS)

test-vm: ## boot Debian's kernels in qemu and test under them (VM="vm uncore_spr": these tests)
	@tools/ensure-packages $(TEST_PACKAGES) $(VM_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@tests/run $(BUILD) $(VM:%=tests/vm/test_%)

week: ## a week of services in ten minutes, under clocks that are 1000 times faster (WEEK_DAYS=1: a day)
	@tools/ensure-packages $(TEST_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@WEEK_DAYS=$(or $(WEEK_DAYS),7) tests/run $(BUILD) $(WEEK)

test-image: ## build the container image in Debian's archive alone, and test it (root, network)
	@tools/ensure-packages $(IMAGE_PACKAGES)
	@tests/image/test_image

bench: ## measure it beside its floors, and print a table (BENCH="rates memory": these parts)
	@tools/ensure-packages $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory $(BUILD)/cxlmon $(BUILD)/cxlmon-bench test-programs
	@BUILD=$(BUILD) tests/bench/run $(BENCH_OPTIONS) $(BENCH)

bench-pages: ## measure what docs/explanation/cost.md and docs/dev/performance.md show, and write it into them
	@$(MAKE) --no-print-directory bench BENCH="accesses instructions time processor memory start"
	@python3 tests/bench/pages.py bench-pages $(BUILD)/bench.json docs/explanation/cost.md docs/dev/performance.md

neighbour: ## measure what other programs lose beside it, in half an hour (NEIGHBOUR="spin requests" RATES="10" PAIRS=20: less)
	@NEIGHBOUR="$(NEIGHBOUR)" RATES="$(RATES)" PAIRS=$(PAIRS) $(MAKE) --no-print-directory bench \
		BENCH_OPTIONS=--name=neighbour BENCH=neighbour

neighbour-pages: neighbour ## and write it into docs/explanation/cost.md
	@python3 tests/bench/pages.py neighbour-pages $(BUILD)/neighbour.json docs/explanation/cost.md

tour: all ## run the commands of docs/tour.md, and write what they print into it; and the reference of metrics, and of processors
	@tests/tour $(BUILD) >$(BUILD)/tour.md && cp $(BUILD)/tour.md docs/tour.md
	@tools/metrics-reference $(BUILD)/cxlmon $(BUILD)/options >$(BUILD)/metrics.md && cp $(BUILD)/metrics.md docs/reference/metrics.md
	@tools/processor-rows $(BUILD)/options README.md >$(BUILD)/README.md && cp $(BUILD)/README.md README.md

pictures: all ## draw the pictures of the documents, docs/pictures (needs tmux)
	@tools/pictures $(BUILD) docs/pictures

property: property-machines property-regions ## compare random machines with the traffic that was asked for, for PROPERTY_SECONDS (60), from SEED on

property-machines: all $(BUILD)/cxlmon-sim
	@BUILD=$(BUILD) tests/isolated tests/property $(if $(PROPERTY_SECONDS),--seconds=$(PROPERTY_SECONDS)) $(if $(SEED),--seed=$(SEED))

property-regions: $(BUILD)/cxlmon-regions
	@BUILD=$(BUILD) tests/region-formulas --count=1000000 $(if $(SEED),--seed=$(SEED))

fuzz-packages: # installs what make fuzz needs
	@tools/ensure-packages $(FUZZ_PACKAGES)

fuzz-programs: fuzz-packages
	@WORK=build/fuzz OUT=build/fuzz/out CC=clang CXX=clang++ CFLAGS="-O1 -g1 $(FUZZ_FLAGS)" CXXFLAGS= \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer tests/fuzz/oss-fuzz/build.sh

fuzz: fuzz-programs ## feed libFuzzer's bytes to every parser, for FUZZ_SECONDS (20) each, or FUZZ_RUNS inputs
	@FUZZ_RUNS=$(FUZZ_RUNS) tests/isolated tests/fuzz/run build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzzers: $(FUZZERS)

# Objects differ by compiler and sanitizer alone: gcc's are those of the plain build, and clang compiles
# src for the fuzz targets, with the same warnings; here it reads what is left.
LINTS := lint-format lint-cppcheck lint-layers lint-english lint-shell lint-clang lint-arm lint-musl
C_FILES     = $(shell git ls-files '*.c' '*.h')
SHELL_FILES = $(shell git grep -lE '^\#!/bin/(ba)?sh|^\# shellcheck shell=' -- tools tests completions packaging .ci)
CLANG_FILES = $(filter-out tests/fuzz/% tests/vm/cpmu/% tests/vm/events/% tests/vm/uncore/%,$(filter tests/%.c examples/%.c,$(C_FILES)))

lint: ## check the format and the code with other eyes: clang-format, cppcheck, clang, gcc for Arm and with musl
	@tools/ensure-packages $(LINT_PACKAGES)
	@$(MAKE) --no-print-directory all test-programs
	@$(MAKE) --no-print-directory $(LINTS)

lint-format:
	@echo clang-format
	@clang-format --dry-run -Werror $(C_FILES)

lint-cppcheck:
	@mkdir -p $(BUILD)/cppcheck
	@echo cppcheck
	@cppcheck -j2 --cppcheck-build-dir=$(BUILD)/cppcheck --quiet --error-exitcode=1 \
		--enable=warning,performance,portability --inline-suppr --std=c11 -D_GNU_SOURCE \
		-DCXLMON_VERSION='""' -Isrc -Iinclude -I. \
		src include examples tools tests/platform tests/sim tests/vm/remote tests/tools tests/bench tests/fuzz

lint-layers:
	tools/check-layers $(BUILD)/obj/src

lint-english:
	tools/check-english

lint-shell:
	@echo shellcheck
	@shellcheck -x $(SHELL_FILES)

lint-clang:
	@echo clang
	@clang $(C_FLAGS) -I. -Itests/unit $(shell pkg-config --cflags fuse3) -fsyntax-only $(CLANG_FILES)

lint-arm:
	@echo aarch64-linux-gnu-gcc
	@aarch64-linux-gnu-gcc $(FOREIGN_CFLAGS) $$(git ls-files 'src/*.c')

lint-musl:
	@echo musl-gcc
	@musl-gcc $(FOREIGN_CFLAGS) $$(git ls-files 'src/*.c')

# Sanitizers find nothing in documents and installed files; costs and filters are those of plain builds.
SANITIZED = $(filter-out %/test_bench %/test_cost %/test_documents %/test_install %/test_isolation %/test_processor \
	%/test_sandbox %/test_sbom %/test_tour,$(TESTS))

# suites with threads, and folders that none of them needs
THREADED   = ring decoder readers signals writer http load source_thread
UNTHREADED = lib cli show/compare show/doctor show/info show/screen probe/who probe/top

sanitizer-programs: test-packages # with each sanitizer what runs under it
	@$(MAKE) --no-print-directory BUILD=build/thread SANITIZE=thread CFLAGS=-O0 build/thread/unit-tests \
		SOURCES="$(filter-out $(UNTHREADED:%=src/%/%),$(SOURCES))" \
		UNIT_SOURCES="$(filter-out %/canvas_text.c,$(wildcard tests/unit/*.c)) \
			$(filter $(foreach suite,$(THREADED),%/test_$(suite).c),$(UNIT_SOURCES))"
	@$(MAKE) --no-print-directory BUILD=build/sanitize SANITIZE=1 CFLAGS="-O1 -g1" all python test-programs

sanitize: sanitizer-programs ## run the tests under the address and undefined-behaviour sanitizers, and for threads
	@THREADED="$(THREADED)" KILLS=$(or $(KILLS),15) tests/run build/sanitize tests/unit/threads $(SANITIZED)

docs: ## make the library's reference, build/docs/html
	@tools/ensure-packages $(DOCS_PACKAGES)
	@mkdir -p $(BUILD)/docs
	CXLMON_VERSION=$(VERSION) CXLMON_DOCS=$(BUILD)/docs doxygen docs/Doxyfile

site: $(MANUALS) ## make static pages of the documents and manuals, build/site
	@tools/ensure-packages $(SITE_PACKAGES)
	@rm -rf $(BUILD)/site
	tools/site $(BUILD)/man $(BUILD)/site

# FILE:WHERE:MODE of what is installed.
SHARE     := $(PREFIX)/share
DOCDIR    := $(SHARE)/doc/cxlmon
DOC_FOLDERS := how-to reference explanation dev pictures
# the last one holds the others
KUBERNETES := $(addprefix kubernetes/,base perf raw) kubernetes
in_folder  = $(foreach file,$(1),$(file):$(2)/$(notdir $(file)):644)
INSTALLED := \
	$(BUILD)/cxlmon:$(PREFIX)/bin/cxlmon:755 \
	$(BUILD)/cxlmon-http:$(PREFIX)/libexec/cxlmon/cxlmon-http:755 \
	$(BUILD)/$(SONAME):$(PREFIX)/$(LIBDIR)/$(SHARED):644 \
	include/cxlmon.h:$(PREFIX)/include/cxlmon.h:644 \
	$(call in_folder,$(filter %.1,$(MANUALS)),$(SHARE)/man/man1) \
	$(call in_folder,$(filter %.3,$(MANUALS)),$(SHARE)/man/man3) \
	$(call in_folder,$(filter %.7,$(MANUALS)),$(SHARE)/man/man7) \
	$(BUILD)/completions/cxlmon.bash:$(SHARE)/bash-completion/completions/cxlmon:644 \
	$(BUILD)/completions/_cxlmon:$(ZSHDIR)/_cxlmon:644 \
	$(BUILD)/completions/cxlmon.fish:$(SHARE)/fish/vendor_completions.d/cxlmon.fish:644 \
	$(call in_folder,README.md CHANGELOG.md LICENSE $(wildcard docs/*.md),$(DOCDIR)) \
	$(foreach folder,$(DOC_FOLDERS),$(call in_folder,$(wildcard docs/$(folder)/*.md docs/$(folder)/*.svg),$(DOCDIR)/$(folder))) \
	$(call in_folder,packaging/grafana-dashboard.json packaging/prometheus-alerts.yml packaging/prometheus-rules.yml,$(SHARE)/cxlmon) \
	$(foreach dir,$(KUBERNETES),$(call in_folder,$(wildcard packaging/$(dir)/*.yaml),$(SHARE)/cxlmon/$(dir))) \
	packaging/kubernetes/node-labels:$(SHARE)/cxlmon/kubernetes/node-labels:755 \
	packaging/slurm-epilog:$(SHARE)/cxlmon/slurm-epilog:755 \
	$(call in_folder,packaging/cxlmon.socket $(wildcard packaging/cxlmon-textfile.*),$(UNITDIR)) \
	$(if $(PYTHONDIR),$(call in_folder,$(MODULE),$(PYTHONDIR)/cxlmon)) \
	packaging/cxlmon.sysusers:$(PREFIX)/lib/sysusers.d/cxlmon.conf:644 \
	packaging/cxlmon.tmpfiles:$(PREFIX)/lib/tmpfiles.d/cxlmon.conf:644
# LINK:TARGET
INSTALLED_LINKS := \
	$(PREFIX)/$(LIBDIR)/$(SONAME):$(SHARED) \
	$(PREFIX)/$(LIBDIR)/libcxlmon.so:$(SONAME)
# made when they are installed, since PREFIX is in them
INSTALLED_PC   := $(PREFIX)/$(LIBDIR)/pkgconfig/cxlmon.pc
INSTALLED_UNITS := $(UNITDIR)/cxlmon.service $(UNITDIR)/cxlmon-perf.service

word_of = $(word $(1),$(subst :, ,$(2)))
# each ends its line, so that every file is a command of its own
define install_file
install -D -m $(call word_of,3,$(1)) $(call word_of,1,$(1)) $(DESTDIR)$(call word_of,2,$(1))

endef
define install_unit
sed 's|/usr/bin/|$(PREFIX)/bin/|; s|/usr/libexec/|$(PREFIX)/libexec/|' packaging/$(notdir $(1)) > $(DESTDIR)$(1)

endef
define install_link
ln -sfn $(call word_of,2,$(1)) $(DESTDIR)$(call word_of,1,$(1))

endef

install: $(BUILD)/cxlmon $(BUILD)/cxlmon-http $(BUILD)/$(SONAME) $(COMPLETIONS) $(MANUALS) $(if $(PYTHONDIR),python) ## install under PREFIX (and DESTDIR), the library in LIBDIR there
	$(foreach file,$(INSTALLED),$(call install_file,$(file)))
	$(foreach link,$(INSTALLED_LINKS),$(call install_link,$(link)))
	install -d $(DESTDIR)$(dir $(INSTALLED_PC)) $(DESTDIR)$(UNITDIR)
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' \
		src/lib/cxlmon.pc.in > $(DESTDIR)$(INSTALLED_PC)
	$(foreach unit,$(INSTALLED_UNITS),$(call install_unit,$(unit)))
	chmod 644 $(DESTDIR)$(INSTALLED_PC) $(INSTALLED_UNITS:%=$(DESTDIR)%)

uninstall: ## remove what install put there
	rm -f $(foreach file,$(INSTALLED),$(DESTDIR)$(call word_of,2,$(file))) \
		$(foreach link,$(INSTALLED_LINKS),$(DESTDIR)$(call word_of,1,$(link))) \
		$(DESTDIR)$(INSTALLED_PC) $(INSTALLED_UNITS:%=$(DESTDIR)%)
	@for folder in $(DOC_FOLDERS:%=$(DESTDIR)$(DOCDIR)/%) $(DESTDIR)$(DOCDIR) \
		$(KUBERNETES:%=$(DESTDIR)$(SHARE)/cxlmon/%) $(DESTDIR)$(SHARE)/cxlmon \
		$(if $(PYTHONDIR),$(DESTDIR)$(PYTHONDIR)/cxlmon) $(DESTDIR)$(PREFIX)/libexec/cxlmon; do \
		[ ! -d $$folder ] || rmdir --ignore-fail-on-non-empty $$folder; done

static: ## build one file that runs on any Linux, build/static/cxlmon (ARCH=arm64: for that)
	@tools/ensure-packages $(BUILD_PACKAGES) $(STATIC_PACKAGES)
	@tools/make-static $(or $(ARCH),$(shell dpkg --print-architecture))

sbom: all ## list what was built, of what and with which libraries: build/cxlmon.spdx.json (SPDX)
	@tools/sbom $(BUILD) $(VERSION) >$(BUILD)/cxlmon.spdx.json

deb: ## build the Debian package, build/deb/*.deb
	@tools/ensure-packages $(BUILD_PACKAGES) $(DEB_PACKAGES)
	@tools/make-deb $(VERSION)

clean: ## remove everything that was built
	rm -rf build

help: ## show this help
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 14

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
